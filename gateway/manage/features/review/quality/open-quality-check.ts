import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { Problem } from '#shared/kernel/problem.ts'
import type { openQualityCheck as openCall } from '#shared/review/review-quality-api.ts'
import { OWN_REVIEW } from '#shared/review/review-problems.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { logReview, emitQuality } from '../review-events.ts'
import type { ReviewRow } from '../review-row.ts'
import { changeReview, lockReview, type LockedReview, requireVersion } from '../review-store.ts'
import { nextQuality, requireDecided } from './quality-step.ts'

/**
 * SAMPLE_OPEN: an inspector opens a decided review for its quality check.
 * @throws Problem G404, G409, V-STATE, V-SELF
 */
export async function openQualityCheck(
  tx: CommandTx,
  { reviewId, version }: InputOf<typeof openCall>,
): Promise<ReviewRow> {
  const actor = staff(tx.actor)
  const review = await lockReview(tx, reviewId)
  await requireVersion(tx, review, version)
  await requireDecided(tx, review, 'SAMPLE_OPEN')
  refuseOwnReview(review, actor.userId)
  const to = await nextQuality(tx, review, {
    type: 'SAMPLE_OPEN',
    inspectorId: actor.userId,
    reviewerId: review.reviewer_id ?? '',
  })
  const row = await changeReview(tx, review, {
    event: 'SAMPLE_OPEN',
    set: [sql`quality = ${to}, quality_by = ${actor.userId}, quality_by_name = ${actor.userName}`],
  })
  emitQuality(tx, row)
  logReview(tx, 'qualityOpen', review, row, { quality: to })
  return row
}

/** Nobody may check an own decision, on the first level or the second. @throws Problem V-SELF */
export function refuseOwnReview(review: LockedReview, userId: string): void {
  if (review.reviewer_id === userId || review.first_reviewer_id === userId)
    throw new Problem(OWN_REVIEW)
}
