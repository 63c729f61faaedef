/** Grants a coupon to customers by hand or by a list. */
import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { BulkResult } from '#shared/kernel/page.ts'
import type { grantCoupon as call } from '#shared/coupons/coupons-api.ts'
import type { GrantSource } from '#shared/coupons/coupon-sets.ts'
import { inBulk } from '#gateway/manage/jobs/in-bulk.ts'
import type { JobType } from '#gateway/manage/jobs/job-type.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { customerInScope } from '#gateway/manage/features/customers/public.ts'
import { giveCoupon } from './give-coupon.ts'

/** @throws Problem G-SEL, G-MAX; Q-OFF, Q-HAS, Q-BUDGET, Q-BLACK are in `failed` per customer */
export function grantCoupon(
  tx: CommandTx,
  { couponId, userIds, source = 'manual' }: InputOf<typeof call>,
): Promise<BulkResult> {
  const actor = staff(tx.actor)
  return inBulk(tx, userIds, {
    type: grantCouponJob,
    menu: 'coupon_list',
    params: { couponId, source },
    known: sql`
      select c.id from customer c where c.id = any(${userIds}::text[]) and ${customerInScope(actor)}`,
  })
}

export const grantCouponJob: JobType = {
  type: 'coupon.grant',
  async row(tx, customerId, params) {
    await giveCoupon(tx, {
      couponId: String(params.couponId),
      customerId,
      source: params.source as GrantSource,
      sourceId: null,
    })
  },
}
