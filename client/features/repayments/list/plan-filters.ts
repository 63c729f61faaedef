/** Filters of the list of instalments. */
import { filtersOf, named } from '#client/screen/list/list-filters.ts'
import { listInput } from '#client/screen/list/list-input.ts'
import type { ListContext } from '#client/screen/list/list-types.ts'
import { wholePhone } from '#client/screen/list/phone-filter.ts'
import type { Filters } from '#client/ui/grid/grid-url.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { PLAN_STATUSES, SETTLED_SIDES } from '#shared/repayments/payment-sets.ts'
import { listPlans, planOptions } from '#shared/repayments/repayments-api.ts'
import { BORROWER, codes, ORDER_ID } from './repayment-filters.ts'

export const PLAN_FILTERS = filtersOf({
  orderId: ORDER_ID,
  userName: BORROWER,
  phone: { kind: 'private', label: 'col.phone', place: 'bar', placeholder: 'filter.phone' },
  paymentStatus: {
    kind: 'many',
    label: 'col.paymentStatus',
    place: 'bar',
    options: codes('planStatus', PLAN_STATUSES),
  },
  dueTime: { kind: 'day', label: 'col.dueTime', place: 'bar' },
  planId: { kind: 'text', label: 'col.planId' },
  userId: { kind: 'text', label: 'col.userId' },
  overdue: { kind: 'int', label: 'col.overdueDays' },
  productId: {
    kind: 'one',
    label: 'filter.product',
    options: ({ read }) => named(read(planOptions)?.products),
  },
  appId: {
    kind: 'one',
    label: 'filter.app',
    options: ({ read }) => named(read(planOptions)?.apps),
  },
  settled: {
    kind: 'one',
    label: 'filter.settled',
    options: codes('settledSide', SETTLED_SIDES),
  },
  scheduled: {
    kind: 'one',
    label: 'filter.scheduled',
    options: ({ t }) => [{ value: 'true', label: t('ui:yes') }],
  },
})
export type PlanFilters = Filters<typeof PLAN_FILTERS.kinds>

/** @returns why nothing can match: the call takes whole phone numbers only */
export function planInput(
  query: Record<string, unknown>,
  { t }: Pick<ListContext, 't'>,
): InputOf<typeof listPlans> | string {
  const phone = wholePhone(query.phone)
  if (phone === null) return t('fault.filter.phone')
  return listInput(listPlans, { ...query, phone })
}
