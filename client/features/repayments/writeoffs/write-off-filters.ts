/** Filters of the list of write-offs. */
import { filtersOf } from '#client/screen/list/list-filters.ts'
import type { Filters } from '#client/ui/grid/grid-url.ts'
import { WRITE_OFF_STATES, WRITE_OFF_TYPES } from '#shared/repayments/write-off-sets.ts'
import { BORROWER, codes, ORDER_ID } from '../list/repayment-filters.ts'

export const WRITE_OFF_FILTERS = filtersOf({
  orderId: ORDER_ID,
  userName: BORROWER,
  type: {
    kind: 'one',
    label: 'col.writeOffType',
    place: 'bar',
    options: codes('writeOffType', WRITE_OFF_TYPES),
  },
  createTime: { kind: 'day', label: 'col.createTime', place: 'bar' },
  state: { kind: 'one', label: 'col.state', options: codes('writeOffState', WRITE_OFF_STATES) },
  repaymentDate: { kind: 'day', label: 'col.repaymentDate' },
  operatorName: { kind: 'text', label: 'col.operatorName' },
  writeOffId: { kind: 'text', label: 'col.writeOffId' },
})
export type WriteOffFilters = Filters<typeof WRITE_OFF_FILTERS.kinds>
