/** The rows that a figure of the totals counts. */
import { useIdLinks } from './use-id-links.ts'
import { filtersOf, named, reads, wordsOf } from '#client/screen/list/list-filters.ts'
import { listInput } from '#client/screen/list/list-input.ts'
import { listScreen } from '#client/screen/list/list-screen.tsx'
import type { RowOf } from '#client/screen/list/list-types.ts'
import { reportRange } from '#client/screen/report/report-range.ts'
import type { GridColumn } from '#client/ui/grid/column-types.ts'
import {
  moneyColumn,
  staffColumn,
  textColumn,
  timeColumn,
  wordColumn,
} from '#client/ui/grid/grid-columns.ts'
import { ViewChips } from '#client/ui/grid/ViewChips.tsx'
import { uiNow } from '#client/ui/value/clock.ts'
import { istDay } from '#shared/kernel/time.ts'
import { taskOptions } from '#shared/telemarketing/tele-api.ts'
import {
  TELE_FOLLOWED,
  TELE_NODE_RUN,
  TELE_TASK_ASSIGNED,
} from '#shared/telemarketing/tele-live.ts'
import {
  TOTAL_MEASURES,
  type TotalMeasure,
  totalRows,
  WITHOUT,
} from '#shared/telemarketing/total-api.ts'
import { NARROW } from './total-filters.ts'

type Row = RowOf<typeof totalRows>
const col = (name: string) => `telemarketing:col.${name}`
const total = (name: string) => `telemarketing:total.col.${name}`

const TIME = timeColumn<Row>({
  id: 'time',
  title: total('time'),
  width: 165,
  sort: 'time',
  pin: 'left',
})
const FIRST: readonly GridColumn<Row>[] = [
  TIME,
  staffColumn<Row>({
    id: 'personName',
    title: total('personName'),
    width: 160,
    sort: 'personName',
  }),
  textColumn<Row>({ id: 'userId', title: col('userId'), width: 120 }),
  wordColumn<Row>({
    id: 'segment',
    title: 'telemarketing:node.col.segment',
    width: 190,
    word: (segment, { t }) => t(`telemarketing:menu.${segment}`),
  }),
]
const LAST: readonly GridColumn<Row>[] = [
  textColumn<Row>({ id: 'nodeName', title: col('nodeName'), width: 220 }),
  textColumn<Row>({ id: 'groupName', title: total('groupName'), width: 120 }),
  textColumn<Row>({ id: 'taskId', title: col('taskId'), width: 120 }),
]
const RESULT = wordColumn<Row>({
  id: 'result',
  title: 'telemarketing:form.result',
  width: 220,
  word: (result, { t }) => t(`telemarketing:result.${result}`),
})
const LOAN: readonly GridColumn<Row>[] = [
  textColumn<Row>({ id: 'orderId', title: total('orderId'), width: 130 }),
  moneyColumn<Row>({ id: 'amount', title: col('lastAmount'), width: 120, sort: 'amount' }),
]
const GRANT = textColumn<Row>({ id: 'grantId', title: total('grantId'), width: 130 })

const GIVEN = [...FIRST, ...LAST]
const TALKS = [...FIRST, RESULT, ...LAST]
const CONVERSIONS = [...FIRST, ...LOAN, ...LAST]
const COUPONS = [...FIRST, GRANT, ...LAST]
/** What the rows of a figure have. Constants: the grid compares columns by identity. */
const COLUMNS: Record<TotalMeasure, readonly GridColumn<Row>[]> = {
  assigned: GIVEN,
  followed: TALKS,
  connected: TALKS,
  agreed: TALKS,
  converted: CONVERSIONS,
  certified: CONVERSIONS,
  applied: CONVERSIONS,
  disbursed: CONVERSIONS,
  couponUsed: COUPONS,
}

function measureOf({ measure }: { measure?: unknown }): TotalMeasure {
  return TOTAL_MEASURES.find((known) => known === measure) ?? 'followed'
}

/** The days of the report, which the tabs share. */
const DATE = { kind: 'day', label: 'chart:report.range', place: 'bar' } as const

const FILTERS = filtersOf({
  measure: {
    kind: 'one',
    label: 'total.col.measure',
    options: wordsOf('total.measure', TOTAL_MEASURES),
  },
  date: DATE,
  ...NARROW,
  groupId: {
    kind: 'one',
    label: 'total.measure.group',
    options: ({ read }) => named(read(taskOptions)?.groups),
    when: ({ seesAll }) => seesAll,
  },
  without: {
    kind: 'one',
    label: 'total.col.without',
    options: wordsOf('total.measure', WITHOUT),
  },
})

export const CountedList = listScreen({
  endpoint: totalRows,
  rowId: 'rowId',
  id: 'marketing_total_rows',
  label: 'total.tab.rows',
  texts: ['telemarketing', 'chart'],
  columns: ({ filters }) => COLUMNS[measureOf(filters(FILTERS.kinds))],
  useColumns: useIdLinks,
  filters: FILTERS,
  input({ measure, dateFrom, dateTo, ...query }) {
    const days = reportRange({ from: day(dateFrom), to: day(dateTo) }, istDay(uiNow()))
    return listInput(totalRows, {
      ...query,
      measure: measureOf({ measure }),
      dateFrom: days.dateFrom,
      dateTo: days.dateTo,
    })
  },
  sort: 'time:desc',
  reads: [reads(taskOptions, {})],
  refreshOn: [TELE_FOLLOWED.type, TELE_TASK_ASSIGNED.type, TELE_NODE_RUN.type],
  empty: 'total.noRows',
  toolbar: ({ t, filters, setFilters }) => (
    <ViewChips
      views={TOTAL_MEASURES}
      chosen={measureOf(filters(FILTERS.kinds))}
      textOf={(measure) => t(`total.measure.${measure}`)}
      onChoose={(measure) => setFilters({ measure })}
    />
  ),
})

function day(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
