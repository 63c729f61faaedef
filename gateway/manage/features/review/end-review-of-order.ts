import { sql } from 'kysely'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { closePendingHandover } from './handovers/handover-store.ts'
import { logReview, notifyAboutReview, emitMoved, emitReleased } from './review-events.ts'
import { nextState } from './review-refusals.ts'
import { CLAIMS, type LockedReview, lockReviews, moveReview } from './review-store.ts'

const FINISHED = sql`finished_at = clock_timestamp()`

/**
 * The order was cancelled in 10 or 22: its review ends without a result, a holder loses the claim
 * and is notified, and a pending hand-over is rejected with cause closed.
 */
export async function endReviewOfOrder(tx: CommandTx, orderId: string): Promise<void> {
  for (const review of await lockReviews(
    tx,
    sql<boolean>`r.order_id = ${orderId} and r.finished_at is null`,
  ))
    await endReview(tx, review)
}

async function endReview(tx: CommandTx, review: LockedReview): Promise<void> {
  const isClaimed = review.state === 'toAudit' || review.state === 'underReview'
  const to = await nextState(tx.db, review, { type: 'ORDER_CANCELLED' })
  const set = isClaimed
    ? [CLAIMS.noHolder, FINISHED, ...(await closePendingHandover(tx, review))]
    : [FINISHED]
  const row = await moveReview(tx, review, { event: 'ORDER_CANCELLED', to, set })
  if (isClaimed) {
    emitReleased(tx, review, row, 'cancelled')
    notifyAboutReview(tx, review.reviewer_id, 'taken', 'orderCancelled', row)
  }
  emitMoved(tx, review.state, row)
  logReview(tx, 'end', review, row, { cause: 'cancelled' })
}
