/** A claim that ends without a decision: the review goes back to the queue at its old place. */
import type { Cx } from '#gateway/manage/kernel/command.ts'
import type { ReviewEvent } from '#shared/review/review-lifecycle.ts'
import { closePendingHandover } from '../handovers/handover-store.ts'
import { type ReleaseCause, tellQueued, tellReleased } from '../review-events.ts'
import { nextState } from '../review-refusals.ts'
import type { ReviewRow } from '../review-row.ts'
import { type LockedReview, moveReview, NO_HOLDER } from '../review-store.ts'

/** @throws Problem V-STATE when the lifecycle refuses; nothing is written then */
export async function backToQueue(
  cx: Cx,
  review: LockedReview,
  event: ReviewEvent,
  cause: ReleaseCause,
  note: string | null = null,
): Promise<ReviewRow> {
  const to = await nextState(cx.db, review, event)
  const set = [NO_HOLDER, ...(await closePendingHandover(cx, review))]
  const row = await moveReview(cx, review, { event: event.type, to, set, note: note ?? cause })
  tellReleased(cx, review, row, cause)
  tellQueued(cx, row)
  return row
}
