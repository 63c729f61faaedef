/** Turns random steps into actions that fit the state of the borrowers. */
import { type Action, BORROWERS, COUPONS, type Who } from './actions.ts'
import {
  type Borrower,
  CLOSED,
  type Grant,
  isOpen,
  type Order,
  owes,
  type Payment,
  RUNNING,
  total,
} from './loan/loan.ts'
import { dueOn, dueWith } from './loan/dues.ts'
import type { Portfolio } from './loan/portfolio.ts'
import { exitDue } from './rules/cooling-off.ts'
import { priceExtension } from './rules/extensions.ts'
import { openFees } from './rules/reductions.ts'

export const KINDS = [
  'apply',
  'judge',
  'review',
  'dispatch',
  'payout',
  'cancel',
  'redisburse',
  'cancelDisbursement',
  'batchWriteOff',
  'pay',
  'tell',
  'book',
  'confirm',
  'launch',
  'decide',
  'revoke',
  'withdraw',
  'grant',
  'revokeCoupon',
  'writeOff',
  'reverse',
  'cure',
  'contradict',
  'contradictPayout',
  'keep',
  'resolve',
  'returnStray',
  'decideRequest',
  'day',
] as const
export type Kind = (typeof KINDS)[number]

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

/** What fast-check generates; the resulting action depends on the state of the borrowers. */
export interface Step {
  kind: Kind
  borrower: number
  who: Who
  /** 0 to 999: which of several, how much of a whole. */
  dice: number
  /** Days back, or ahead. */
  days: number
  /** The common one of two, mostly. */
  isUsual: boolean
}

const of = (amount: number, dice: number) => Math.floor((amount * dice) / 1_000)

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
function meantBy(
  portfolio: Portfolio,
  { kind, borrower: given, who, dice, days, isUsual }: Step,
  mayRefuse: boolean,
): Action | null {
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
    case 'pay': {
      const day = isUsual ? null : dayBack(portfolio, order, { dice, days })
      const due = RUNNING.includes(order.status) ? dueOn(portfolio, order) : order.claim + 5_000
      const amount = dice < 550 ? of(due, dice + 150) : dice < 900 ? due : due + dice
      return {
        kind,
        borrower,
        payment: portfolio.payments,
        amount: Math.max(1, amount),
        day,
        result: dice % 10 < 7 ? 'success' : dice % 10 === 7 ? 'fail' : 'processing',
        utrOf: dice % 37 === 0 ? usedUtr(portfolio) : null,
      }
    }
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
    case 'book': {
      const day = dice % 3 === 2 ? dayBack(portfolio, order, { dice, days }) : null
      const isLast = order.plans.filter((plan) => owes(plan) > 0).length === 1
      const type =
        dice % (isLast ? 2 : 13) === 1
          ? 'rollover'
          : order.status === 30 && dice % 3 === 0
            ? 'coolingOff'
            : dice % 4 === 0
              ? 'full'
              : 'partial'
      const coupon =
        type === 'full' || type === 'partial'
          ? couponOf(portfolio, { borrower, dice, isUsual, day })
          : null
      const due =
        coupon !== null && RUNNING.includes(order.status)
          ? dueWith(order, portfolio.borrowers[borrower]?.grants[coupon] as Grant, day)
          : type === 'rollover'
            ? (priceExtension(order, day ?? portfolio.today)?.due ?? 1_000)
            : type === 'coolingOff'
              ? exitDue(order, day ?? portfolio.today)
              : order.status === 110
                ? order.claim
                : RUNNING.includes(order.status)
                  ? dueOn(portfolio, order, day)
                  : 1_000
      return {
        kind,
        borrower,
        payment: portfolio.payments,
        who,
        type,
        amount: Math.max(
          1,
          type === 'partial' ? of(due, isUsual ? dice : 1_000) : isUsual ? due : due + 1,
        ),
        day,
        utrOf: dice % 17 === 0 ? usedUtr(portfolio) : null,
        coupon,
      }
    }
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
      const wanted = of(fine + interest, isUsual ? dice : 1_000)
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
      const first = of(due, dice)
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
      const part = dice % 2 === 0 ? stray : Math.max(1, of(stray, dice))
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

/** Mostly a few days ago, sometimes before everything else that was paid; null = now. */
function dayBack(
  { today }: Portfolio,
  { disbursedOn }: Order,
  { dice, days }: Pick<Step, 'dice' | 'days'>,
): number | null {
  return disbursedOn >= today ? null : Math.max(disbursedOn, today - days * (1 + (dice % 4)))
}

/** Its channel gave a result, and may give another one. */
function isContradictable({ state, type }: Payment): boolean {
  return type === 'channel' && state !== 'inProgress'
}

/** Mostly one that may be used, now and then any; null without one. */
function couponOf(
  portfolio: Portfolio,
  {
    borrower,
    dice,
    isUsual,
    day,
  }: Pick<Step, 'borrower' | 'dice' | 'isUsual'> & { day: number | null },
): number | null {
  const { grants } = portfolio.borrowers[borrower] as Borrower
  if (dice % 5 === 0 || grants.length === 0) return null
  const place = isUsual
    ? grants.findLastIndex(
        ({ state, grantedOn }) => state === 'unused' && grantedOn <= (day ?? portfolio.today),
      )
    : dice % grants.length
  return place === -1 ? null : place
}

/**
 * The given borrower when the step fits them, else the next one it fits; occasionally the given one
 * regardless, to be refused.
 */
function fitting(
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
      return RUNNING.includes(status)
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

/** Of another order, so that it is certainly another payment. */
function usedUtr(portfolio: Portfolio): number | null {
  for (const { order } of portfolio.borrowers)
    for (const payment of order?.payments ?? [])
      if (payment.state === 'success' && !payment.isReversed) return payment.id
  return null
}
