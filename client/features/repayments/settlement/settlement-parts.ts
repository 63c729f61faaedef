/** The state of each part of a settlement plan. Pure. */
import type { DataOf } from '#shared/kernel/endpoint.ts'
import type { orderDetail } from '#shared/orders/order-detail-api.ts'
import { paidOfRows } from '#shared/repayments/settlement-plan.ts'

export type Settlement = NonNullable<DataOf<typeof orderDetail>['settlement']>
export type PartState = 'paid' | 'next' | 'later' | 'overdue' | 'missed' | 'open'

/** @param today IST day @returns one state per row */
export function partStates(
  { rows, paid, state }: Pick<Settlement, 'rows' | 'paid' | 'state'>,
  today: string,
): PartState[] {
  const reached = paidOfRows(rows, paid)
  const first = rows.findIndex(({ amount }, i) => (reached[i] ?? 0) < amount)
  return rows.map(({ dueTime }, i): PartState => {
    if (first < 0 || i < first) return 'paid'
    if (state === 'broken' && i === first) return 'missed'
    if (state !== 'current') return 'open'
    if (dueTime < today) return 'overdue'
    return i === first ? 'next' : 'later'
  })
}
