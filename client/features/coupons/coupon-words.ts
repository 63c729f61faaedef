/** Words of coupons. */
import type { Text } from '#client/base/use-text.ts'
import type { Tone } from '#client/ui/value/StatusTag.tsx'
import { BUDGET_WARNING } from '#shared/coupons/coupon-sets.ts'
import type { GrantState } from '#shared/coupons/grant-lifecycle.ts'
import { formatBasisPoints, formatPaise } from '#shared/kernel/money.ts'
import type { Coupon, CouponOption } from './coupon-types.ts'

type Value = Pick<Coupon, 'amountType' | 'discountAmount' | 'rate' | 'ratio'>

/** What it gives: `₹50.00`, `15.00 %, at most ₹200.00`. @param t takes keys with their namespace */
export function valueText({ amountType, discountAmount, rate, ratio }: Value, t: Text): string {
  const amount = discountAmount === null ? null : formatPaise(discountAmount)
  const portion = amountType === 'rate' ? rate : ratio
  const share = portion === null ? null : formatBasisPoints(portion)
  const [value, most] = amountType === 'rate' ? [share, amount] : [amount, share]
  return most === null ? (value ?? '') : t('coupons:value.upTo', { value: value ?? '', most })
}

/** Coupons as the options of a select. @param t takes keys with their namespace */
export function couponChoices(
  coupons: readonly CouponOption[],
  t: Text,
): { value: string; label: string }[] {
  return coupons.map((coupon) => ({
    value: coupon.couponId,
    label: [
      coupon.name,
      t(`coupons:preferential.${coupon.preferentialType}`),
      valueText(coupon, t),
    ].join(' · '),
  }))
}

const TONES: Record<GrantState, Tone> = {
  unused: 'info',
  used: 'good',
  expired: 'neutral',
  revoked: 'warn',
}
export function grantTone(state: string | number): Tone {
  return TONES[state as GrantState] ?? 'neutral'
}

export function isNearBudget(coupon: Pick<Coupon, 'budget' | 'committed'>): boolean {
  const { budget, committed } = coupon
  return budget !== null && committed * 10_000 >= budget * BUDGET_WARNING
}
