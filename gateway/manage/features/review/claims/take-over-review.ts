import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { takeOverReview as takeOverCall } from '#shared/review/review-api.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { closePendingHandover } from '../handovers/handover-store.ts'
import { logReview, notifyOf, tellClaimed, tellMoved, tellReleased } from '../review-events.ts'
import { nextState, wrongState } from '../review-refusals.ts'
import type { ReviewRow } from '../review-row.ts'
import { lockReview, moveReview, newHolder, requireVersion } from '../review-store.ts'

/** TAKE_OVER: the leader holds it from now on, the earlier holder is told. @throws Problem G404, G409, V-STATE (also for his own claim) */
export async function takeOverReview(
  cx: Cx,
  { reviewId, version, reason }: InputOf<typeof takeOverCall>,
): Promise<ReviewRow> {
  const actor = staff(cx.actor)
  const review = await lockReview(cx, reviewId)
  await requireVersion(cx, review, version)
  if (review.reviewer_id === actor.userId) throw await wrongState(cx.db, review, 'TAKE_OVER')
  const to = await nextState(cx.db, review, { type: 'TAKE_OVER', reason })
  const set = [newHolder(actor), ...(await closePendingHandover(cx, review))]
  const row = await moveReview(cx, review, { event: 'TAKE_OVER', to, set, note: reason })
  // first who has it, then who lost it: a screen keeps the first value it hears of a version
  tellClaimed(cx, row)
  tellReleased(cx, review, row, 'takenOver')
  tellMoved(cx, review.state, row)
  logReview(cx, 'takeOver', review, row, { reason })
  notifyOf(cx, review.reviewer_id, 'taken', 'taken', row)
  return row
}
