import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { FORBIDDEN, Problem } from '#shared/kernel/problem.ts'
import type { appealQuality as appealCall } from '#shared/review/review-quality-api.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { intParameter } from '#gateway/manage/kernel/parameters.ts'
import { logReview, notifyAboutReview, emitQuality } from '../review-events.ts'
import { wrongState } from '../review-refusals.ts'
import type { ReviewRow } from '../review-row.ts'
import { changeReview, lockReview, requireVersion } from '../review-store.ts'

/**
 * The reviewer's single appeal against a failed check, within `quality.appealHours`.
 * @throws Problem G404, G403 (not the caller's decision), G409, V-STATE (no fail, already appealed,
 * too late)
 */
export async function appealQuality(
  tx: CommandTx,
  { reviewId, version, reason }: InputOf<typeof appealCall>,
): Promise<ReviewRow> {
  const actor = staff(tx.actor)
  const review = await lockReview(tx, reviewId)
  if (review.reviewer_id !== actor.userId) throw new Problem(FORBIDDEN)
  await requireVersion(tx, review, version)
  if (review.quality !== 'fail' || review.appeal_state !== null || !(await isInTime(tx, reviewId)))
    throw await wrongState(tx.db, review, 'APPEAL', [], review.appeal_state ?? review.quality)
  const row = await changeReview(tx, review, {
    event: 'APPEAL',
    set: [
      sql`
        appeal_state = 'open', appeal_reason = ${reason}, appeal_by = ${actor.userId},
          appeal_at = clock_timestamp()`,
    ],
    note: reason,
  })
  emitQuality(tx, row)
  logReview(tx, 'appeal', review, row, { reason })
  notifyAboutReview(tx, review.quality_by, 'decision', 'appealed', row)
  return row
}

async function isInTime(tx: CommandTx, reviewId: string): Promise<boolean> {
  const { rows } = await sql<{ in_time: boolean }>`
    select r.quality_at + make_interval(hours => ${intParameter('quality.appealHours')}) >=
      clock_timestamp() as in_time from review r where r.id = ${reviewId}`.execute(tx.db)
  return rows[0]?.in_time ?? false
}
