/**
 * CLAIM: the hot path of the desk. The next reviews are one statement: rows that a colleague is claiming at this moment are
 * skipped, so nobody waits and no row is taken twice. Named reviews are locked, so the loser learns who won.
 */
import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { INVALID_FIELDS, NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { claimReviews as claimCall } from '#shared/review/review-api.ts'
import { reviewLifecycle } from '#shared/review/review-lifecycle.ts'
import {
  ALREADY_CLAIMED,
  OWN_REVIEW,
  QUEUE_EMPTY,
  REVIEW_STATE,
  TOO_MANY_CLAIMS,
} from '#shared/review/review-problems.ts'
import { type StaffActor, staff } from '#gateway/manage/kernel/actor.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { reviewsInScope } from '#gateway/manage/kernel/scope.ts'
import { logReview, MENU, tellClaimed, tellMoved } from '../review-events.ts'
import { seesQueue } from '../queue-stats.ts'
import { freshRow, nextState } from '../review-refusals.ts'
import { NO_HANDOVER, REVIEW_JSON, type ReviewRow, ROW_COLUMNS } from '../review-row.ts'
import { lockReviews, type LockedReview, moveReview, newHolder } from '../review-store.ts'
import { failedRow } from '#gateway/manage/kernel/row-by-row.ts'
import { CAPACITY, HELD_BY, takeSeat } from './capacity.ts'

type Claimed = DataOf<typeof claimCall>

/** @throws Problem V-MAX, V-EMPTY; for one named review also V-TAKEN, V-SELF, V-STATE, G404, which for several stand in `failed` */
export async function claimReviews(
  cx: Cx,
  { reviewIds, count }: InputOf<typeof claimCall>,
): Promise<Claimed> {
  if (reviewIds === undefined && count === undefined)
    throw new Problem(INVALID_FIELDS, {}, { fields: { count: 'required' } })
  const actor = staff(cx.actor)
  // asked for at once, so that they travel together; the claim runs, and sees the desk as it is, when the seat is his
  const [, claimed] = await Promise.all([
    takeSeat(cx, actor.userId),
    reviewIds === undefined ? claimNext(cx, actor, count ?? 1) : claimNamed(cx, actor, reviewIds),
  ])
  return claimed
}

/** The maker of the data is whoever submitted the application, when that was a member of staff. One look into the log per row: as a join it would be read whole. */
const isMaker = (userId: string) =>
  sql<boolean>`((select l.by_user_id from order_status_log l where l.order_id = r.order_id and l.from_status is null order by l.at limit 1) is not distinct from ${userId})`

async function claimNext(cx: Cx, actor: StaffActor, count: number): Promise<Claimed> {
  if (!seesQueue(actor)) throw new Problem(QUEUE_EMPTY)
  const { rows } = await sql<{ held: number; capacity: number; claimed: ReviewRow[] | null }>`
    with seat as (
      select ${HELD_BY(actor.userId)} as held, ${CAPACITY} as capacity
    ), picked as (
      -- the outer limit says nothing new but to the planner, which cannot know how much room the seat has
      select p.id from (
        select r.id from review r
        where r.state = 'unclaimed' and not ${isMaker(actor.userId)}
        order by r.priority desc, r.queued_at, r.id
        limit (select greatest(0, least(${count}::int, s.capacity - s.held)) from seat s)
        for update of r skip locked
      ) p limit ${sql.lit(count)}
    ), claimed as (
      update review r set state = 'toAudit', version = r.version + 1, updated_at = clock_timestamp(), ${newHolder(actor)}
      from picked p where r.id = p.id returning ${ROW_COLUMNS}
    ), logged as (
      insert into review_log (review_id, event, from_state, to_state, token, by_user_id, by_name, holder_id)
      select c.id, 'CLAIM', 'unclaimed', c.state, c.token, ${actor.userId}::text, ${actor.userName}::text, c.reviewer_id from claimed c
    )
    select s.held, s.capacity, (select json_agg(${REVIEW_JSON} order by r.priority desc, r.queued_at, r.id) from claimed r ${NO_HANDOVER}) as claimed from seat s`.execute(
    cx.db,
  )
  const { held, capacity, claimed } = rows[0] as {
    held: number
    capacity: number
    claimed: ReviewRow[] | null
  }
  if (claimed === null)
    throw held >= capacity
      ? new Problem(TOO_MANY_CLAIMS, { n: capacity })
      : new Problem(QUEUE_EMPTY)
  for (const [i, row] of claimed.entries()) {
    // the statement above carries the lifecycle's guards; the lifecycle has the last word before the commit
    reviewLifecycle.next('unclaimed', {
      type: 'CLAIM',
      openClaims: held + i,
      capacity,
      isMaker: false,
    })
    tellClaimed(cx, row)
    tellMoved(cx, 'unclaimed', row)
    cx.log({
      menu: MENU,
      action: 'claim',
      targetKind: 'review',
      targetId: row.reviewId,
      before: { state: 'unclaimed', version: row.version - 1 },
      after: {
        state: row.state,
        reviewerId: row.reviewerId,
        token: row.token,
        version: row.version,
      },
    })
  }
  return { ok: claimed, failed: [] }
}

async function claimNamed(
  cx: Cx,
  actor: StaffActor,
  reviewIds: readonly string[],
): Promise<Claimed> {
  const ids = [...new Set(reviewIds)]
  // a review that was in the queue once was announced to everybody there: the loser of a race may know the winner's name
  const known = seesQueue(actor)
    ? sql<boolean>`(${reviewsInScope(actor)} or r.queued_at is not null)`
    : reviewsInScope(actor)
  const locked = new Map(
    (await lockReviews(cx, sql<boolean>`r.id = any(${ids}) and ${known}`)).map((review) => [
      review.id,
      review,
    ]),
  )
  const seat = await seatOf(cx, actor, ids)
  const result: Claimed = { ok: [], failed: [] }
  for (const id of ids) {
    try {
      result.ok.push(await claimOne(cx, actor, locked.get(id), seat))
    } catch (error) {
      // a race for one review is answered as such
      if (ids.length === 1) throw error
      result.failed.push(failedRow(id, error))
    }
  }
  return result
}

interface Seat {
  held: number
  capacity: number
  own: ReadonlySet<string>
}

async function seatOf(cx: Cx, actor: StaffActor, ids: readonly string[]): Promise<Seat> {
  const { rows } = await sql<{ held: number; capacity: number; own: string[] | null }>`
    select ${HELD_BY(actor.userId)} as held, ${CAPACITY} as capacity, (select array_agg(r.id) from review r where r.id = any(${ids}) and ${isMaker(actor.userId)}) as own`.execute(
    cx.db,
  )
  const { held, capacity, own } = rows[0] as {
    held: number
    capacity: number
    own: string[] | null
  }
  return { held, capacity, own: new Set(own) }
}

async function claimOne(
  cx: Cx,
  actor: StaffActor,
  review: LockedReview | undefined,
  seat: Seat,
): Promise<ReviewRow> {
  if (!review) throw new Problem(NOT_FOUND)
  // his own claim, asked for again because the answer was lost
  if (review.is_held && review.reviewer_id === actor.userId) return freshRow(cx.db, review.id)
  if (review.state !== 'unclaimed') throw lost(review)
  const isMakerOfIt = seat.own.has(review.id)
  if (isMakerOfIt) throw new Problem(OWN_REVIEW)
  if (seat.held >= seat.capacity) throw new Problem(TOO_MANY_CLAIMS, { n: seat.capacity })
  const to = await nextState(cx.db, review, {
    type: 'CLAIM',
    openClaims: seat.held,
    capacity: seat.capacity,
    isMaker: isMakerOfIt,
  })
  const row = await moveReview(cx, review, { event: 'CLAIM', to, set: [newHolder(actor)] })
  seat.held += 1
  tellClaimed(cx, row)
  tellMoved(cx, review.state, row)
  logReview(cx, 'claim', review, row)
  return row
}

/** The row itself is not in the answer: the caller may know that it is gone, not what is in it. */
function lost({ state, reviewer_name: userName }: LockedReview): Problem {
  return userName === null
    ? new Problem(REVIEW_STATE, { state }, { state, event: 'CLAIM', allowed: [] })
    : new Problem(ALREADY_CLAIMED, { userName })
}
