/** The operate log, the errors of browsers, and the proof of the ledger. Read only. */
import { useText } from '#client/base/use-text.ts'
import '../access.css'
import './operate-log.css'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { useSearchParams } from 'wouter'
import { LedgerBooks } from '#client/features/repayments/public.tsx'
import { serverNow } from '#client/session/server-clock.ts'
import { queryOf } from '#client/session/query.ts'
import { usePageQuery } from '#client/screen/use-list-query.ts'
import { useMedia } from '#client/ui/frame/use-media.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { DataGrid } from '#client/ui/grid/DataGrid.tsx'
import { FilterBar } from '#client/ui/filter/FilterBar.tsx'
import type { GridColumn } from '#client/ui/grid/column-types.ts'
import {
  idColumn,
  integerColumn,
  statusColumn,
  textColumn,
  timeColumn,
} from '#client/ui/grid/grid-columns.ts'
import { filterInput } from '#client/ui/grid/grid-url.ts'
import { Segmented } from '#client/ui/form/Segmented.tsx'
import { useGridUrlState } from '#client/ui/grid/use-grid-url-state.ts'
import { formatIst } from '#client/ui/value/ist-format.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { addDays, istDay, istEnd, istStart } from '#shared/kernel/time.ts'
import {
  listClientErrors,
  listOperateLog,
  LOG_RESULTS,
  operateLogSelectors,
} from '#shared/access/operate-log-api.ts'
import { actionWord, operatorWord } from '../action-word.ts'
import { roleWord } from '../role-words.ts'
import { useMenuWord } from '../use-menu-word.ts'
import { ChainDrawer } from './ChainDrawer.tsx'
import { differencesOf, type LogEntry, targetOf } from './entry-diff.ts'
import { LogEntryDrawer } from './LogEntryDrawer.tsx'

type ClientError = DataOf<typeof listClientErrors>['rows'][number]

