/**
 * HEARTBEAT of a visible tab, each 30 s: no business row changes, so no transaction, version or event. `liveUntil` moves with
 * every beat of any claim (domain.md 2.7), `idleUntil` only by input that is newer than the last one known, which is
 * `idleUntil` less the idle time. The client's clock is trusted no further than now: a clock some 90 s off makes the idle
 * time 90 s longer or shorter, never endless.
 */
import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { renewReview } from '#shared/review/review-api.ts'
import { intParameter } from '#gateway/manage/kernel/parameters.ts'
import type { Query } from '#gateway/manage/kernel/serve.ts'
import { reviewsInScope } from '#gateway/manage/kernel/scope.ts'
import { claimLost, type RefusedReview } from '../review-refusals.ts'

/** Holders are warned this long before the end (ux: the countdown turns red). */
export const WARNING_SECONDS = 60

/** @throws Problem V-LEASE with who holds it now, G404 for a review never held by the caller and outside his scope */
export async function renewClaim(
  { db, actor }: Query,
  { reviewId, token, lastInputTime }: InputOf<typeof renewReview>,
): Promise<DataOf<typeof renewReview>> {
  const { rows } = await sql<DataOf<typeof renewReview>>`
    with clocks as (
      select r.id, clock_timestamp() + make_interval(secs => ${intParameter('review.liveSeconds')}) as live_until,
        greatest(r.idle_until, least(${lastInputTime}::timestamptz, clock_timestamp()) + make_interval(mins => ${intParameter('review.idleMinutes')})) as idle_until
      from review r
      where r.id = ${reviewId} and r.reviewer_id = ${actor.userId} and r.token = ${token} and least(r.idle_until, r.live_until) > clock_timestamp()
      for update of r
    ), renewed as (
      update review r set live_until = c.live_until, idle_until = c.idle_until,
        warned_at = case when least(c.live_until, c.idle_until) <= clock_timestamp() + make_interval(secs => ${WARNING_SECONDS}) then r.warned_at end
      from clocks c where r.id = c.id returning r.live_until, r.idle_until
    )
    select least(w.live_until, w.idle_until) as "leaseUntil", w.idle_until as "idleUntil", w.live_until as "liveUntil" from renewed w`.execute(
    db,
  )
  const lease = rows[0]
  if (lease) return lease
  const refused = await sql<RefusedReview>`
    select r.id, r.state, r.reviewer_name, coalesce(least(r.idle_until, r.live_until) > clock_timestamp(), false) as is_held, r.finished_at from review r
    where r.id = ${reviewId} and (${reviewsInScope(actor)} or exists (select 1 from review_log l where l.review_id = r.id and l.holder_id = ${actor.userId}))`.execute(
    db,
  )
  throw refused.rows[0] ? await claimLost(db, refused.rows[0]) : new Problem(NOT_FOUND)
}
