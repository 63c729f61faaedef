/** Applications, and what the machine and a reviewer decide about them. */
import type { Action } from '../actions.ts'
import { type Borrower, CLOSED, newOrder, type Order } from '../loan/loan.ts'
import type { Portfolio } from '../loan/portfolio.ts'

const COOL_DOWN_DAYS = 30

export function submit({ today }: Portfolio, borrower: Borrower, amount: number): string {
  if (
    borrower.isBlacklisted ||
    today < borrower.barredUntil ||
    (borrower.order !== null && !CLOSED.includes(borrower.order.status))
  )
    return 'O-RULE'
  borrower.order = newOrder({ status: 10, amount, penalty: borrower.penalty })
  return 'ok'
}

export function judge(
  { today }: Portfolio,
  borrower: Borrower,
  order: Order,
  { result }: Extract<Action, { kind: 'judge' }>,
): string {
  order.status = { passed: 20, undecided: 22, failed: 21, limitFailed: 23 }[result]
  if (result === 'failed') borrower.barredUntil = today + COOL_DOWN_DAYS
  return 'ok'
}

export function review(order: Order, { result }: Extract<Action, { kind: 'review' }>): string {
  order.status = result === 'passed' ? 26 : 27
  return 'ok'
}

export function cancel(order: Order): string {
  if (![10, 20, 22, 26].includes(order.status)) return 'O-STATE'
  order.status = 70
  return 'ok'
}
