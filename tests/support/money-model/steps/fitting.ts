/** Which borrower a step fits. */
import { BORROWERS } from '../actions.ts'
import { type Borrower, CLOSED, isOpen, type Payment, RUNNING } from '../loan/loan.ts'
import type { Portfolio } from '../loan/portfolio.ts'
import type { Kind } from './step.ts'

/**
 * The given borrower when the step fits them, else the next one it fits; occasionally the given one
 * regardless, to be refused.
 */
export function fitting(
  portfolio: Portfolio,
  kind: Kind,
  given: number,
  mayRefuse: boolean,
): number | null {
  for (let n = 0; n < BORROWERS; n += 1) {
    const borrower = (given + n) % BORROWERS
    if (fits(kind, portfolio.borrowers[borrower] as Borrower, portfolio.today)) return borrower
  }
  if (!mayRefuse) return null
  const blind = portfolio.borrowers[given]?.order ?? null
  if (kind === 'apply') return given
  // Money for an order that was never paid out goes to a manual list, which another test covers.
  if (
    blind === null ||
    kind === 'tell' ||
    kind === 'confirm' ||
    kind === 'decide' ||
    kind === 'revoke' ||
    kind === 'withdraw' ||
    kind === 'grant' ||
    kind === 'revokeCoupon' ||
    kind === 'decideRequest' ||
    kind === 'contradict' ||
    kind === 'contradictPayout' ||
    kind === 'keep' ||
    kind === 'resolve' ||
    kind === 'returnStray' ||
    kind === 'judge' ||
    kind === 'review' ||
    kind === 'payout' ||
    kind === 'pay'
  )
    return null
  return given
}

function fits(
  kind: Kind,
  { order, isBlacklisted, barredUntil, grants }: Borrower,
  today: number,
): boolean {
  if (kind === 'apply')
    return (
      !isBlacklisted && today >= barredUntil && (order === null || CLOSED.includes(order.status))
    )
  if (order === null) return false
  const { status, payments, reduction } = order
  const isLoan = order.plans.length > 0
  switch (kind) {
    case 'judge':
      return status === 10
    case 'review':
      return status === 22
    case 'payout':
      return status === 29
    case 'redisburse':
    case 'cancelDisbursement':
      return status === 31
    case 'cancel':
      return [10, 20, 22, 26].includes(status)
    case 'pay':
      return RUNNING.includes(status) || [40, 41, 110].includes(status)
    case 'tell':
      return payments.some((one) => one.state === 'inProgress' && one.type === 'channel')
    case 'confirm':
      return payments.some((one) => one.state === 'inProgress' && one.type !== 'channel')
    case 'book':
      return RUNNING.includes(status) && status !== 43
    case 'launch':
      return (status === 50 || status === 90) && (reduction === null || !isOpen(reduction))
    case 'decide':
    case 'withdraw':
      return reduction?.state === 'pending'
    case 'revoke':
      return reduction?.state === 'approved'
    case 'grant':
      return RUNNING.includes(status) || isBlacklisted
    case 'revokeCoupon':
      return grants.length > 0
    case 'writeOff':
      return [30, 50, 90].includes(status)
    case 'batchWriteOff':
      return [50, 90].includes(status)
    case 'reverse':
      return isLoan && payments.length > 0 && status !== 43
    case 'cure':
      return status === 90
    case 'contradict':
      return (
        (RUNNING.includes(status) || [40, 41, 100, 110].includes(status)) &&
        payments.some(isContradictable)
      )
    case 'contradictPayout':
      return order.transfers.some(({ state }) => state !== 'inProgress')
    case 'keep':
      return payments.some(({ isContradicted }) => isContradicted)
    case 'resolve':
      return order.transfers.some(({ outcome }) => outcome === 'open')
    case 'returnStray':
      return order.transfers.some(({ stray }) => stray > 0)
    case 'decideRequest':
      return order.requests.some(({ state }) => state === 'pending')
    default:
      return false
  }
}

/** Its channel gave a result, and may give another one. */
export function isContradictable({ state, type }: Payment): boolean {
  return type === 'channel' && state !== 'inProgress'
}
