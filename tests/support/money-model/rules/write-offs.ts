/** Write-offs, by one person or as a batch, which leaves a claim that can be recovered. */
import type { Action, Who } from '../actions.ts'
import { bookPayments } from '../loan/books.ts'
import { type Borrower, isBusy, type Order, owes, type Plan, total } from '../loan/loan.ts'
import { nowOf, type Portfolio } from '../loan/portfolio.ts'
import { replay } from '../loan/replay.ts'
import { addRequest } from '../loan/requests.ts'
import { endSettlement } from './settlements.ts'

const CAP: Partial<Record<Who, number>> = { manager: 2_500_000, director: 20_000_000 }

export function writeOff(
  portfolio: Portfolio,
  borrower: Borrower,
  order: Order,
  { who, amount }: Extract<Action, { kind: 'writeOff' }>,
): string {
  if (who === 'customer_service') return 'G403'
  if (![30, 50, 90].includes(order.status)) return 'O-STATE'
  if (amount !== total(order.plans)) return 'M-AMT'
  if (amount > (CAP[who] ?? CAP.manager ?? 0)) return 'M-CAP'
  if (isBusy(order)) return 'M-OPEN'
  giveUp(portfolio, order, 100)
  borrower.isBlacklisted = true
  return 'ok'
}

export function requestBatchWriteOff(order: Order): string {
  return isBatchable(order) ? addRequest(order, 'batchWriteOff', null) : 'G-SEL'
}

/** A job processes the rows: a row that changed meanwhile is skipped. */
export function batchWriteOff(portfolio: Portfolio, order: Order): void {
  if (isBatchable(order)) giveUp(portfolio, order, 110)
}

function isBatchable(order: Order): boolean {
  return [50, 90].includes(order.status) && !isBusy(order)
}

function giveUp(portfolio: Portfolio, order: Order, status: 100 | 110): void {
  for (const plan of order.plans) {
    if (owes(plan) === 0) continue
    if (status === 110) order.claim += owes(plan)
    Object.assign(plan, { waived: plan.waived + owes(plan), principal: 0, interest: 0, fine: 0 })
  }
  order.status = status
  order.endedOn = portfolio.today
  endSettlement(order, 'ended', nowOf(portfolio))
}

/** A clerk strikes a payment out and writes off what was open without it on that day. */
export function giveUpAgain(order: Order): void {
  const replayed = replay(order, order.endedOn)
  for (const [i, plan] of replayed.plans.entries()) {
    const stored = order.plans[i] as Plan
    if (order.status === 110) order.claim += owes(plan) - stored.waived
    const given = { waived: owes(plan), principal: 0, interest: 0, fine: 0 }
    Object.assign(stored, plan, given)
  }
  bookPayments(replayed)
}
