import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { Problem } from '#shared/kernel/problem.ts'
import type { QualityEvent } from '#shared/review/quality-lifecycle.ts'
import {
  isQualityFailCode,
  isQualityPassCode,
  needsRemark,
  type QualityCode,
  qualityClassOf,
  type Verdict,
} from '#shared/review/reject-reasons.ts'
import type { checkQuality as checkCall } from '#shared/review/review-quality-api.ts'
import { REASON_NEEDED } from '#shared/review/review-problems.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { logReview, notifyAboutReview, emitQuality } from '../review-events.ts'
import type { ReviewRow } from '../review-row.ts'
import { changeReview, lockReview, requireVersion } from '../review-store.ts'
import { refuseOwnReview } from './open-quality-check.ts'
import { nextQuality, requireDecided } from './quality-step.ts'

/**
 * QC_PASS, QC_FAIL: the result never changes the order's decision.
 * @throws Problem G404, G409, V-STATE, V-SELF, V-REA
 */
export async function checkQuality(
  tx: CommandTx,
  { reviewId, version, result, qualityCode, remark = '' }: InputOf<typeof checkCall>,
): Promise<ReviewRow> {
  const actor = staff(tx.actor)
  const review = await lockReview(tx, reviewId)
  await requireVersion(tx, review, version)
  const event: QualityEvent =
    result === 'pass' ? { type: 'QC_PASS', qualityCode } : { type: 'QC_FAIL', qualityCode, remark }
  await requireDecided(tx, review, event.type)
  refuseOwnReview(review, actor.userId)
  if (review.quality === 'checked') requireQualityReason(result, qualityCode, remark)
  const to = await nextQuality(tx, review, event)
  // a decided review has a decision
  const qualityClass = isQualityFailCode(qualityCode)
    ? qualityClassOf(qualityCode, review.manual_result as Verdict)
    : null
  const set = [
    sql`
      quality = ${to}, quality_code = ${qualityCode}, quality_class = ${qualityClass},
        quality_remark = ${remark || null}`,
    sql`quality_by = ${actor.userId}, quality_by_name = ${actor.userName}, quality_at = clock_timestamp()`,
  ]
  const row = await changeReview(tx, review, { event: event.type, set, note: qualityCode })
  emitQuality(tx, row)
  logReview(tx, 'quality', review, row, { quality: to, qualityCode })
  notifyAboutReview(
    tx,
    review.reviewer_id,
    'decision',
    result === 'pass' ? 'qualityPassed' : 'qualityFailed',
    row,
  )
  return row
}

function requireQualityReason(result: 'pass' | 'fail', code: QualityCode, remark: string): void {
  const fits =
    result === 'pass'
      ? isQualityPassCode(code)
      : isQualityFailCode(code) && (!needsRemark(code) || remark !== '')
  if (!fits) throw new Problem(REASON_NEEDED)
}
