import { aprOf } from '#shared/orders/apr.ts'
import { makePlans } from '#gateway/manage/features/repayments/public.ts'
import type { OrderLife } from './order-detail-queries.ts'

/** Instalments lie as far apart from any day on. */
const ANY_DAY = '2026-01-01'

/** Basis points, of the instalments as they were agreed: what became of them since is no part of it. Null for an order that goes on from another: nothing was paid out. */
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
