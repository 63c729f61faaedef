import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { BulkResult } from '#shared/kernel/page.ts'
import type { setCouponStatus } from '#shared/coupons/coupons-api.ts'
import type { CouponState } from '#shared/coupons/coupon-sets.ts'
import { inBulk } from '#gateway/manage/jobs/in-bulk.ts'
import type { JobType } from '#gateway/manage/jobs/job-type.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { lockCoupon, writeCoupon } from './coupon-store.ts'

/** Switches coupons on or off; what was granted stays valid. @throws Problem G-SEL, G-MAX */
export function switchCoupons(
  tx: CommandTx,
  { couponIds, state }: InputOf<typeof setCouponStatus>,
): Promise<BulkResult> {
  return inBulk(tx, couponIds, {
    type: switchCouponsJob,
    menu: 'coupon_list',
    params: { state },
    known: sql`select k.id from coupon k where k.id = any(${couponIds}::text[])`,
  })
}

export const switchCouponsJob: JobType = {
  type: 'coupon.status',
  async row(tx, couponId, params) {
    const state = params.state as CouponState
    const before = await lockCoupon(tx, couponId)
    if (before.state === state) return
    await writeCoupon(tx, couponId, [sql`state = ${state}`])
    tx.log({
      menu: 'coupon_list',
      action: 'couponStatus',
      targetKind: 'coupon',
      targetId: couponId,
      before: { state: before.state },
      after: { state },
    })
  },
}
