/**
 * RETRY and SEND_MANUAL of an abnormal review: rerun the machine, or go to manual review after
 * that.
 */
import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { retryReview as retryCall } from '#shared/review/review-api.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { moveOrder } from '#gateway/manage/features/orders/public.ts'
import { logReview, emitMoved, emitQueued } from '../review-events.ts'
import { nextState } from '../review-refusals.ts'
import type { ReviewRow } from '../review-row.ts'
import { lockReview, type LockedReview, moveReview, requireVersion } from '../review-store.ts'
import { orderStatusOf } from './order-status.ts'

/** Columns of the previous round; they are reset before the next one. */
export const NEW_ROUND = sql`
  manual_id = null, manual_result = null, reject_code = null, pre_reject_code = null, quota_reject = false,
    checklist = null, decided_at = null, reviewer_id = null, reviewer_name = null, first_reviewer_id = null`

/**
 * @throws Problem G404, G409, V-STATE (also when retries are left, or used up), and refusals of the
 * order (O-STATE)
 */
export async function retryReview(
  tx: CommandTx,
  { reviewId, version, to: target, remark }: InputOf<typeof retryCall>,
): Promise<ReviewRow> {
  const review = await lockReview(tx, reviewId)
  await requireVersion(tx, review, version)
  return retryAbnormal(tx, review, target === 'initial' ? 'RETRY' : 'SEND_MANUAL', remark ?? null)
}

/** For a locked review. @throws Problem V-STATE, O-STATE */
export async function retryAbnormal(
  tx: CommandTx,
  review: LockedReview,
  type: 'RETRY' | 'SEND_MANUAL',
  note: string | null = null,
): Promise<ReviewRow> {
  const to = await nextState(tx.db, review, { type, retryCount: review.retry_count })
  const more =
    type === 'RETRY' ? sql`retry_count = r.retry_count + 1` : sql`queued_at = clock_timestamp()`
  const row = await moveReview(tx, review, { event: type, to, set: [NEW_ROUND, more], note })
  emitMoved(tx, review.state, row)
  if (type === 'SEND_MANUAL') {
    emitQueued(tx, row)
    if ((await orderStatusOf(tx, review.order_id)) === 10)
      await moveOrder(
        tx,
        review.order_id,
        { type: 'AUTO_UNDECIDED', needManual: true, outputAbnormal: true },
        { cause: 'machineReview' },
      )
  }
  if (to === 'initial') tx.afterCommit(() => tx.context.wakeSchedule('machineReview'))
  logReview(tx, 'retry', review, row)
  return row
}
