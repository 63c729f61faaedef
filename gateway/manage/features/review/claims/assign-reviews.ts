/** ASSIGN: a leader gives unclaimed reviews to a reviewer on duty with capacity; many of them become a job. */
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { BulkResult } from '#shared/kernel/page.ts'
import { Problem } from '#shared/kernel/problem.ts'
import type { assignReviews as assignCall } from '#shared/review/review-api.ts'
import { NOT_ON_DUTY, TOO_MANY_CLAIMS } from '#shared/review/review-problems.ts'
import { inBulk } from '#gateway/manage/jobs/in-bulk.ts'
import type { JobType } from '#gateway/manage/jobs/job-type.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { logReview, MENU, notifyOf, tellClaimed, tellMoved } from '../review-events.ts'
import { nextState } from '../review-refusals.ts'
import { lockReview, moveReview, newHolder, writableOf } from '../review-store.ts'
import { type Target, targetOf } from './capacity.ts'

/** @throws Problem G-SEL, G-MAX, G404 (no such account), V-DUTY; V-MAX and V-STATE stand in `failed` per row */
export async function assignReviews(
  cx: Cx,
  { reviewIds, reviewerId }: InputOf<typeof assignCall>,
): Promise<BulkResult> {
  await dutyTarget(cx, reviewerId)
  return inBulk(cx, reviewIds, {
    type: assignReviewsJob,
    menu: MENU,
    params: { reviewerId },
    known: writableOf(cx.actor, reviewIds),
  })
}

/** The target is looked at for each row: he may be full or gone by now. */
export const assignReviewsJob: JobType = {
  type: 'review.assign',
  async row(cx, targetId, params) {
    await assignOne(cx, targetId, await dutyTarget(cx, String(params.reviewerId)))
  },
}

async function dutyTarget(cx: Cx, reviewerId: string): Promise<Target> {
  const target = await targetOf(cx, reviewerId)
  if (!target.isReviewer || !target.onDuty)
    throw new Problem(NOT_ON_DUTY, { userName: target.userName })
  return target
}

async function assignOne(cx: Cx, reviewId: string, target: Target): Promise<void> {
  const review = await lockReview(cx, reviewId)
  if (review.state === 'unclaimed' && target.openClaims >= target.capacity)
    throw new Problem(TOO_MANY_CLAIMS, { n: target.capacity })
  const to = await nextState(cx.db, review, {
    type: 'ASSIGN',
    onDuty: target.onDuty,
    openClaims: target.openClaims,
    capacity: target.capacity,
  })
  const row = await moveReview(cx, review, { event: 'ASSIGN', to, set: [newHolder(target)] })
  tellClaimed(cx, row)
  tellMoved(cx, review.state, row)
  logReview(cx, 'assign', review, row)
  notifyOf(cx, target.userId, 'assigned', 'assigned', row)
}
