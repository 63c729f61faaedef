/** RETRY and SEND_MANUAL of an abnormal review: the machine runs again, or people take it once the retries are spent. */
import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { retryReview as retryCall } from '#shared/review/review-api.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { moveOrder } from '#gateway/manage/features/orders/public.ts'
import { logReview, tellMoved, tellQueued } from '../review-events.ts'
import { nextState } from '../review-refusals.ts'
import type { ReviewRow } from '../review-row.ts'
import { lockReview, type LockedReview, moveReview, requireVersion } from '../review-store.ts'
import { orderStatusOf } from './order-status.ts'

/** What an earlier round left behind; the next one begins clean. */
export const NEW_ROUND = sql`manual_id = null, manual_result = null, reject_code = null, pre_reject_code = null, quota_reject = false, checklist = null, decided_at = null, reviewer_id = null, reviewer_name = null`

/** @throws Problem G404, G409, V-STATE (also: retries left, or spent), and what the order refuses (O-STATE) */
export async function retryReview(
  cx: Cx,
  { reviewId, version, to: target, remark }: InputOf<typeof retryCall>,
): Promise<ReviewRow> {
  const review = await lockReview(cx, reviewId)
  await requireVersion(cx, review, version)
  return retryAbnormal(cx, review, target === 'initial' ? 'RETRY' : 'SEND_MANUAL', remark ?? null)
}

/** Of a locked review. @throws Problem V-STATE, O-STATE */
export async function retryAbnormal(
  cx: Cx,
  review: LockedReview,
  type: 'RETRY' | 'SEND_MANUAL',
  note: string | null = null,
): Promise<ReviewRow> {
  const to = await nextState(cx.db, review, { type, retryCount: review.retry_count })
  const more =
    type === 'RETRY' ? sql`retry_count = r.retry_count + 1` : sql`queued_at = clock_timestamp()`
  const row = await moveReview(cx, review, { event: type, to, set: [NEW_ROUND, more], note })
  tellMoved(cx, review.state, row)
  if (type === 'SEND_MANUAL') {
    tellQueued(cx, row)
    if ((await orderStatusOf(cx, review.order_id)) === 10)
      await moveOrder(
        cx,
        review.order_id,
        { type: 'AUTO_UNDECIDED', needManual: true, outputAbnormal: true },
        { cause: 'machineReview' },
      )
  }
  if (to === 'initial') cx.afterCommit(() => cx.house.wakeSchedule('machineReview'))
  logReview(cx, 'retry', review, row)
  return row
}
