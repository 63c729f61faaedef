/** Reversals: a payment is taken out of its loan. */
import { refresh, usedOf, without } from '../loan/books.ts'
import {
  CLOSED,
  firstDue,
  hasOpenPayment,
  lateDays,
  type Order,
  owes,
  type Payment,
  total,
} from '../loan/loan.ts'
import type { Portfolio } from '../loan/portfolio.ts'
import { addRequest } from '../loan/requests.ts'
import { giveBack } from './coupons.ts'
import { giveUpAgain } from './write-offs.ts'

export function requestReversal({ today }: Portfolio, order: Order, payment: Payment): string {
  const refused = reversalRefused(order, payment, today)
  return refused ?? addRequest(order, 'reversePayment', payment)
}

/** @returns the refusal, or null */
export function reverse(portfolio: Portfolio, order: Order, payment: Payment): string | null {
  const { today } = portfolio
  const refused = reversalRefused(order, payment, today)
  if (refused !== null) return refused
  takeOut(order, payment, today)
  giveBack(portfolio, payment)
  if (total(order.plans) === 0) return null
  const isLate = today > firstDue(order)
  order.overdueDays = lateDays(order, today)
  if (CLOSED.includes(order.status)) order.status = isLate ? 50 : 30
  else if (order.status === 30 && isLate) order.status = 50
  return null
}

function reversalRefused(order: Order, payment: Payment, today: number): string | null {
  if (payment.state !== 'success' || payment.isReversed) return 'M-STATE'
  if (order.status === 43 || hasOpenPayment(order)) return 'M-OPEN'
  // What settled nothing may be taken back from any order.
  if (payment.isCredit) return null
  if (![30, 40, 41, 50, 90, 100, 110].includes(order.status)) return 'O-STATE'
  // A loan that ended with a reduction goes back into arrears alone.
  if (order.status !== 41) return null
  const open = without(order, payment, today).plans.filter((plan) => owes(plan) > 0)
  return open.length > 0 && open.every(({ due }) => today <= due) ? 'O-RULE' : null
}

function takeOut(order: Order, payment: Payment, today: number): void {
  payment.isContradicted = false
  const used = usedOf(order)
  if (order.exit === payment) {
    order.exit = null
    payment.isReversed = true
    refresh(order, today)
  } else if (payment.isCredit || order.exit !== null) {
    payment.isReversed = true
    if (order.status === 110) order.claim += payment.amount - payment.surplus
  } else if (order.status === 100 || order.status === 110) {
    payment.isReversed = true
    giveUpAgain(order)
  } else {
    const { isVoid } = without(order, payment, today)
    payment.isReversed = true
    if (isVoid && used !== null) used.isVoid = true
    refresh(order, today)
  }
}
