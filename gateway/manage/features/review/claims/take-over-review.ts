import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { takeOverReview as takeOverCall } from '#shared/review/review-api.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { closePendingHandover } from '../handovers/handover-store.ts'
import {
  logReview,
  notifyAboutReview,
  emitClaimed,
  emitMoved,
  emitReleased,
} from '../review-events.ts'
import { nextState, wrongState } from '../review-refusals.ts'
import type { ReviewRow } from '../review-row.ts'
import { CLAIMS, lockReview, moveReview, requireVersion } from '../review-store.ts'

/**
 * TAKE_OVER: the leader becomes the holder, and the former holder is notified.
 * @throws Problem G404, G409, V-STATE (also for an own claim)
 */
export async function takeOverReview(
  tx: CommandTx,
  { reviewId, version, reason }: InputOf<typeof takeOverCall>,
): Promise<ReviewRow> {
  const actor = staff(tx.actor)
  const review = await lockReview(tx, reviewId)
  await requireVersion(tx, review, version)
  if (review.reviewer_id === actor.userId) throw await wrongState(tx.db, review, 'TAKE_OVER')
  const to = await nextState(tx.db, review, { type: 'TAKE_OVER', reason })
  const set = [CLAIMS.newHolder(actor), ...(await closePendingHandover(tx, review))]
  const row = await moveReview(tx, review, { event: 'TAKE_OVER', to, set, note: reason })
  // the new holder first, then the loss: a screen keeps the first event of a version
  emitClaimed(tx, row)
  emitReleased(tx, review, row, 'takenOver')
  emitMoved(tx, review.state, row)
  logReview(tx, 'takeOver', review, row, { reason })
  notifyAboutReview(tx, review.reviewer_id, 'taken', 'taken', row)
  return row
}
