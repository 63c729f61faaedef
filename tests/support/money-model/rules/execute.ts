/**
 * The rules about money, implemented a second time and independently of the product: two borrowers
 * with one order at a time, days as plain numbers, and for each action its outcome (`ok` or the id
 * of the refusal) and what is owed after it, in paise and by part.
 */
import type { Action } from '../actions.ts'
import type { Borrower, Grant, Order, Payment } from '../loan/loan.ts'
import type { Portfolio } from '../loan/portfolio.ts'
import { cancel, judge, review, submit } from './applications.ts'
import { book, confirm } from './bookings.ts'
import { grantCoupon, revokeCoupon } from './coupons.ts'
import { passDays } from './days.ts'
import { decideRequest } from './decide-request.ts'
import { contradictPayment, receivePayment, requestKeep } from './payments.ts'
import {
  cancelDisbursement,
  contradictPayout,
  dispatch,
  receivePayout,
  redisburse,
  requestResolution,
  requestReturn,
} from './payouts.ts'
import {
  decideReduction,
  launchReduction,
  revokeReduction,
  withdrawReduction,
} from './reductions.ts'
import { requestReversal } from './reversals.ts'
import { requestCure } from './settlements.ts'
import { requestBatchWriteOff, writeOff } from './write-offs.ts'

/** @returns `ok` or the problem's id */
export function execute(portfolio: Portfolio, action: Action): string {
  portfolio.actions += 1
  if (action.kind === 'day') return passDays(portfolio, action.days)
  if (action.kind === 'dispatch') return dispatch(portfolio)
  const borrower = portfolio.borrowers[action.borrower] as Borrower
  if (action.kind === 'apply') return submit(portfolio, borrower, action.amount)
  if (action.kind === 'grant') return grantCoupon(portfolio, borrower, action.coupon)
  if (action.kind === 'revokeCoupon') return revokeCoupon(borrower.grants[action.coupon] as Grant)
  const order = borrower.order as Order
  switch (action.kind) {
    case 'judge':
      return judge(portfolio, borrower, order, action)
    case 'review':
      return review(order, action)
    case 'cancel':
      return cancel(order)
    case 'payout':
      return receivePayout(portfolio, order, action)
    case 'cancelDisbursement':
      return cancelDisbursement(order)
    case 'redisburse':
      return redisburse(order)
    case 'contradictPayout':
      return contradictPayout(order, action)
    case 'resolve':
      return requestResolution(order, action)
    case 'returnStray':
      return requestReturn(order, action)
    case 'pay':
      return receivePayment(portfolio, order, action)
    case 'book':
      return book(portfolio, borrower, order, action)
    case 'confirm':
      return confirm(portfolio, borrower, order, action)
    case 'contradict':
      return contradictPayment(portfolio, order, paymentOf(order, action), action.result)
    case 'keep':
      return requestKeep(order, paymentOf(order, action))
    case 'reverse':
      return requestReversal(portfolio, order, paymentOf(order, action))
    case 'launch':
      return launchReduction(portfolio, order, action)
    case 'decide':
      return decideReduction(portfolio, order, action)
    case 'revoke':
      return revokeReduction(portfolio, order, action.who)
    case 'withdraw':
      return withdrawReduction(order)
    case 'cure':
      return requestCure(portfolio, order, action)
    case 'writeOff':
      return writeOff(portfolio, borrower, order, action)
    case 'batchWriteOff':
      return requestBatchWriteOff(order)
    case 'decideRequest':
      return decideRequest(portfolio, order, action)
  }
}

function paymentOf({ payments }: Order, { payment: id }: { payment: number }): Payment {
  return payments.find((one) => one.id === id) as Payment
}
