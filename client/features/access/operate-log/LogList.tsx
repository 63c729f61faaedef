/** The operate log: who did what, to what, when. */
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { hasText } from '#client/base/i18n.ts'
import { panelAction } from '#client/screen/list/list-actions.ts'
import { filtersOf, people, reads, wordsOf } from '#client/screen/list/list-filters.ts'
import { listInput } from '#client/screen/list/list-input.ts'
import { listBody, type ListBodyProps } from '#client/screen/list/ListBody.tsx'
import { queryOf } from '#client/session/query.ts'
import { serverNow } from '#client/session/server-clock.ts'
import { listOperateLog, LOG_RESULTS, operateLogSelectors } from '#shared/access/operate-log-api.ts'
import { addDays, istDay } from '#shared/kernel/time.ts'
import { actionWord } from '../action-word.ts'
import { useMenuWord } from '../use-menu-word.ts'
import { ChainDrawer } from './ChainDrawer.tsx'
import type { LogEntry } from './entry-diff.ts'
import { LOG_COLUMNS, NARROW_LOG_COLUMNS } from './log-columns.ts'
import { LogEntryDrawer } from './LogEntryDrawer.tsx'

const DEFAULT_DAYS = 7
const PERIOD = { target: 'text', time: 'day' } as const

const look = panelAction<LogEntry>({
  id: 'open',
  text: 'operateLog.open',
  icon: 'comparison',
  isBeside: true,
  panel: (entry, { t, close }) => (
    <LogEntryDrawer
      entry={entry}
      word={(title, name) => (hasText(title) ? t(title) : name)}
      onClose={close}
    />
  ),
})

const verify = panelAction<null>({
  id: 'verify',
  text: 'operateLog.verify',
  icon: 'endorsed',
  panel: (_, { close }) => <ChainDrawer onClose={close} />,
})

const Rows = listBody<typeof listOperateLog, LogEntry>({
  endpoint: listOperateLog,
  rowId: 'logId',
  texts: ['access', 'notifications'],
  columns: ({ isWide }) => (isWide ? LOG_COLUMNS : NARROW_LOG_COLUMNS),
  filters: filtersOf({
    target: {
      kind: 'text',
      label: 'operateLog.col.target',
      placeholder: 'operateLog.targetHelp',
      place: 'quick',
    },
    time: {
      kind: 'day',
      label: ({ t, filters }) => {
        const { target, time } = filters(PERIOD)
        return time === undefined && target === undefined
          ? t('operateLog.lastDays', { n: DEFAULT_DAYS })
          : t('operateLog.period')
      },
      place: 'bar',
    },
    operatorId: {
      kind: 'one',
      label: 'operateLog.col.operator',
      place: 'bar',
      options: ({ read }) => people(read(operateLogSelectors)?.operators),
    },
    action: {
      kind: 'one',
      label: 'operateLog.col.action',
      place: 'bar',
      options: ({ t, read }) =>
        (read(operateLogSelectors)?.actions ?? []).map((action) => ({
          value: action,
          label: actionWord(t, action),
        })),
    },
    menu: {
      kind: 'one',
      label: 'operateLog.col.menu',
      options: ({ t, read }) =>
        (read(operateLogSelectors)?.menus ?? []).map(({ name, title }) => ({
          value: name,
          label: hasText(title) ? t(title) : name,
        })),
    },
    result: {
      kind: 'one',
      label: 'operateLog.col.result',
      options: wordsOf('operateLog', LOG_RESULTS),
    },
    ip: { kind: 'text', label: 'operateLog.col.ip' },
  }),
  sort: 'time:desc',
  input: (query) => listInput(listOperateLog, recent(query)),
  reads: [reads(operateLogSelectors, {})],
  buttons: [verify],
  actions: [look],
  open: 'open',
  empty: 'operateLog.none',
})

/** Titles of menus are texts of many features: they are loaded before the list names them. */
export function LogList(props: ListBodyProps): ReactNode {
  const selectors = useQuery(queryOf(operateLogSelectors, {}, { quiet: true }))
  useMenuWord(selectors.data?.menus.map(({ title }) => ({ title, children: [] })))
  return <Rows {...props} />
}

/** All records of a target; of everything, those of a range of days. */
function recent(query: Record<string, unknown>): Record<string, unknown> {
  if (query.target !== undefined) return query
  const timeTo = typeof query.timeTo === 'string' ? query.timeTo : istDay(serverNow())
  const timeFrom =
    typeof query.timeFrom === 'string' ? query.timeFrom : addDays(timeTo, 1 - DEFAULT_DAYS)
  return { ...query, timeFrom, timeTo }
}
