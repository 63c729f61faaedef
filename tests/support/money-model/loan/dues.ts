/** What is due of a loan with money of a day. */
import {
  discountOf,
  EVENING,
  type Grant,
  isBefore,
  type Order,
  owes,
  type Plan,
  type Reduction,
  total,
} from './loan.ts'
import { nowOf, type Portfolio } from './portfolio.ts'
import { asideOf, replay, usableBy } from './replay.ts'

/** Paise that settle the loan with money of that day; null = now. */
export function dueOn(portfolio: Portfolio, order: Order, day: number | null = null): number {
  const open = openOn(order, day)
  const reduction = usableOn(portfolio, order, day)
  const aside = reduction === undefined ? [] : asideOf(reduction, open)
  return total(open) - aside.reduce((sum, one) => sum + one.fine + one.interest, 0)
}

/** Paise that settle the loan with money of that day and that coupon; null = now. */
export function dueWith(order: Order, grant: Grant, day: number | null = null): number {
  const open = openOn(order, day)
  return total(open) - discountOf(grant, open, Number.MAX_SAFE_INTEGER)
}

/** Open instalments as they stood late on a day, with what came before; null = now. */
export function openOn(order: Order, day: number | null): Plan[] {
  if (day === null) return order.plans.filter((plan) => owes(plan) > 0)
  const payments = order.payments.filter(({ at }) => !isBefore([day, EVENING], at))
  return replay({ ...order, payments }, day).plans.filter((plan) => owes(plan) > 0)
}

function usableOn(
  portfolio: Portfolio,
  { reduction, reductions }: Order,
  day: number | null,
): Reduction | undefined {
  if (day === null)
    return reduction?.state === 'approved' && portfolio.today <= reduction.validUntil
      ? reduction
      : undefined
  const agreed = reductions.filter((one) => one.approvedAt !== null && !one.isVoid)
  return usableBy({ at: [day, EVENING], day, receivedAt: nowOf(portfolio) }, agreed)
}
