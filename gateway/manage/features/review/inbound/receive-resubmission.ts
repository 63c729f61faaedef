/**
 * DATA_SUBMITTED: the requested data arrived. The review returns to its reviewer, or to the queue
 * if they are unavailable.
 */
import { type RawBuilder, sql } from 'kysely'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import type { inboundResubmit } from '#shared/orders/inbound-api.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import {
  replaceCustomerData,
  type Resubmission,
} from '#gateway/manage/features/customers/public.ts'
import { takeAccount } from '#gateway/manage/features/orders/public.ts'
import { ON_DUTY } from '#gateway/manage/kernel/claims/claim-table.ts'
import { backToQueue } from '../claims/end-claim.ts'
import { logReview, notifyAboutReview, emitClaimed, emitMoved } from '../review-events.ts'
import { nextState } from '../review-refusals.ts'
import { afterStep, CLAIMS, type LockedReview, lockReview, moveReview } from '../review-store.ts'

/**
 * After a failed transfer the data is the requested bank account; the finished review is not
 * changed.
 * @throws Problem G404, V-STATE (nothing was requested, or too late), G-FIELD
 */
export async function receiveResubmission(
  tx: CommandTx,
  { reviewId, ...data }: Resubmission & { reviewId: string },
): Promise<DataOf<typeof inboundResubmit>> {
  const review = await lockReview(tx, reviewId)
  if (
    review.state !== 'dataModifiable' &&
    (await takeAccount(tx, { orderId: review.order_id, customerId: review.customer_id }, data))
  )
    return { reviewId, state: review.state }
  const to = await nextState(tx.db, review, { type: 'DATA_SUBMITTED' })
  await replaceCustomerData(tx, review.customer_id, data)
  const set: RawBuilder<unknown>[] = [
    CLAIMS.newHolder({ userId: review.reviewer_id, userName: review.reviewer_name }),
    sql`data_until = null`,
  ]
  if (data.bankCard)
    set.push(
      sql`
        bind_state = ${data.bankCard.bound ? 'bound' : 'notBound'},
          name_similarity = ${data.bankCard.nameSimilarity}`,
    )
  const isBack = await isOnDuty(tx, review)
  const row = await moveReview(tx, review, { event: 'DATA_SUBMITTED', to, set })
  emitMoved(tx, review.state, row)
  logReview(tx, 'resubmit', review, row)
  if (isBack) {
    emitClaimed(tx, row)
    notifyAboutReview(tx, row.reviewerId, 'assigned', 'dataArrived', row)
    return { reviewId, state: row.state }
  }
  // the reviewer is unavailable: the new claim ends at once
  const queued = await backToQueue(
    tx,
    { ...afterStep(review, row), lease_over: true },
    { type: 'LEASE_EXPIRED', leaseOver: true },
    'offDuty',
  )
  return { reviewId, state: queued.state }
}

async function isOnDuty(tx: CommandTx, review: LockedReview): Promise<boolean> {
  const { rows } = await sql<{
    on_duty: boolean
  }>`
    select ${ON_DUTY} as on_duty
    from sys_user u join sys_role g on g.id = u.role_id
    where u.id = ${review.reviewer_id}`.execute(tx.db)
  return rows[0]?.on_duty ?? false
}
