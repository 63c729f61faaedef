/** Coupons of borrowers. */
import { type Action, COUPONS } from '../actions.ts'
import { openOn } from '../loan/dues.ts'
import {
  type Borrower,
  discountOf,
  type Grant,
  isOpen,
  type Order,
  type Payment,
  RUNNING,
} from '../loan/loan.ts'
import type { Portfolio } from '../loan/portfolio.ts'

/** One unused coupon of a kind each; nobody on the blacklist is given one. */
export function grantCoupon({ today }: Portfolio, borrower: Borrower, n: number): string {
  const coupon = COUPONS[n] as (typeof COUPONS)[number]
  if (borrower.isBlacklisted) return 'Q-BLACK'
  if (borrower.grants.some((one) => one.coupon === coupon && one.state === 'unused')) return 'Q-HAS'
  borrower.grants.push({
    coupon,
    state: 'unused',
    grantedOn: today,
    validUntil: today + coupon.days,
    amount: 0,
  })
  return 'ok'
}

export function revokeCoupon(grant: Grant): string {
  if (grant.state === 'used') return 'Q-USED'
  if (grant.state !== 'unused') return 'Q-STATE'
  grant.state = 'revoked'
  return 'ok'
}

export function expireCoupons({ today, borrowers }: Portfolio): void {
  for (const { grants } of borrowers)
    for (const grant of grants)
      if (grant.state === 'unused' && today > grant.validUntil) grant.state = 'expired'
}

/** Its payment came to nothing: the borrower may use it again. */
export function giveBack({ today }: Portfolio, payment: Payment): void {
  const { coupon: grant } = payment
  if (grant === null) return
  payment.coupon = null
  grant.state = today > grant.validUntil ? 'expired' : 'unused'
  grant.amount = 0
}

/** Why such a payment may not use the coupon; null when it may. */
export function couponRefused(
  { today }: Portfolio,
  order: Order,
  grant: Grant,
  { type, amount, day }: Extract<Action, { kind: 'book' }>,
): string | null {
  const paidOn = day ?? today
  if (!RUNNING.includes(order.status) || (type !== 'full' && type !== 'partial')) return 'Q-FIT'
  if (order.reduction !== null && isOpen(order.reduction)) return 'Q-FIT'
  if (grant.state !== 'unused') return 'Q-STATE'
  if (paidOn < grant.grantedOn || paidOn > grant.validUntil || amount < grant.coupon.least)
    return 'Q-FIT'
  return discountOf(grant, openOn(order, day), amount) === 0 ? 'Q-FIT' : null
}
