/** Payments: reported by a channel, awaited, arrived, failed, and contradicted. */
import type { Action } from '../actions.ts'
import { refresh, usedOf } from '../loan/books.ts'
import {
  EVENING,
  firstDue,
  isPaying,
  lateDays,
  type Order,
  owes,
  type Payment,
  RUNNING,
  total,
} from '../loan/loan.ts'
import { nowOf, type Portfolio } from '../loan/portfolio.ts'
import { replay } from '../loan/replay.ts'
import { addRequest } from '../loan/requests.ts'
import { giveBack } from './coupons.ts'
import { endReductions, lapse } from './reductions.ts'
import { endSettlement } from './settlements.ts'

export function receivePayment(
  portfolio: Portfolio,
  order: Order,
  { payment: id, amount, day, result, utrOf }: Extract<Action, { kind: 'pay' }>,
): string {
  const known = order.payments.find((one) => one.id === id)
  if (known === undefined && utrOf !== null) {
    // Two numbers for one transfer are one payment if they name the same transfer; a failure that
    // names another transfer contradicts it.
    const used = order.payments.find((one) => one.id === utrOf)
    return used?.amount === amount ? 'ok' : 'M-UTR'
  }
  const hasUtr = result === 'success'
  const payment =
    known ?? addPayment(portfolio, order, { amount, day, type: 'channel', by: null, hasUtr })
  if (result === 'processing') awaitPayment(order)
  else if (result === 'fail') failPayment(portfolio, order, payment)
  else arrive(portfolio, order, payment)
  return 'ok'
}

/** @param given `day` null = now */
export function addPayment(
  portfolio: Portfolio,
  order: Order,
  { day, ...given }: Pick<Payment, 'amount' | 'type' | 'by' | 'hasUtr'> & { day: number | null },
): Payment {
  const now = nowOf(portfolio)
  const payment: Payment = {
    id: portfolio.payments,
    state: 'inProgress',
    surplus: 0,
    isReversed: false,
    isCredit: false,
    isContradicted: false,
    coupon: null,
    day: day ?? portfolio.today,
    at: day === null ? now : [day, EVENING],
    receivedAt: now,
    ...given,
  }
  portfolio.payments += 1
  order.payments.push(payment)
  return payment
}

/** The order waits for it. */
export function awaitPayment(order: Order): void {
  if (!RUNNING.includes(order.status) || order.status === 43) return
  order.resume = order.status
  order.status = 43
}

export function failPayment(portfolio: Portfolio, order: Order, payment: Payment): void {
  payment.state = 'fail'
  giveBack(portfolio, payment)
  if (order.status !== 43 || isPaying(order)) return
  order.status = order.resume === 90 ? 90 : portfolio.today > firstDue(order) ? 50 : 30
}

/** Money has arrived: for the loan, as a recovery, or owed to the borrower. */
export function arrive(portfolio: Portfolio, order: Order, payment: Payment): void {
  payment.state = 'success'
  payment.hasUtr = true
  payment.receivedAt = nowOf(portfolio)
  if (RUNNING.includes(order.status)) {
    const { reduction } = order
    if (reduction?.state === 'approved' && payment.day > reduction.validUntil)
      lapse(portfolio, order, reduction, true)
    settle(portfolio, order)
    return
  }
  if (isOfItsHistory(portfolio, order, payment)) {
    refresh(order, portfolio.today)
    order.overdueDays = latestOf(order)
    return
  }
  const counted = order.status === 110 ? Math.min(payment.amount, order.claim) : 0
  order.claim -= counted
  payment.surplus = payment.amount - counted
  payment.isCredit = true
  giveBack(portfolio, payment)
}

/** It was paid before the loan ended, which ends as it did with it. */
function isOfItsHistory({ today }: Portfolio, order: Order, { type }: Payment): boolean {
  const isOrdinary = type === 'channel' || type === 'staff'
  const isRepaid = (order.status === 40 || order.status === 41) && order.exit === null
  if (!isRepaid || !isOrdinary) return false
  const after = replay(order, today)
  return total(after.plans) === 0 && after.used === usedOf(order)
}

/** The loan goes on with what its payments leave open, or is repaid. */
function settle(portfolio: Portfolio, order: Order): void {
  const { today } = portfolio
  const status = order.status === 43 ? order.resume : order.status
  const { used } = replay(order, today)
  const isBad = refresh(order, today)
  const isRepaid = order.plans.every((plan) => owes(plan) === 0)
  order.overdueDays = isRepaid ? latestOf(order) : lateDays(order, today)
  if (!isRepaid) {
    order.status = status === 90 && isBad ? 90 : today > firstDue(order) ? 50 : 30
    if (order.status === 30) endSettlement(order, 'kept', nowOf(portfolio))
    if (isPaying(order)) awaitPayment(order)
    return
  }
  order.status = used === null ? 40 : 41
  endSettlement(order, 'kept', nowOf(portfolio))
  endReductions(portfolio, order, used)
}

function latestOf({ plans }: Order): number {
  return Math.max(0, ...plans.map((plan) => plan.overdueDays))
}

/** Money that did not arrive arrived after all; money that arrived did not: two people decide. */
export function contradictPayment(
  portfolio: Portfolio,
  order: Order,
  payment: Payment,
  result: 'success' | 'fail',
): string {
  if (payment.state === 'fail' && result === 'success') arrive(portfolio, order, payment)
  else if (payment.state === 'success' && result === 'fail' && !payment.isReversed)
    payment.isContradicted = true
  return 'ok'
}

export function requestKeep(order: Order, payment: Payment): string {
  return payment.isContradicted ? addRequest(order, 'paymentStands', payment) : 'O-RULE'
}

/** @returns the refusal, or null */
export function keep(payment: Payment): string | null {
  if (!payment.isContradicted) return 'O-RULE'
  payment.isContradicted = false
  return null
}
