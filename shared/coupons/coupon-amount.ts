/** The arithmetic of coupons. Pure; whole paise and basis points (1 % = 100). */
import { share } from '#shared/kernel/money.ts'
import type { OpenParts } from '#shared/repayments/allocate-payment.ts'
import { type GivenUp, giveUp, sumGiven } from '#shared/repayments/fold/give-up.ts'
import type { AmountType, PreferentialType } from './coupon-sets.ts'

/**
 * What a coupon gives, as it was when it was granted: a later change of the coupon does not change
 * what a customer holds.
 */
export interface CouponTerms {
  amountType: AmountType
  preferentialType: PreferentialType
  /** Paise: the amount of a fixed coupon, the most a coupon by share gives (null = no cap). */
  discountAmount: number | null
  /** Basis points of the base; null for a fixed coupon. */
  rate: number | null
  /** The most a fixed coupon gives, in basis points of the base; null = no cap. */
  ratio: number | null
  /** The least paise of the payment, or of the application, it can be used with. */
  minAmount: number
}

/**
 * What the coupon gives on a base: the open part it reduces, or the limit it raises. A fixed coupon
 * gives its amount, at most its ratio of the base; one by share gives its rate of the base, at most
 * its amount. Shares are rounded half up to the paisa.
 * @param base paise, not negative
 * @throws RangeError for a negative base
 */
export function valueOn(terms: CouponTerms, base: number): number {
  const amount = terms.discountAmount ?? Number.POSITIVE_INFINITY
  const basisPoints = terms.amountType === 'rate' ? terms.rate : terms.ratio
  const portion =
    basisPoints === null
      ? Number.POSITIVE_INFINITY
      : Number(share(BigInt(base), BigInt(basisPoints)))
  const value = Math.min(amount, portion)
  // a coupon has an amount or a share; without either it gives nothing
  return Number.isFinite(value) ? value : 0
}

const PART_OF = {
  interest: 'interest',
  serviceFee: 'service',
  overdueFine: 'fine',
} as const satisfies Record<Exclude<PreferentialType, 'limit'>, keyof GivenUp>

/**
 * What a coupon gives up of instalments with a payment: of its part alone, the oldest instalment
 * first, never more than is open of it, and never principal. A coupon that raises a limit, or a
 * payment below the minimum, gives up nothing.
 * @param plans open instalments, oldest due first
 * @param paid paise of the payment
 */
export function discountOn(
  terms: CouponTerms,
  plans: readonly (OpenParts & { planId: string })[],
  paid: number,
): Map<string, GivenUp> {
  if (terms.preferentialType === 'limit' || paid < terms.minAmount) return new Map()
  const part = PART_OF[terms.preferentialType]
  const open = plans.reduce((sum, plan) => sum + plan[part], 0)
  const value = Math.min(valueOn(terms, open), open)
  const items = { overdueFine: 0, serviceFee: 0, interest: 0 }
  return giveUp(plans, { ...items, [terms.preferentialType]: value })
}

/** The paise that settle instalments with a coupon. A payment below its minimum does not. */
export function dueWith(
  terms: CouponTerms,
  plans: readonly (OpenParts & { planId: string })[],
): { due: number; discount: number } {
  const owed = plans.reduce(
    (sum, { principal, interest, service, fine }) => sum + principal + interest + service + fine,
    0,
  )
  const discount = sumGiven(discountOn(terms, plans, Number.MAX_SAFE_INTEGER))
  return { due: owed - discount, discount }
}

/** What an application may be above the largest amount of its product. */
export function raiseOn(terms: CouponTerms, limit: number): number {
  return terms.preferentialType === 'limit' ? valueOn(terms, limit) : 0
}
