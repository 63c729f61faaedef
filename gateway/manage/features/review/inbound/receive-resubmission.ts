/** DATA_SUBMITTED: what the customer was asked for arrives; the review returns to its reviewer, or to the queue when he takes no work now. */
import { type RawBuilder, sql } from 'kysely'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import type { inboundResubmit } from '#shared/orders/inbound-api.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import {
  replaceCustomerData,
  type Resubmission,
} from '#gateway/manage/features/customers/public.ts'
import { takeAccount } from '#gateway/manage/features/orders/public.ts'
import { ON_DUTY } from '../claims/capacity.ts'
import { backToQueue } from '../claims/end-claim.ts'
import { logReview, notifyOf, tellClaimed, tellMoved } from '../review-events.ts'
import { nextState } from '../review-refusals.ts'
import { afterStep, lockReview, type LockedReview, moveReview, newHolder } from '../review-store.ts'

/** After a failed transfer it is the account that was asked for, and the review, long over, stays as it is. @throws Problem G404, V-STATE (nothing was asked, or the time is over), G422 */
export async function receiveResubmission(
  cx: Cx,
  { reviewId, ...data }: Resubmission & { reviewId: string },
): Promise<DataOf<typeof inboundResubmit>> {
  const review = await lockReview(cx, reviewId)
  if (
    review.state !== 'dataModifiable' &&
    (await takeAccount(cx, { orderId: review.order_id, customerId: review.customer_id }, data))
  )
    return { reviewId, state: review.state }
  const to = await nextState(cx.db, review, { type: 'DATA_SUBMITTED' })
  await replaceCustomerData(cx, review.customer_id, data)
  const set: RawBuilder<unknown>[] = [
    newHolder({ userId: review.reviewer_id, userName: review.reviewer_name }),
    sql`data_until = null`,
  ]
  if (data.bankCard)
    set.push(
      sql`bind_state = ${data.bankCard.bound ? 'bound' : 'notBound'}, name_similarity = ${data.bankCard.nameSimilarity}`,
    )
  const isBack = await isOnDuty(cx, review)
  const row = await moveReview(cx, review, { event: 'DATA_SUBMITTED', to, set })
  tellMoved(cx, review.state, row)
  logReview(cx, 'resubmit', review, row)
  if (isBack) {
    tellClaimed(cx, row)
    notifyOf(cx, row.reviewerId, 'assigned', 'dataArrived', row)
    return { reviewId, state: row.state }
  }
  // he takes no work: his claim is over as soon as it begins
  const queued = await backToQueue(
    cx,
    { ...afterStep(review, row), lease_over: true },
    { type: 'LEASE_EXPIRED', leaseOver: true },
    'offDuty',
  )
  return { reviewId, state: queued.state }
}

async function isOnDuty(cx: Cx, review: LockedReview): Promise<boolean> {
  const { rows } = await sql<{
    on_duty: boolean
  }>`select ${ON_DUTY} as on_duty from sys_user u join sys_role g on g.id = u.role_id where u.id = ${review.reviewer_id}`.execute(
    cx.db,
  )
  return rows[0]?.on_duty ?? false
}
