/** Work and conversions of telemarketing by day, person, segment, node or group. */
import { filtersOf, wordsOf } from '#client/screen/list/list-filters.ts'
import { reportScreen } from '#client/screen/report/report-screen.tsx'
import type { RowsOf } from '#client/screen/report/report-types.ts'
import type { ListContext } from '#client/screen/list/list-types.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { REPORT_REFRESHED } from '#shared/reports/reports-live.ts'
import { TELE_FOLLOWED, TELE_NODE_RUN } from '#shared/telemarketing/tele-live.ts'
import { SEGMENTS } from '#shared/telemarketing/tele-sets.ts'
import { teleTotal } from '#shared/telemarketing/total-api.ts'

type Row = DataOf<typeof teleTotal>['rows'][number]
const CENTER = '/customer_management/marketing_center'

/** What belongs to no node or group stands in a row of its own. */
const nameOf = ({ name }: Row, { t }: ListContext): string => name ?? t('total.none')

const count = (field: 'assigned' | 'followed' | 'connected' | 'agreed') => ({
  field,
  format: 'count' as const,
})

/** Filters that a link hands on. */
const NARROWS = { segment: 'one', nodeId: 'text', assigneeId: 'text' } as const

/** The ended customers of one segment that a row counts; of two segments there is no one list. */
const endedOf =
  (...segments: string[]): RowsOf<Row> =>
  ({ day, key }, { filters, hasMenu, seesAll }, { name: by }, { dateFrom, dateTo }) => {
    const given = filters(NARROWS)
    const fits = segments.filter(
      (segment) =>
        (given.segment ?? segment) === segment &&
        (by !== 'segment' || (key ?? segment) === segment),
    )
    const [segment] = fits
    if (segment === undefined || fits.length > 1 || !hasMenu(segment) || !seesAll) return null
    // the sum has no group at all; conversions of nobody, of no node and of no group have no filter
    if (by !== 'day' && key === null) return null
    const params = new URLSearchParams({
      lane: 'closed',
      converted: 'true',
      endedFrom: day ?? dateFrom,
      endedTo: day ?? dateTo,
    })
    const named = {
      creditedTo: (by === 'person' ? key : null) ?? given.assigneeId,
      nodeId: (by === 'node' ? key : null) ?? given.nodeId,
      creditedGroup: by === 'group' ? key : undefined,
    }
    for (const [name, value] of Object.entries(named)) if (value) params.set(name, value)
    return `${CENTER}/${segment}?${params}`
  }

const FILTERS = filtersOf({
  segment: {
    kind: 'one',
    label: 'node.col.segment',
    place: 'bar',
    options: wordsOf('menu', SEGMENTS),
  },
  nodeId: { kind: 'text', label: 'node.col.nodeId' },
  assigneeId: {
    kind: 'text',
    label: 'total.assigneeId',
    when: ({ user }) => user.scope.kind !== 'own',
  },
})

export const Screen = reportScreen<typeof teleTotal>({
  endpoint: teleTotal,
  texts: ['telemarketing'],
  words: 'total.measure',
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
    { field: 'certified', format: 'count', href: endedOf('no_certified') },
    { field: 'applied', format: 'count', href: endedOf('unrequished', 'no_relented') },
    { field: 'disbursed', format: 'count', href: endedOf('loan_failed') },
    { field: 'disbursedAmount', format: 'money' },
    { field: 'couponUsed', format: 'count' },
    { field: 'conversionRate', format: 'percent' },
  ],
  filters: FILTERS,
  refreshOn: [TELE_FOLLOWED.type, TELE_NODE_RUN.type, REPORT_REFRESHED.type],
})
