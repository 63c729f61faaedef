import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { BulkResult } from '#shared/kernel/page.ts'
import type { releaseReviews as releaseCall } from '#shared/review/review-api.ts'
import { inBulk } from '#gateway/manage/jobs/in-bulk.ts'
import type { JobType } from '#gateway/manage/jobs/job-type.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { logReview, MENU } from '../review-events.ts'
import { lockReview, lockReviews, requireHolder, writableOf } from '../review-store.ts'
import { backToQueue } from './end-claim.ts'

/** RELEASE: the holder gives claims back. @throws Problem G-SEL, G-MAX; per row in `failed`: G404, V-LEASE, V-STATE */
export function releaseReviews(
  cx: Cx,
  { reviewIds, reason, token }: InputOf<typeof releaseCall>,
): Promise<BulkResult> {
  return inBulk(cx, reviewIds, {
    type: releaseReviewsJob,
    menu: MENU,
    params: { reason, token: token ?? null },
    known: writableOf(cx.actor, reviewIds),
  })
}

export const releaseReviewsJob: JobType = {
  type: 'review.release',
  async row(cx, id, params) {
    const reason = String(params.reason)
    const review = await lockReview(cx, id)
    const holder = await requireHolder(
      cx,
      review,
      params.token === null ? undefined : Number(params.token),
    )
    const row = await backToQueue(
      cx,
      review,
      { type: 'RELEASE', ...holder, reason },
      'released',
      reason,
    )
    logReview(cx, 'release', review, row, { reason })
  },
}

/** Gives back whatever a person holds: his session ends. A lease that has run out is freed as such. */
export async function releaseClaimsOf(
  cx: Cx,
  userId: string,
  cause: 'logout' | 'offDuty',
): Promise<void> {
  for (const review of await lockReviews(
    cx,
    sql<boolean>`r.reviewer_id = ${userId} and r.state in ('toAudit', 'underReview')`,
  )) {
    const row = review.lease_over
      ? await backToQueue(cx, review, { type: 'LEASE_EXPIRED', leaseOver: true }, 'expired')
      : await backToQueue(
          cx,
          review,
          { type: 'RELEASE', isOwner: true, tokenCurrent: true, reason: cause },
          cause,
        )
    logReview(cx, 'release', review, row, { cause })
  }
}
