import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { renewReview } from '#shared/review/review-api.ts'
import { renewLease } from '#gateway/manage/kernel/claims/renew-lease.ts'
import type { Query } from '#gateway/manage/kernel/serve.ts'
import { claimLost, type RefusedReview } from '../review-refusals.ts'
import { CLAIMS, writable } from '../review-store.ts'

/**
 * @throws Problem V-LEASE with the current holder, G404 for a review outside the caller's scope
 * that they never held
 */
export async function renewClaim(
  { db, actor }: Query,
  { reviewId, token, lastInputTime }: InputOf<typeof renewReview>,
): Promise<DataOf<typeof renewReview>> {
  const lease = await renewLease<DataOf<typeof renewReview>>(db, CLAIMS, {
    id: reviewId,
    userId: actor.userId,
    token,
    lastInputTime,
  })
  if (lease) return lease
  const refused = await sql<RefusedReview>`
    select r.id, r.state, r.reviewer_name, coalesce(${CLAIMS.isHeld}, false) as is_held, r.finished_at
    from review r where r.id = ${reviewId} and ${writable(actor)}`.execute(db)
  throw refused.rows[0] ? await claimLost(db, refused.rows[0]) : new Problem(NOT_FOUND)
}
