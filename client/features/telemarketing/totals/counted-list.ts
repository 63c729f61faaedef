/** The rows that a figure of the totals counts. */
import { useIdLinks } from './use-id-links.ts'
import { filtersOf, named, reads, wordsOf } from '#client/screen/list/list-filters.ts'
import { listInput } from '#client/screen/list/list-input.ts'
import { listScreen } from '#client/screen/list/list-screen.tsx'
import type { RowOf } from '#client/screen/list/list-types.ts'
import { reportRange } from '#client/screen/report/report-range.ts'
import type { GridColumn } from '#client/ui/grid/column-types.ts'
import {
  idColumn,
  moneyColumn,
  staffColumn,
  textColumn,
  timeColumn,
  wordColumn,
} from '#client/ui/grid/grid-columns.ts'
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

const COLUMNS: readonly GridColumn<Row>[] = [
  timeColumn<Row>({ id: 'time', title: total('time'), width: 165, sort: 'time', pin: 'left' }),
  staffColumn<Row>({
    id: 'personName',
    title: total('personName'),
    width: 160,
    sort: 'personName',
  }),
  idColumn<Row>({ id: 'userId', title: col('userId'), width: 120 }),
  wordColumn<Row>({
    id: 'segment',
    title: 'telemarketing:node.col.segment',
    width: 190,
    word: (segment, { t }) => t(`telemarketing:menu.${segment}`),
  }),
  wordColumn<Row>({
    id: 'result',
    title: 'telemarketing:form.result',
    width: 200,
    word: (result, { t }) => t(`telemarketing:result.${result}`),
  }),
  idColumn<Row>({ id: 'orderId', title: total('orderId'), width: 130 }),
  moneyColumn<Row>({ id: 'amount', title: col('lastAmount'), width: 120, sort: 'amount' }),
  textColumn<Row>({ id: 'grantId', title: total('grantId'), width: 130 }),
  textColumn<Row>({ id: 'nodeName', title: col('nodeName'), width: 200 }),
  textColumn<Row>({ id: 'groupName', title: total('groupName'), width: 120 }),
  textColumn<Row>({ id: 'taskId', title: col('taskId'), width: 120 }),
]

const isMeasure = (value: unknown): value is TotalMeasure =>
  TOTAL_MEASURES.some((known) => known === value)

/** The days of the report, which the tabs share. */
const DATE = { kind: 'day', label: 'chart:report.range', place: 'bar' } as const

export const CountedList = listScreen({
  endpoint: totalRows,
  rowId: 'rowId',
  id: 'marketing_total_rows',
  label: 'total.tab.rows',
  texts: ['telemarketing', 'chart'],
  columns: COLUMNS,
  useColumns: useIdLinks,
  filters: filtersOf({
    measure: {
      kind: 'one',
      label: 'total.col.measure',
      place: 'bar',
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
  }),
  input({ measure, dateFrom, dateTo, ...asked }) {
    const days = reportRange({ from: day(dateFrom), to: day(dateTo) }, istDay(uiNow()))
    return listInput(totalRows, {
      ...asked,
      measure: isMeasure(measure) ? measure : 'followed',
      dateFrom: days.dateFrom,
      dateTo: days.dateTo,
    })
  },
  sort: 'time:desc',
  reads: [reads(taskOptions, {})],
  refreshOn: [TELE_FOLLOWED.type, TELE_TASK_ASSIGNED.type, TELE_NODE_RUN.type],
  empty: 'total.noRows',
})

function day(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
