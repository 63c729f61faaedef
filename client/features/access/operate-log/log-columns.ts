/** Columns of the operate log and of the errors of browsers. */
import type { GridColumn } from '#client/ui/grid/column-types.ts'
import {
  idColumn,
  integerColumn,
  statusColumn,
  textColumn,
  timeColumn,
} from '#client/ui/grid/grid-columns.ts'
import { formatIst } from '#client/ui/value/ist-format.ts'
import type { listClientErrors } from '#shared/access/operate-log-api.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { actionWord, operatorWord } from '../action-word.ts'
import { roleWord } from '../role-words.ts'
import { differencesOf, type LogEntry, targetOf } from './entry-diff.ts'

export type ClientError = DataOf<typeof listClientErrors>['rows'][number]

const title = (name: string) => `access:operateLog.col.${name}`
export const LOG_COLUMNS: readonly GridColumn<LogEntry>[] = [
  idColumn<LogEntry>({
    id: 'time',
    exportKind: 'time',
    title: title('time'),
    width: 176,
    sort: 'time',
    pin: 'left',
    text: (row, { language }) => formatIst(row.time, 'dayTime', language),
  }),
  textColumn<LogEntry>({
    id: 'operatorName',
    title: title('operator'),
    width: 200,
    text: (row, { t }) => operatorWord(t, row),
    tip: (row, { t }) => operatorWord(t, row),
  }),
  textColumn<LogEntry>({
    id: 'roleName',
    title: title('role'),
    width: 170,
    text: (row, { t }) =>
      row.roleMark === null ? '' : roleWord(t, row.roleMark, row.roleName ?? row.roleMark),
  }),
  textColumn<LogEntry>({
    id: 'menuName',
    exportFields: ['menu'],
    title: title('menu'),
    width: 150,
    text: (row, { t }) => (row.menuTitle === null ? (row.menu ?? '') : t(row.menuTitle)),
  }),
  textColumn<LogEntry>({
    id: 'action',
    title: title('action'),
    width: 200,
    text: (row, { t }) => actionWord(t, row.action),
  }),
  textColumn<LogEntry>({
    id: 'targetId',
    title: title('target'),
    width: 190,
    text: (row) => targetOf(row),
  }),
  textColumn<LogEntry>({
    id: 'change',
    exportFields: ['after'],
    title: title('change'),
    width: 130,
    value: (row) => row.logId,
    text: (row, { t }) => changeWords(row, t),
  }),
  statusColumn<LogEntry>({
    id: 'result',
    codes: ['ok'],
    title: title('result'),
    width: 170,
    word: (result, { t }) =>
      result === 'ok'
        ? t('access:operateLog.ok')
        : `${t('access:operateLog.refused')} ${String(result).replace(/^refused:/, '')}`,
    tone: (result) => (result === 'ok' ? 'good' : 'warn'),
  }),
  textColumn<LogEntry>({ id: 'ip', title: title('ip'), width: 130 }),
  textColumn<LogEntry>({ id: 'requestId', title: title('requestId'), width: 180 }),
]
/** Without the columns for which a narrow window has no room. */
export const NARROW_LOG_COLUMNS = LOG_COLUMNS.map((column) =>
  ['ip', 'requestId'].includes(column.id) ? { ...column, hidden: true } : column,
)
export const ERROR_COLUMNS: readonly GridColumn<ClientError>[] = [
  timeColumn<ClientError>({
    id: 'time',
    title: title('time'),
    width: 176,
    sort: 'time',
    pin: 'left',
  }),
  textColumn<ClientError>({ id: 'userName', title: title('user'), width: 170 }),
  textColumn<ClientError>({ id: 'message', title: title('message'), width: 460, sort: 'message' }),
  textColumn<ClientError>({ id: 'url', title: title('url'), width: 240 }),
  textColumn<ClientError>({ id: 'version', title: title('version'), width: 130, sort: 'version' }),
  integerColumn<ClientError>({ id: 'count', title: title('count'), width: 90, sort: 'count' }),
]

function changeWords(
  row: LogEntry,
  t: (key: string, params?: { count: number }) => string,
): string {
  const all = differencesOf(row.before, row.after)
  if (all.length === 0) return ''
  return row.before === null || row.after === null
    ? t('access:operateLog.values', { count: all.length })
    : t('access:operateLog.changes', { count: all.filter((one) => one.isChanged).length })
}
