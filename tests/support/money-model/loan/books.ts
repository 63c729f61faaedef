/** The replay of a loan, written into its books. */
import type { Order, Payment, Plan, Reduction } from './loan.ts'
import { replay, type Replayed } from './replay.ts'

/**
 * Replays the whole reported history of the loan into its books.
 * @returns whether the loan is a bad debt by it
 */
export function refresh(order: Order, today: number): boolean {
  const replayed = replay(order, today)
  for (const [i, plan] of replayed.plans.entries()) Object.assign(order.plans[i] as Plan, plan)
  bookPayments(replayed)
  return replayed.isBad
}

/** What remained of each payment, and what its coupon came to. */
export function bookPayments({ surplus, couponed }: Replayed): void {
  for (const [payment, paise] of surplus) payment.surplus = paise
  for (const [{ coupon: grant }, paise] of couponed) if (grant !== null) grant.amount = paise
}

/** The loan as it would be without the payment; a reduction that does not settle it then is void. */
export function without(
  order: Order,
  payment: Payment,
  today: number,
): Replayed & { isVoid: boolean } {
  const used = usedOf(order)
  const { isReversed } = payment
  payment.isReversed = true
  const kept = replay(order, today)
  const isVoid = used !== null && kept.used !== used
  const after = isVoid ? replay(order, today, used) : kept
  payment.isReversed = isReversed
  return { ...after, isVoid }
}

/** The reduction the loan was repaid with. */
export function usedOf({ reductions }: Order): Reduction | null {
  return reductions.find((one) => one.state === 'used' && !one.isVoid) ?? null
}
