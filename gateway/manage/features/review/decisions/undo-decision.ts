/**
 * UNDO of a decision by the person who made it, while the post checks still wait: the review is
 * claimed and open again, as it was before.
 */
import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { undoDecision as undoCall } from '#shared/review/review-api.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { intParameter } from '#gateway/manage/kernel/parameters.ts'
import { emitClaimed, emitMoved, logReview } from '../review-events.ts'
import { nextState } from '../review-refusals.ts'
import type { ReviewRow } from '../review-row.ts'
import { CLAIMS, lockReview, moveReview, requireVersion } from '../review-store.ts'

/**
 * The claim does not count against the capacity: it was given up by the decision only.
 * @throws Problem G404, G409 (it has changed since), V-STATE (too late, or not the own decision)
 */
export async function undoDecision(
  tx: CommandTx,
  { reviewId, version }: InputOf<typeof undoCall>,
): Promise<ReviewRow> {
  const actor = staff(tx.actor)
  const review = await lockReview(tx, reviewId)
  if (review.state === 'audited') await requireVersion(tx, review, version)
  const { rows } = await sql<{ in_time: boolean; was_escalated: boolean }>`
    select r.decided_at > clock_timestamp() - make_interval(secs => ${intParameter('review.undoSeconds')})
        as in_time,
      exists (select from review_log l where l.review_id = r.id and l.event = 'DECIDE') as was_escalated
    from review r where r.id = ${review.id}`.execute(tx.db)
  const found = rows[0] as { in_time: boolean | null; was_escalated: boolean }
  const to = await nextState(tx.db, review, {
    type: 'UNDO',
    isDecider: review.reviewer_id === actor.userId && review.manual_result !== null,
    inTime: found.in_time === true,
    isEscalated: found.was_escalated,
    isChecked: review.quality !== 'notChecked',
  })
  const row = await moveReview(tx, review, {
    event: 'UNDO',
    to,
    set: [
      sql`manual_id = null, manual_result = null, reject_code = null, remark = null, checklist = null,
        decided_at = null, first_reviewer_id = null`,
      CLAIMS.newHolder(actor),
    ],
    note: review.reject_code ?? review.manual_result,
  })
  emitMoved(tx, review.state, row)
  emitClaimed(tx, row)
  logReview(tx, 'undoDecision', review, row, { result: review.manual_result })
  return row
}
