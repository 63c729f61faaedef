/** Extensions: the open amount moves to a new order with a later due day, for a fee and the fine. */
import { EXTENSION } from '../actions.ts'
import {
  type Borrower,
  currentOf,
  isOpen,
  newOrder,
  newPlan,
  type Order,
  owes,
  type Payment,
  type Plan,
  portion,
} from '../loan/loan.ts'
import type { Portfolio } from '../loan/portfolio.ts'

/** Fee and fine of money of that day; null where there is no extension. */
export function priceExtension(order: Order, day: number): { due: number; fine: number } | null {
  const status = order.status === 43 ? order.resume : order.status
  const [plan, ...others] = order.plans.filter((one) => owes(one) > 0)
  if (
    status === 90 ||
    order.extensions >= EXTENSION.maxTimes ||
    (order.reduction !== null && isOpen(order.reduction)) ||
    currentOf(order) !== null
  )
    return null
  if (plan === undefined || others.length > 0 || plan.principal < 1) return null
  // Fines of the days since are left out, unless something was paid meanwhile.
  const newest = Math.max(
    day,
    ...order.payments
      .filter((one) => one.state === 'success' && !one.isReversed && !one.isCredit)
      .map((one) => one.day),
  )
  const since = plan.fines
    .filter(([fined]) => fined > newest)
    .reduce((sum, [, paise]) => sum + paise, 0)
  const fine = plan.fine - since
  const due = portion(plan.principal, EXTENSION.fee, 10_000) + fine
  return due < 1 ? null : { due, fine }
}

/** Only the open amount moves. @returns `ok` or the refusal */
export function extend(
  { today }: Portfolio,
  borrower: Borrower,
  order: Order,
  payment: Payment,
): string {
  const price = priceExtension(order, payment.day)
  if (price === null) return 'O-RULE'
  if (payment.amount !== price.due) return 'M-AMT'
  const plan = order.plans.find((one) => owes(one) > 0) as Plan
  const due = Math.max(today, plan.due) + EXTENSION.days
  const { principal, interest } = plan
  borrower.order = {
    ...newOrder({ status: 30, amount: principal, penalty: borrower.penalty }),
    disbursedOn: today,
    extensions: order.extensions + 1,
    plans: [newPlan(due, { principal, interest })],
  }
  return 'ok'
}