const title = (name: string) => `access:operateLog.col.${name}`
const COLUMNS: readonly GridColumn<LogEntry>[] = [
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
    width: 170,
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
    width: 160,
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
const NARROW = COLUMNS.map((column) =>
  ['ip', 'requestId'].includes(column.id) ? { ...column, hidden: true } : column,
)
const ERROR_COLUMNS: readonly GridColumn<ClientError>[] = [
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
const FILTERS = {
  target: 'text',
  time: 'day',
  operatorId: 'one',
  menu: 'one',
  action: 'one',
  result: 'one',
  ip: 'text',
} as const
const ERROR_FILTERS = { message: 'text', version: 'text', time: 'day' } as const
const NEWEST = { sort: [{ field: 'time', dir: 'desc' }] } as const
const DEFAULT_DAYS = 7
const TABS = ['records', 'errors', 'books'] as const

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

export function Screen(): ReactNode {
  const t = useText('access')
  const [query, setQuery] = useSearchParams()
  const tab = TABS.find((name) => name === query.get('tab')) ?? 'records'
  const tabs = (
    <Segmented
      label={t('menu.operate_record')}
      value={tab}
      segments={TABS.map((value) => ({ value, label: t(`operateLog.tab.${value}`) }))}
      onChange={(next) => setQuery(() => new URLSearchParams({ tab: next }))}
    />
  )
  return (
    <div className="access-list">
      <h1 className="visually-hidden">{t('menu.operate_record')}</h1>
      <div className="operate-log-tabs">{tabs}</div>
      {tab === 'errors' ? <Errors /> : tab === 'books' ? <LedgerBooks /> : <OperateLog />}
    </div>
  )
}

function OperateLog(): ReactNode {
  const t = useText('access')
  const wide = useMedia('(min-width: 1600px)')
  const url = useGridUrlState(FILTERS, NEWEST)
  const input = useMemo<InputOf<typeof listOperateLog>>(
    () =>
      asked(
        { ...url.input, ...filterInput(FILTERS, url.filters) },
        url.filters.target === undefined,
      ),
    [url.input, url.filters],
  )
  const list = usePageQuery<typeof listOperateLog, LogEntry>(listOperateLog, input, [])
  const selectors = useQuery({
    ...queryOf(operateLogSelectors, {}, { quiet: true }),
    staleTime: 60_000,
  })
  const word = useMenuWord(
    selectors.data?.menus.map((menu) => ({ title: menu.title, children: [] })),
  )
  const [looking, setLooking] = useState<LogEntry | null>(null)
  const [verifying, setVerifying] = useState(false)
  return (
    <>
      <FilterBar
        fields={[
          {
            name: 'target',
            kind: 'text',
            label: t('operateLog.col.target'),
            placeholder: t('operateLog.targetHelp'),
            place: 'quick',
          },
          {
            name: 'time',
            kind: 'day',
            label:
              url.filters.time === undefined && url.filters.target === undefined
                ? t('operateLog.lastDays', { n: DEFAULT_DAYS })
                : t('operateLog.period'),
            place: 'bar',
          },
          {
            name: 'operatorId',
            kind: 'one',
            label: t('operateLog.col.operator'),
            place: 'bar',
            options: (selectors.data?.operators ?? []).map(({ userId, userName, account }) => ({
              value: userId,
              label: `${userName} (${account})`,
            })),
          },
          {
            name: 'action',
            kind: 'one',
            label: t('operateLog.col.action'),
            place: 'bar',
            options: (selectors.data?.actions ?? []).map((action) => ({
              value: action,
              label: actionWord(t, action),
            })),
          },
          {
            name: 'menu',
            kind: 'one',
            label: t('operateLog.col.menu'),
            options: (selectors.data?.menus ?? []).map(({ name, title: key }) => ({
              value: name,
              label: word(key, name),
            })),
          },
          {
            name: 'result',
            kind: 'one',
            label: t('operateLog.col.result'),
            options: LOG_RESULTS.map((value) => ({ value, label: t(`operateLog.${value}`) })),
          },
          { name: 'ip', kind: 'text', label: t('operateLog.col.ip') },
        ]}
        filters={url.filters}
        onChange={url.setFilters}
        onReset={url.resetFilters}
      >
        <ActionButton
          icon="endorsed"
          text={t('operateLog.verify')}
          onClick={() => setVerifying(true)}
        />
      </FilterBar>
      <DataGrid<LogEntry>
        id="operate_record"
        label={t('menu.operate_record')}
        columns={wide ? COLUMNS : NARROW}
        query={list.query}
        getRowId={(row) => row.logId}
        view={url.view}
        onView={url.setView}
        onOpen={(row) => setLooking(row)}
        openId={looking?.logId ?? null}
        rowActions={(row) => [
          {
            id: 'open',
            text: t('operateLog.open'),
            icon: 'comparison',
            onClick: () => setLooking(row),
          },
        ]}
        filters={url}
        emptyReason={{ text: t('operateLog.none') }}
      />
      {looking !== null && (
        <LogEntryDrawer entry={looking} word={word} onClose={() => setLooking(null)} />
      )}
      {verifying && <ChainDrawer onClose={() => setVerifying(false)} />}
    </>
  )
}

function Errors(): ReactNode {
  const t = useText('access')
  const url = useGridUrlState(ERROR_FILTERS, NEWEST)
  const input = useMemo<InputOf<typeof listClientErrors>>(
    () => asked({ ...url.input, ...filterInput(ERROR_FILTERS, url.filters) }, false),
    [url.input, url.filters],
  )
  const list = usePageQuery<typeof listClientErrors, ClientError>(listClientErrors, input, [])
  return (
    <>
      <FilterBar
        fields={[
          { name: 'message', kind: 'text', label: t('operateLog.col.message'), place: 'quick' },
          { name: 'time', kind: 'day', label: t('operateLog.period'), place: 'bar' },
          { name: 'version', kind: 'text', label: t('operateLog.col.version') },
        ]}
        filters={url.filters}
        onChange={url.setFilters}
        onReset={url.resetFilters}
      />
      <DataGrid<ClientError>
        id="operate_record_errors"
        label={t('operateLog.tab.errors')}
        columns={ERROR_COLUMNS}
        query={list.query}
        getRowId={(row) => row.errorId}
        view={url.view}
        onView={url.setView}
        filters={url}
        emptyReason={{ text: t('operateLog.noErrors') }}
      />
    </>
  )
}

/** Days of the address as instants in IST; without days, the most recent ones. */
function asked<Input extends object>(
  { timeFrom, timeTo, ...input }: Input & { timeFrom?: unknown; timeTo?: unknown },
  needsRange: boolean,
): Omit<Input, 'timeFrom' | 'timeTo'> & { timeFrom?: string; timeTo?: string } {
  const today = istDay(serverNow())
  const to = typeof timeTo === 'string' ? timeTo : needsRange ? today : undefined
  const from =
    typeof timeFrom === 'string'
      ? timeFrom
      : needsRange
        ? addDays(to ?? today, 1 - DEFAULT_DAYS)
        : undefined
  return {
    ...input,
    ...(from === undefined ? {} : { timeFrom: istStart(from) }),
    ...(to === undefined ? {} : { timeTo: istEnd(to) }),
  }
}
