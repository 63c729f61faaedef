import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { BulkResult } from '#shared/kernel/page.ts'
import type { releaseReviews as releaseCall } from '#shared/review/review-api.ts'
import { inBulk } from '#gateway/manage/jobs/in-bulk.ts'
import type { JobType } from '#gateway/manage/jobs/job-type.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { logReview, MENU } from '../review-events.ts'
import { lockReview, lockReviews, requireHolder, writableOf } from '../review-store.ts'
import { backToQueue } from './end-claim.ts'

/**
 * RELEASE: the holder releases claims.
 * @throws Problem G-SEL, G-MAX; per row in `failed`: G404, V-LEASE, V-STATE
 */
export function releaseReviews(
  tx: CommandTx,
  { reviewIds, reason, token }: InputOf<typeof releaseCall>,
): Promise<BulkResult> {
  return inBulk(tx, reviewIds, {
    type: releaseReviewsJob,
    menu: MENU,
    params: { reason, token: token ?? null },
    known: writableOf(tx.actor, reviewIds),
  })
}

export const releaseReviewsJob: JobType = {
  type: 'review.release',
  async row(tx, id, params) {
    const reason = String(params.reason)
    const review = await lockReview(tx, id)
    const holder = await requireHolder(
      tx,
      review,
      params.token === null ? undefined : Number(params.token),
    )
    const row = await backToQueue(
      tx,
      review,
      { type: 'RELEASE', ...holder, reason },
      'released',
      reason,
    )
    logReview(tx, 'release', review, row, { reason })
  },
}

/** Releases all claims of a person whose session ended; expired leases are freed as expired. */
export async function releaseClaimsOf(
  tx: CommandTx,
  userId: string,
  cause: 'logout' | 'offDuty',
): Promise<void> {
  for (const review of await lockReviews(
    tx,
    sql<boolean>`r.reviewer_id = ${userId} and r.state in ('toAudit', 'underReview')`,
  )) {
    const row = review.lease_over
      ? await backToQueue(tx, review, { type: 'LEASE_EXPIRED', leaseOver: true }, 'expired')
      : await backToQueue(
          tx,
          review,
          { type: 'RELEASE', isOwner: true, tokenCurrent: true, reason: cause },
          cause,
        )
    logReview(tx, 'release', review, row, { cause })
  }
}
