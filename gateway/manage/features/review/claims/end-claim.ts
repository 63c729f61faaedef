/** Ends a claim without a decision: the review returns to its old place in the queue. */
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import type { ReviewEvent } from '#shared/review/review-lifecycle.ts'
import { closePendingHandover } from '../handovers/handover-store.ts'
import { type ReleaseCause, emitQueued, emitReleased } from '../review-events.ts'
import { nextState } from '../review-refusals.ts'
import type { ReviewRow } from '../review-row.ts'
import { CLAIMS, type LockedReview, moveReview } from '../review-store.ts'

/** @throws Problem V-STATE when the lifecycle refuses; nothing is written then */
export async function backToQueue(
  tx: CommandTx,
  review: LockedReview,
  event: ReviewEvent,
  cause: ReleaseCause,
  note: string | null = null,
): Promise<ReviewRow> {
  const to = await nextState(tx.db, review, event)
  const set = [CLAIMS.noHolder, ...(await closePendingHandover(tx, review))]
  const row = await moveReview(tx, review, { event: event.type, to, set, note: note ?? cause })
  emitReleased(tx, review, row, cause)
  emitQueued(tx, row)
  return row
}
