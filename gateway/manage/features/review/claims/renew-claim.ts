/**
 * HEARTBEAT of a visible tab, every 30 s. It changes no business row, so it needs no transaction,
 * version or event. Every heartbeat extends `liveUntil`; only newer input extends `idleUntil` (the
 * last known input is `idleUntil` less the idle time). Client times later than now count as now, so
 * a wrong client clock cannot extend the idle time without end.
 */
import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { renewReview } from '#shared/review/review-api.ts'
import { intParameter } from '#gateway/manage/kernel/parameters.ts'
import type { Query } from '#gateway/manage/kernel/serve.ts'
import { reviewsInScope } from '../review-scope.ts'
import { claimLost, type RefusedReview } from '../review-refusals.ts'

/** Holders are warned this long before the end, when the countdown turns red. */
export const WARNING_SECONDS = 60

/**
 * @throws Problem V-LEASE with the current holder, G404 for a review outside the caller's scope
 * that they never held
 */
export async function renewClaim(
  { db, actor }: Query,
  { reviewId, token, lastInputTime }: InputOf<typeof renewReview>,
): Promise<DataOf<typeof renewReview>> {
  const { rows } = await sql<DataOf<typeof renewReview>>`
    with clocks as (
      select r.id, clock_timestamp() + make_interval(secs => ${intParameter('review.liveSeconds')}) as
        live_until,
        greatest(r.idle_until, least(${lastInputTime}::timestamptz,
          clock_timestamp()) + make_interval(mins => ${intParameter('review.idleMinutes')})) as idle_until
      from review r
      where r.id = ${reviewId} and r.reviewer_id = ${actor.userId} and r.token = ${token}
        and least(r.idle_until, r.live_until) > clock_timestamp()
      for update of r
    ), renewed as (
      update review r set live_until = c.live_until, idle_until = c.idle_until,
        warned_at = case when least(c.live_until,
          c.idle_until) <= clock_timestamp() + make_interval(secs => ${WARNING_SECONDS}) then r.warned_at
          end
      from clocks c where r.id = c.id returning r.live_until, r.idle_until
    )
    select least(w.live_until, w.idle_until) as "leaseUntil", w.idle_until as "idleUntil",
      w.live_until as "liveUntil" from renewed w`.execute(db)
  const lease = rows[0]
  if (lease) return lease
  const refused = await sql<RefusedReview>`
    select r.id, r.state, r.reviewer_name, coalesce(least(r.idle_until, r.live_until) > clock_timestamp(),
      false) as is_held, r.finished_at from review r
    where r.id = ${reviewId} and (${reviewsInScope(actor)} or exists (select 1 from review_log l
      where l.review_id = r.id and l.holder_id = ${actor.userId}))`.execute(db)
  throw refused.rows[0] ? await claimLost(db, refused.rows[0]) : new Problem(NOT_FOUND)
}
