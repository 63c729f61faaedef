/** ASSIGN: a leader gives unclaimed reviews to a reviewer on duty with capacity; many of them become a job. */
import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { BulkResult } from '#shared/kernel/page.ts'
import { NOTHING_SELECTED, Problem, TOO_MANY_ROWS } from '#shared/kernel/problem.ts'
import type { assignReviews as assignCall } from '#shared/review/review-api.ts'
import { NOT_ON_DUTY, TOO_MANY_CLAIMS } from '#shared/review/review-problems.ts'
import { startJob } from '#gateway/manage/jobs/start-job.ts'
import type { JobType } from '#gateway/manage/jobs/job-type.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { logReview, MENU, notifyOf, tellClaimed, tellMoved } from '../review-events.ts'
import { nextState } from '../review-refusals.ts'
import { intParameter, lockReview, moveReview, newHolder } from '../review-store.ts'
import { rowByRow } from '#gateway/manage/kernel/row-by-row.ts'
import { type Target, targetOf } from './capacity.ts'

const JOB = 'review.assign'

/** @throws Problem G-SEL, G-MAX, G404 (no such account), V-DUTY; V-MAX and V-STATE stand in `failed` per row */
export async function assignReviews(cx: Cx, { reviewIds, reviewerId }: InputOf<typeof assignCall>): Promise<BulkResult> {
  const ids = [...new Set(reviewIds)]
  if (ids.length === 0) throw new Problem(NOTHING_SELECTED)
  const { rows } = await sql<{ sync_max: number; most: number }>`select ${intParameter('bulk.syncMax')} as sync_max, ${intParameter('bulk.max')} as most`.execute(cx.db)
  const { sync_max: syncMax, most } = rows[0] as { sync_max: number; most: number }
  if (ids.length > most) throw new Problem(TOO_MANY_ROWS, { n: most })
  const target = await dutyTarget(cx, reviewerId)
  if (ids.length <= syncMax) return rowByRow(ids, (id) => assignOne(cx, id, target))
  const jobId = await startJob(cx, { type: JOB, menu: MENU, params: { reviewerId }, targetIds: ids })
  return { jobId, ok: [], failed: [] }
}

/** One row of a job: the target is looked at again, he may be full or gone by now. */
export const assignReviewsJob: JobType = {
  type: JOB,
  async row(cx, targetId, params) {
    await assignOne(cx, targetId, await dutyTarget(cx, String(params.reviewerId)))
  },
}

async function dutyTarget(cx: Cx, reviewerId: string): Promise<Target> {
  const target = await targetOf(cx, reviewerId)
  if (!target.isReviewer || !target.onDuty) throw new Problem(NOT_ON_DUTY, { userName: target.userName })
  return target
}

async function assignOne(cx: Cx, reviewId: string, target: Target): Promise<void> {
  const review = await lockReview(cx, reviewId)
  if (review.state === 'unclaimed' && target.openClaims >= target.capacity) throw new Problem(TOO_MANY_CLAIMS, { n: target.capacity })
  const to = await nextState(cx.db, review, { type: 'ASSIGN', onDuty: target.onDuty, openClaims: target.openClaims, capacity: target.capacity })
  const row = await moveReview(cx, review, { event: 'ASSIGN', to, set: [newHolder(target)] })
  target.openClaims += 1
  tellClaimed(cx, row)
  tellMoved(cx, review.state, row)
  logReview(cx, 'assign', review, row)
  notifyOf(cx, target.userId, 'assigned', 'assigned', row)
}
