import { aprOf } from '#shared/orders/apr.ts'
import { makePlans } from '#gateway/manage/features/repayments/public.ts'
import type { OrderLife } from './order-detail-queries.ts'

/** Any start day gives the same interval between instalments. */
const ANY_DAY = '2026-01-01'

/**
 * Basis points, computed from the instalments as agreed; later changes to them do not count. Null
 * for a successor order, because nothing was paid out for it.
 */
export function aprOfOrder({
  order: { amount, arrivalAmount, interest },
  terms: { periods, daysPerPeriod },
  fromOrderId,
}: OrderLife): number | null {
  if (fromOrderId !== null) return null
  const instalments = makePlans(
    { principal: BigInt(amount), interest: BigInt(interest), periods, daysPerPeriod },
    ANY_DAY,
  ).map((plan) => plan.principal + plan.interest)
  return aprOf({ net: BigInt(arrivalAmount), instalments, daysPerPeriod })
}
