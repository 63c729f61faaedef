/** What the coupon of a node would come to, before the node is run. */
import { type RawBuilder, sql } from 'kysely'
import { BUDGET_WARNING } from '#shared/coupons/coupon-sets.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import type { nodeAudience } from '#shared/telemarketing/node-api.ts'
import { COUPON_EXCLUSIONS } from '#shared/telemarketing/node-sets.ts'
import { type Coupon, hasUnusedCoupon } from '#gateway/manage/features/coupons/public.ts'

type Outlook = NonNullable<DataOf<typeof nodeAudience>['coupon']>

/** How many of the candidates `f` are given no coupon whatever its budget. */
export function withoutCoupon(coupon: Coupon | null): RawBuilder<unknown> {
  if (coupon === null) return sql`0 as blacklisted, 0 as has_unused`
  const isBlack = sql<boolean>`
    exists (select from customer x where x.id = f.customer_id and x.blacklisted)`
  // only of those taken: the others are given nothing
  return sql`
    count(*) filter (where f.why is null and ${isBlack})::int as blacklisted,
    count(*) filter (where f.why is null and not ${isBlack}
      and ${hasUnusedCoupon('f.customer_id', coupon.preferentialType)})::int as has_unused`
}

/** The same rules as `giveCoupons`, for a number of customers. */
export function outlookOf(
  { state, discountAmount, budget, committed }: Coupon,
  counts: { taken: number; heldOut: number; blacklisted: number; holding: number },
): Outlook {
  const { taken, heldOut, blacklisted, holding } = counts
  const left = budget === null ? null : budget - committed
  const contacted = taken - heldOut
  const fitting = state === 'enabled' ? Math.min(taken - blacklisted - holding, contacted) : 0
  // a coupon with a budget states its most
  const room = left === null ? fitting : Math.floor(left / (discountAmount ?? 1))
  const given = Math.min(fitting, Math.max(0, room))
  const worth = discountAmount === null ? null : discountAmount * given
  const why = {
    hasUnused: state === 'enabled' ? holding : 0,
    blacklisted: state === 'enabled' ? blacklisted : 0,
    budget: fitting - given,
    off: state === 'enabled' ? 0 : contacted,
  }
  return {
    given,
    isExact: heldOut === 0 || blacklisted + holding === 0,
    without: COUPON_EXCLUSIONS.flatMap((name) =>
      why[name] === 0 ? [] : [{ why: name, n: why[name] }],
    ),
    worth,
    left,
    budget,
    isNearBudget:
      budget !== null &&
      (committed + (worth ?? 0)) * 10_000 >= budget * BUDGET_WARNING &&
      given > 0,
  }
}
