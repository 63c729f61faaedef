import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { escalateReview as escalateCall } from '#shared/review/review-api.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { closePendingHandover } from '../handovers/handover-store.ts'
import { logReview, emitMoved, emitReleased } from '../review-events.ts'
import { nextState } from '../review-refusals.ts'
import type { ReviewRow } from '../review-row.ts'
import { CLAIMS, lockReview, moveReview, requireHolder, requireVersion } from '../review-store.ts'

/**
 * ESCALATE to the second level: nobody holds it there, and the first reviewer may not decide it.
 * @throws Problem G404, V-LEASE, G409, V-STATE
 */
export async function escalateReview(
  tx: CommandTx,
  { reviewId, version, token, reason }: InputOf<typeof escalateCall>,
): Promise<ReviewRow> {
  const review = await lockReview(tx, reviewId)
  const holder = await requireHolder(tx, review, token)
  await requireVersion(tx, review, version)
  const to = await nextState(tx.db, review, { type: 'ESCALATE', ...holder, reason })
  const set = [
    sql`first_reviewer_id = ${review.reviewer_id}`,
    CLAIMS.noHolder,
    ...(await closePendingHandover(tx, review)),
  ]
  const row = await moveReview(tx, review, { event: 'ESCALATE', to, set, note: reason })
  emitMoved(tx, review.state, row)
  emitReleased(tx, review, row, 'escalated')
  logReview(tx, 'escalate', review, row, { reason })
  return row
}
