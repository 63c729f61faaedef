/** Turns random steps into actions that fit the state of the borrowers. */
import { type Action, COUPONS } from '../actions.ts'
import { dueOn } from '../loan/dues.ts'
import { type Borrower, total } from '../loan/loan.ts'
import type { Portfolio } from '../loan/portfolio.ts'
import { openFees } from '../rules/reductions.ts'
import { fitting, isContradictable } from './fitting.ts'
import { bookingOf, paymentOf } from './payment-of.ts'
import { type Kind, partOf, type Step } from './step.ts'

/** Pending work, then what keeps a loan going. */
const NEXT: readonly Kind[] = [
  'confirm',
  'tell',
  'decideRequest',
  'decide',
  'payout',
  'review',
  'judge',
  'dispatch',
  'launch',
  'book',
  'pay',
]

/**
 * The action of the step here; where it would have no effect, the natural next action: a booking is
 * confirmed, a request decided. Null when nothing can be done.
 */
export function actionOf(portfolio: Portfolio, step: Step): Action | null {
  const meant = meantBy(portfolio, step, true)
  if (meant !== null) return meant
  for (const kind of NEXT) {
    const action = meantBy(portfolio, { ...step, kind }, false)
    if (action !== null) return action
  }
  return null
}

/** @param mayRefuse whether the action may be one that is refused */
function meantBy(portfolio: Portfolio, step: Step, mayRefuse: boolean): Action | null {
  const { kind, borrower: given, who, dice, days, isUsual } = step
  if (kind === 'day') return { kind, days }
  if (kind === 'dispatch')
    return portfolio.borrowers.some(({ order }) => order?.status === 20 || order?.status === 26)
      ? { kind }
      : null
  const borrower = fitting(portfolio, kind, given, mayRefuse)
  if (borrower === null) return null
  const order = portfolio.borrowers[borrower]?.order ?? null
  if (kind === 'apply')
    return { kind, borrower, amount: dice > 800 ? 6_000_000 + dice : 300_000 + dice * 777 }
  if (order === null) return null
  const pick = <T>(list: readonly T[]): T | undefined => list[dice % Math.max(1, list.length)]
  switch (kind) {
    case 'judge':
      return {
        kind,
        borrower,
        result: isUsual
          ? 'passed'
          : ((['undecided', 'undecided', 'failed', 'limitFailed'] as const)[dice % 4] ??
            'undecided'),
      }
    case 'review':
      return { kind, borrower, result: isUsual ? 'passed' : 'failed' }
    case 'payout':
      // What failed once mostly fails again.
      return {
        kind,
        borrower,
        result: isUsual && (order.attempts === 1 || dice % 3 === 0) ? 'success' : 'fail',
        attempt: order.attempts,
      }
    case 'cancel':
    case 'redisburse':
    case 'cancelDisbursement':
    case 'batchWriteOff':
      return { kind, borrower }
    case 'pay':
      return paymentOf(portfolio, borrower, order, step)
    case 'tell': {
      const payment = pick(
        order.payments.filter((one) => one.state === 'inProgress' && one.type === 'channel'),
      )
      return payment === undefined
        ? null
        : {
            kind: 'pay',
            borrower,
            payment: payment.id,
            amount: payment.amount,
            day: null,
            result: isUsual ? 'success' : 'fail',
            utrOf: null,
          }
    }
    case 'book':
      return bookingOf(portfolio, borrower, order, step)
    case 'confirm': {
      const payment = pick(
        order.payments.filter((one) => one.state === 'inProgress' && one.type !== 'channel'),
      )
      return payment === undefined
        ? null
        : {
            kind,
            borrower,
            payment: payment.id,
            type: payment.type,
            who,
            result: isUsual ? 'success' : 'fail',
          }
    }
    case 'launch': {
      const { fine, interest } = openFees(order)
      const wanted = partOf(fine + interest, isUsual ? dice : 1_000)
      return {
        kind,
        borrower,
        fine: Math.min(fine, wanted),
        interest: Math.max(0, wanted - fine),
        days: days % 3,
      }
    }
    case 'decide':
      return { kind, borrower, who, result: isUsual ? 'approved' : 'rejected' }
    case 'revoke':
      return { kind, borrower, who }
    case 'withdraw':
      return { kind, borrower, who: 'manager' }
    case 'grant':
      return { kind, borrower, coupon: dice % COUPONS.length }
    case 'revokeCoupon': {
      const { grants } = portfolio.borrowers[borrower] as Borrower
      return grants.length === 0 ? null : { kind, borrower, coupon: dice % grants.length }
    }
    case 'writeOff':
      return {
        kind,
        borrower,
        who,
        amount: Math.max(1, total(order.plans) + (isUsual ? 0 : 1)),
      }
    case 'reverse': {
      const payment = pick(
        order.payments.filter((one) => isUsual === (one.state === 'success' && !one.isReversed)),
      )
      return payment === undefined
        ? null
        : { kind, borrower, payment: payment.id, type: payment.type }
    }
    case 'cure': {
      const due = order.status === 90 ? dueOn(portfolio, order) : 1_000
      const first = partOf(due, dice)
      const parts = dice % 3 === 0 || first < 1 || first >= due ? [due] : [first, due - first]
      return {
        kind,
        borrower,
        rows: parts.map((amount, n) => ({
          due: portfolio.today + days - 1 + 2 * n,
          amount: isUsual ? amount : amount + 1,
        })),
      }
    }
    case 'contradict': {
      const payment = pick(order.payments.filter(isContradictable))
      return payment === undefined
        ? null
        : {
            kind,
            borrower,
            payment: payment.id,
            result: (payment.state === 'fail') === isUsual ? 'success' : 'fail',
          }
    }
    case 'contradictPayout': {
      const transfer = pick(order.transfers.filter(({ state }) => state !== 'inProgress'))
      return transfer === undefined
        ? null
        : {
            kind,
            borrower,
            attempt: transfer.attempt,
            result: (transfer.state === 'fail') === isUsual ? 'success' : 'fail',
          }
    }
    case 'keep': {
      const payment = pick(
        order.payments.filter((one) => one.isContradicted || (!isUsual && isContradictable(one))),
      )
      return payment === undefined ? null : { kind, borrower, payment: payment.id }
    }
    case 'resolve': {
      const transfer = pick(
        order.transfers.filter(({ state, outcome }) =>
          isUsual ? outcome === 'open' : state !== 'inProgress',
        ),
      )
      return transfer === undefined
        ? null
        : { kind, borrower, attempt: transfer.attempt, type: dice % 3 === 0 ? 'notPaid' : 'paid' }
    }
    case 'returnStray': {
      const transfer = pick(order.transfers.filter(({ stray }) => stray > 0))
      if (transfer === undefined) return null
      const { attempt, stray } = transfer
      const part = dice % 2 === 0 ? stray : Math.max(1, partOf(stray, dice))
      return { kind, borrower, attempt, amount: isUsual ? part : stray + 1 }
    }
    case 'decideRequest': {
      const index = order.requests.findIndex(({ state }) => state === 'pending')
      const request = order.requests[index]
      return request === undefined
        ? null
        : {
            kind,
            borrower,
            request: index,
            type:
              request.kind === 'reversePayment' && request.payment !== null
                ? request.payment.type
                : request.kind,
            who,
            result: isUsual ? 'approved' : 'rejected',
          }
    }
  }
}
