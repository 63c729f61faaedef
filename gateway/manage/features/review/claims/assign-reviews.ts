/**
 * ASSIGN: a leader gives unclaimed reviews to a reviewer on duty with capacity; in bulk as a job.
 */
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { BulkResult } from '#shared/kernel/page.ts'
import { Problem } from '#shared/kernel/problem.ts'
import type { assignReviews as assignCall } from '#shared/review/review-api.ts'
import { NOT_ON_DUTY, TOO_MANY_CLAIMS } from '#shared/review/review-problems.ts'
import { inBulk } from '#gateway/manage/jobs/in-bulk.ts'
import type { JobType } from '#gateway/manage/jobs/job-type.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { logReview, MENU, notifyAboutReview, emitClaimed, emitMoved } from '../review-events.ts'
import { nextState } from '../review-refusals.ts'
import { CLAIMS, lockReview, moveReview, writableOf } from '../review-store.ts'
import { type Target, targetOf } from './capacity.ts'

/**
 * @throws Problem G-SEL, G-MAX, G404 (unknown account), V-DUTY; V-MAX and V-STATE are reported per
 * row in `failed`
 */
export async function assignReviews(
  tx: CommandTx,
  { reviewIds, reviewerId }: InputOf<typeof assignCall>,
): Promise<BulkResult> {
  await dutyTarget(tx, reviewerId)
  return inBulk(tx, reviewIds, {
    type: assignReviewsJob,
    menu: MENU,
    params: { reviewerId },
    known: writableOf(tx.actor, reviewIds),
  })
}

/** The receiver is checked for each row: they may be full or off duty by now. */
export const assignReviewsJob: JobType = {
  type: 'review.assign',
  async row(tx, targetId, params) {
    await assignOne(tx, targetId, await dutyTarget(tx, String(params.reviewerId)))
  },
}

async function dutyTarget(tx: CommandTx, reviewerId: string): Promise<Target> {
  const target = await targetOf(tx, reviewerId)
  if (!target.isReviewer || !target.onDuty)
    throw new Problem(NOT_ON_DUTY, { userName: target.userName })
  return target
}

async function assignOne(tx: CommandTx, reviewId: string, target: Target): Promise<void> {
  const review = await lockReview(tx, reviewId)
  if (review.state === 'unclaimed' && target.openClaims >= target.capacity)
    throw new Problem(TOO_MANY_CLAIMS, { n: target.capacity })
  const to = await nextState(tx.db, review, {
    type: 'ASSIGN',
    onDuty: target.onDuty,
    openClaims: target.openClaims,
    capacity: target.capacity,
  })
  const row = await moveReview(tx, review, { event: 'ASSIGN', to, set: [CLAIMS.newHolder(target)] })
  emitClaimed(tx, row)
  emitMoved(tx, review.state, row)
  logReview(tx, 'assign', review, row)
  notifyAboutReview(tx, target.userId, 'assigned', 'assigned', row)
}
