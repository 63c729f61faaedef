import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { FORBIDDEN, Problem } from '#shared/kernel/problem.ts'
import type { appealQuality as appealCall } from '#shared/review/review-api.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { intParameter } from '#gateway/manage/kernel/parameters.ts'
import { logReview, notifyOf, tellQuality } from '../review-events.ts'
import { wrongState } from '../review-refusals.ts'
import type { ReviewRow } from '../review-row.ts'
import { changeReview, lockReview, requireVersion } from '../review-store.ts'

/** The reviewer's one appeal against a failed check, within `quality.appealHours`. @throws Problem G404, G403 (not his decision), G409, V-STATE (no fail, appealed before, too late) */
export async function appealQuality(
  cx: Cx,
  { reviewId, version, reason }: InputOf<typeof appealCall>,
): Promise<ReviewRow> {
  const actor = staff(cx.actor)
  const review = await lockReview(cx, reviewId)
  if (review.reviewer_id !== actor.userId) throw new Problem(FORBIDDEN)
  await requireVersion(cx, review, version)
  if (review.quality !== 'fail' || review.appeal_state !== null || !(await isInTime(cx, reviewId)))
    throw await wrongState(cx.db, review, 'APPEAL', [], review.appeal_state ?? review.quality)
  const row = await changeReview(cx, review, {
    event: 'APPEAL',
    set: [
      sql`appeal_state = 'open', appeal_reason = ${reason}, appeal_by = ${actor.userId}, appeal_at = clock_timestamp()`,
    ],
    note: reason,
  })
  tellQuality(cx, row)
  logReview(cx, 'appeal', review, row, { reason })
  notifyOf(cx, review.quality_by, 'decision', 'appealed', row)
  return row
}

async function isInTime(cx: Cx, reviewId: string): Promise<boolean> {
  const { rows } = await sql<{ in_time: boolean }>`
    select r.quality_at + make_interval(hours => ${intParameter('quality.appealHours')}) >= clock_timestamp() as in_time from review r where r.id = ${reviewId}`.execute(
    cx.db,
  )
  return rows[0]?.in_time ?? false
}
