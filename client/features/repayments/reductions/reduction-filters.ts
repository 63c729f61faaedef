/** Filters of the list of reductions. */
import { filtersOf, named } from '#client/screen/list/list-filters.ts'
import type { Filters } from '#client/ui/grid/grid-url.ts'
import { STAGES } from '#client/ui/value/StatusTag.tsx'
import { collectionTree } from '#shared/collection/tree-api.ts'
import { REDUCTION_STATES } from '#shared/repayments/reduction-sets.ts'
import { BORROWER, codes, ORDER_ID } from '../list/repayment-filters.ts'

export const REDUCTION_FILTERS = filtersOf({
  orderId: ORDER_ID,
  userName: BORROWER,
  state: {
    kind: 'one',
    label: 'col.state',
    place: 'bar',
    options: codes('reductionState', REDUCTION_STATES),
  },
  launchTime: { kind: 'day', label: 'col.launchTime', place: 'bar' },
  launchBy: { kind: 'text', label: 'col.launchBy' },
  reduceId: { kind: 'text', label: 'col.reduceId' },
  stageId: {
    kind: 'one',
    label: 'col.stageId',
    options: () => STAGES.map((value) => ({ value, label: value })),
  },
  agencyId: {
    kind: 'one',
    label: 'col.agencyName',
    when: ({ read }) => (read(collectionTree)?.agencies ?? []).length > 1,
    options: ({ read }) => named(read(collectionTree)?.agencies),
  },
  // a view above the rows sets it
  toDecide: { kind: 'flag', label: 'view.toDecide', when: () => false },
})
export type ReductionFilters = Filters<typeof REDUCTION_FILTERS.kinds>
