/** What the totals and the rows behind them are narrowed by. */
import { filtersOf, named, people, wordsOf } from '#client/screen/list/list-filters.ts'
import { taskOptions } from '#shared/telemarketing/tele-api.ts'
import { SEGMENTS } from '#shared/telemarketing/tele-sets.ts'

export const NARROW = {
  segment: {
    kind: 'one',
    label: 'node.col.segment',
    place: 'bar',
    options: wordsOf('menu', SEGMENTS),
  },
  nodeId: {
    kind: 'one',
    label: 'col.nodeName',
    options: ({ read }) => named(read(taskOptions)?.nodes),
  },
  assigneeId: {
    kind: 'one',
    label: 'total.measure.person',
    options: ({ read }) => people(read(taskOptions)?.people),
    when: ({ user }) => user.scope.kind !== 'own',
  },
} as const satisfies Parameters<typeof filtersOf>[0]

export const TOTAL_FILTERS = filtersOf(NARROW)
/** Filters that a link hands on. */
export const NARROWS = TOTAL_FILTERS.kinds
