/** Work and conversions of telemarketing by day, person, segment, node or group. */
import { reads } from '#client/screen/list/list-filters.ts'
import type { ListContext } from '#client/screen/list/list-types.ts'
import { reportScreen } from '#client/screen/report/report-screen.tsx'
import type { RowsOf } from '#client/screen/report/report-types.ts'
import { uiNow } from '#client/ui/value/clock.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { addDays, istDay } from '#shared/kernel/time.ts'
import { REPORT_REFRESHED } from '#shared/reports/reports-live.ts'
import { CREDIT_DAYS } from '#shared/telemarketing/tele-sets.ts'
import { taskOptions } from '#shared/telemarketing/tele-api.ts'
import { TELE_FOLLOWED, TELE_NODE_RUN } from '#shared/telemarketing/tele-live.ts'
import { teleTotal, type TotalMeasure } from '#shared/telemarketing/total-api.ts'
import { NARROWS, TOTAL_FILTERS } from './total-filters.ts'

type Row = DataOf<typeof teleTotal>['rows'][number]

/** What belongs to no node or group is in a row of its own. */
const nameOf = ({ name }: Row, { t }: ListContext): string => name ?? t('total.none')

/** Name of a group in the address of the rows. */
const KEYS: Record<string, string> = {
  person: 'assigneeId',
  segment: 'segment',
  node: 'nodeId',
  group: 'groupId',
}

/** The rows a figure counts, on the tab beside this one. */
const rowsOf =
  (measure: TotalMeasure): RowsOf<Row> =>
  ({ day, key }, { filters }, { name: by }, { dateFrom, dateTo }) => {
    const params = new URLSearchParams({
      tab: 'rows',
      measure,
      dateFrom: day ?? dateFrom,
      dateTo: day ?? dateTo,
    })
    for (const [name, value] of Object.entries(filters(NARROWS))) if (value) params.set(name, value)
    const group = KEYS[by]
    // the sum has no key at all; null is whatever belongs to no node or group
    if (group !== undefined && key === null) params.set('without', by)
    else if (group !== undefined && key) params.set(group, key)
    return `/customer_management/marketing_center/marketing_total?${params}`
  }

/** A conversion is on the day of its follow-up, and may come within seven days of it. */
const isYoung = ({ day }: Row): boolean =>
  day !== null && addDays(day, CREDIT_DAYS) >= istDay(uiNow())

const count = (
  field:
    | 'assigned'
    | 'followed'
    | 'connected'
    | 'agreed'
    | 'certified'
    | 'applied'
    | 'disbursed'
    | 'couponUsed',
) => ({ field, format: 'count' as const, href: rowsOf(field) })

const conversions = (field: 'certified' | 'applied' | 'disbursed') => ({
  ...count(field),
  isHollow: isYoung,
})

export const TotalsReport = reportScreen<typeof teleTotal>({
  endpoint: teleTotal,
  texts: ['telemarketing'],
  words: 'total.measure',
  help: 'total.help',
  charts: [
    { name: 'work', kind: 'line', measures: ['assigned', 'followed', 'connected'] },
    { name: 'result', kind: 'bar', measures: ['certified', 'applied', 'disbursed'] },
    { name: 'quality', kind: 'line', measures: ['connectRate', 'conversionRate'] },
  ],
  chartWords: 'total.chart',
  dimensions: [
    { name: 'day', field: 'day', isDay: true },
    { name: 'person', field: 'key', word: 'person', text: nameOf },
    {
      name: 'segment',
      field: 'key',
      word: 'segment',
      text: ({ key }, { t }) => t(`menu.${key}`),
    },
    { name: 'node', field: 'key', word: 'node', text: nameOf },
    { name: 'group', field: 'key', word: 'group', text: nameOf },
  ],
  measures: [
    count('assigned'),
    count('followed'),
    count('connected'),
    { field: 'connectRate', format: 'percent' },
    count('agreed'),
    conversions('certified'),
    conversions('applied'),
    conversions('disbursed'),
    {
      field: 'disbursedAmount',
      format: 'money',
      href: rowsOf('disbursed'),
      isHollow: isYoung,
    },
    count('couponUsed'),
    {
      field: 'conversionRate',
      format: 'percent',
      href: rowsOf('converted'),
      isHollow: isYoung,
    },
  ],
  filters: TOTAL_FILTERS,
  reads: [reads(taskOptions, {})],
  refreshOn: [TELE_FOLLOWED.type, TELE_NODE_RUN.type, REPORT_REFRESHED.type],
})
