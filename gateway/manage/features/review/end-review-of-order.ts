import { sql } from 'kysely'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { closePendingHandover } from './handovers/handover-store.ts'
import { logReview, notifyOf, tellMoved, tellReleased } from './review-events.ts'
import { nextState } from './review-refusals.ts'
import { lockReviews, type LockedReview, moveReview, NO_HOLDER } from './review-store.ts'

const FINISHED = sql`finished_at = clock_timestamp()`

/**
 * An order in 10 or 22 was cancelled (domain.md 3: review item closed, lease revoked): its review ends without a verdict. A
 * holder loses his claim and is told; a pending hand-over is rejected, cause closed.
 */
export async function endReviewOfOrder(cx: Cx, orderId: string): Promise<void> {
  for (const review of await lockReviews(
    cx,
    sql<boolean>`r.order_id = ${orderId} and r.finished_at is null`,
  ))
    await endReview(cx, review)
}

async function endReview(cx: Cx, review: LockedReview): Promise<void> {
  const isClaimed = review.state === 'toAudit' || review.state === 'underReview'
  const to = await nextState(cx.db, review, { type: 'ORDER_CANCELLED' })
  const set = isClaimed
    ? [NO_HOLDER, FINISHED, ...(await closePendingHandover(cx, review))]
    : [FINISHED]
  const row = await moveReview(cx, review, { event: 'ORDER_CANCELLED', to, set })
  if (isClaimed) {
    tellReleased(cx, review, row, 'cancelled')
    notifyOf(cx, review.reviewer_id, 'taken', 'orderCancelled', row)
  }
  tellMoved(cx, review.state, row)
  logReview(cx, 'end', review, row, { cause: 'cancelled' })
}
