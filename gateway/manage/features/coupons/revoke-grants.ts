import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { BulkResult } from '#shared/kernel/page.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { revokeGrants as call } from '#shared/coupons/coupons-api.ts'
import { COUPON_USED } from '#shared/coupons/coupon-problems.ts'
import { inBulk } from '#gateway/manage/jobs/in-bulk.ts'
import type { JobType } from '#gateway/manage/jobs/job-type.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { customerInScope } from '#gateway/manage/features/customers/public.ts'
import { releaseWorth } from './coupon-store.ts'
import { changeGrant, lockWithCoupon, nextGrantState } from './grant-store.ts'

/** @throws Problem G-SEL, G-MAX; Q-USED, Q-STATE are in `failed` per coupon */
export function revokeGrants(
  tx: CommandTx,
  { grantIds, reason }: InputOf<typeof call>,
): Promise<BulkResult> {
  return inBulk(tx, grantIds, {
    type: revokeGrantsJob,
    menu: 'coupon_list',
    params: { reason },
    known: sql`
      select g.id from coupon_grant g join customer c on c.id = g.customer_id
      where g.id = any(${grantIds}::text[]) and ${customerInScope(staff(tx.actor))}`,
  })
}

/** REVOKE: takes an unused coupon back; its worth may be granted again. */
export const revokeGrantsJob: JobType = {
  type: 'coupon.revoke',
  async row(tx, grantId, params) {
    const reason = String(params.reason)
    const grant = await lockWithCoupon(tx.db, grantId)
    if (!grant) throw new Problem(NOT_FOUND)
    if (grant.state === 'used') throw new Problem(COUPON_USED)
    const state = nextGrantState(grant, { type: 'REVOKE', reason })
    await changeGrant(tx, grant, state, [
      sql`revoke_reason = ${reason}`,
      sql`ended_at = clock_timestamp()`,
    ])
    await releaseWorth(tx, grant.coupon_id, grant.worth)
    tx.log({
      menu: 'coupon_list',
      action: 'revokeCoupon',
      targetKind: 'couponGrant',
      targetId: grantId,
      before: { state: grant.state },
      after: { state, reason },
    })
  },
}
