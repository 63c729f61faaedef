import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { Problem } from '#shared/kernel/problem.ts'
import type { decideAppeal as decideCall } from '#shared/review/review-quality-api.ts'
import { OWN_REVIEW } from '#shared/review/review-problems.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { intParameter } from '#gateway/manage/kernel/parameters.ts'
import { logReview, notifyAboutReview, emitQuality } from '../review-events.ts'
import { wrongState } from '../review-refusals.ts'
import type { ReviewRow } from '../review-row.ts'
import { changeReview, lockReview, type LockedReview, requireVersion } from '../review-store.ts'
import { nextQuality } from './quality-step.ts'

/**
 * A leader upholds the appeal (fail → pass) or dismisses it (the fail stays).
 * @throws Problem G404, G409, V-STATE, V-SELF (own check or own appeal)
 */
export async function decideAppeal(
  tx: CommandTx,
  { reviewId, version, result, reason }: InputOf<typeof decideCall>,
): Promise<ReviewRow> {
  const actor = staff(tx.actor)
  const review = await lockReview(tx, reviewId)
  await requireVersion(tx, review, version)
  if (review.quality !== 'fail' || review.appeal_state !== 'open')
    throw await wrongState(
      tx.db,
      review,
      'APPEAL_DECIDE',
      [],
      review.appeal_state ?? review.quality,
    )
  if (review.quality_by === actor.userId || review.appeal_by === actor.userId)
    throw new Problem(OWN_REVIEW)
  const quality = result === 'upheld' ? await upheld(tx, review, actor.userId) : review.quality
  const row = await changeReview(tx, review, {
    event: result === 'upheld' ? 'APPEAL_UPHELD' : 'APPEAL_DISMISSED',
    set: [sql`quality = ${quality}, appeal_state = ${result}, appeal_decide_reason = ${reason}`],
    note: reason,
  })
  emitQuality(tx, row)
  logReview(tx, 'appealDecide', review, row, { result, quality })
  notifyAboutReview(
    tx,
    review.appeal_by,
    'decision',
    result === 'upheld' ? 'appealUpheld' : 'appealDismissed',
    row,
  )
  return row
}

async function upheld(tx: CommandTx, review: LockedReview, deciderId: string) {
  const { rows } = await sql<{ hours: number; most: number }>`
    select (extract(epoch from r.appeal_at - r.quality_at) / 3600)::float8 as hours,
      ${intParameter('quality.appealHours')} as most from review r where r.id = ${review.id}`.execute(
    tx.db,
  )
  const { hours, most } = rows[0] as { hours: number; most: number }
  return nextQuality(tx, review, {
    type: 'APPEAL_UPHELD',
    appealState: review.appeal_state,
    hoursToAppeal: hours,
    appealHours: most,
    deciderId,
    inspectorId: review.quality_by ?? '',
  })
}
