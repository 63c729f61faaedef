import { istDay } from '#shared/kernel/time.ts'
import { aprOf } from '#shared/orders/apr.ts'
import { aprOfEmi } from '#shared/products/emi-offer.ts'
import { makePlans } from '#gateway/manage/features/repayments/public.ts'
import type { OrderLife } from './order-detail-queries.ts'

/** Any start day gives the same interval between even instalments. */
const ANY_DAY = '2026-01-01'

/**
 * Basis points, computed from the instalments as agreed; later changes to them do not count. Null
 * for a successor order, because nothing was paid out for it. The first instalment of an EMI loan
 * follows the disbursement; before it the day of the application is used.
 */
export function aprOfOrder({
  order: { amount, arrivalAmount, interest, createTime, disburseTime },
  terms: { periods, daysPerPeriod, emi },
  fromOrderId,
}: OrderLife): number | null {
  if (fromOrderId !== null) return null
  if (emi !== null)
    return aprOfEmi(
      { ...emi, principal: BigInt(amount) },
      istDay(disburseTime ?? createTime),
      BigInt(arrivalAmount),
    )
  const instalments = makePlans(
    { principal: BigInt(amount), interest: BigInt(interest), periods, daysPerPeriod },
    ANY_DAY,
  ).map((plan) => ({
    paise: plan.principal + plan.interest,
    after: { months: 0, days: daysPerPeriod },
  }))
  return aprOf({ net: BigInt(arrivalAmount), instalments })
}
