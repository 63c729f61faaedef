/** Payments that a person books and another one confirms. */
import type { Action } from '../actions.ts'
import { dueOn, dueWith } from '../loan/dues.ts'
import {
  type Borrower,
  CLOSED,
  type Grant,
  hasOpenPayment,
  type Order,
  type Payment,
  RUNNING,
} from '../loan/loan.ts'
import type { Portfolio } from '../loan/portfolio.ts'
import { exit, exitDue, isExitRefused } from './cooling-off.ts'
import { couponRefused } from './coupons.ts'
import { extend, priceExtension } from './extensions.ts'
import { addPayment, arrive, awaitPayment, failPayment } from './payments.ts'

type Booking = Extract<Action, { kind: 'book' }>

export function book(
  portfolio: Portfolio,
  { grants }: Borrower,
  order: Order,
  booking: Booking,
): string {
  const { who, type, amount, day } = booking
  const grant = booking.coupon === null ? null : (grants[booking.coupon] as Grant)
  const refused = bookingRefused(portfolio, order, grant, booking)
  if (refused !== null) return refused
  const payment = addPayment(portfolio, order, {
    amount,
    day,
    type: type === 'coolingOff' || type === 'rollover' ? type : 'staff',
    by: who,
    hasUtr: true,
  })
  if (grant !== null) {
    payment.coupon = grant
    grant.state = 'used'
  }
  if (type !== 'coolingOff') awaitPayment(order)
  return 'ok'
}

function bookingRefused(
  portfolio: Portfolio,
  order: Order,
  grant: Grant | null,
  booking: Booking,
): string | null {
  if (booking.who === 'director') return 'G403'
  if (!RUNNING.includes(order.status) && order.status !== 110) return 'O-STATE'
  if (order.status === 43 || hasOpenPayment(order)) return 'M-OPEN'
  const unfit = grant === null ? null : couponRefused(portfolio, order, grant, booking)
  return (
    unfit ??
    amountRefused(portfolio, order, grant, booking) ??
    (booking.utrOf === null ? null : 'M-UTR')
  )
}

function amountRefused(
  portfolio: Portfolio,
  order: Order,
  grant: Grant | null,
  { type, amount, day }: Booking,
): string | null {
  const paidOn = day ?? portfolio.today
  if (type === 'coolingOff') {
    if (isExitRefused(order, paidOn)) return 'O-RULE'
    return amount === exitDue(order, paidOn) ? null : 'M-AMT'
  }
  if (type === 'rollover') {
    const price = priceExtension(order, paidOn)
    if (price === null) return 'O-RULE'
    return amount === price.due ? null : 'M-AMT'
  }
  const due =
    grant !== null
      ? dueWith(order, grant, day)
      : order.status === 110
        ? order.claim
        : dueOn(portfolio, order, day)
  return (type === 'full' ? amount === due : amount < due) ? null : 'M-AMT'
}

export function confirm(
  portfolio: Portfolio,
  borrower: Borrower,
  order: Order,
  { payment: id, who, result }: Extract<Action, { kind: 'confirm' }>,
): string {
  const payment = order.payments.find((one) => one.id === id) as Payment
  if (who === 'director' || who === 'customer_service') return 'G403'
  if (payment.by === who) return 'G-SELF'
  if (result === 'fail') {
    failPayment(portfolio, order, payment)
    return 'ok'
  }
  if (payment.type === 'rollover' && RUNNING.includes(order.status))
    return extend(portfolio, borrower, order, payment)
  if (payment.type === 'coolingOff' && !CLOSED.includes(order.status)) return exit(order, payment)
  // An exit payment that arrives after the loan has ended otherwise is treated like any other
  // money.
  arrive(portfolio, order, payment)
  return 'ok'
}
