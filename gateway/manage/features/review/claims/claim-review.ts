/** CLAIM of the next reviews, or of named ones, which are locked so that the loser learns who won. */
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
import { claimNext as claimNextRows } from '#gateway/manage/kernel/claims/claim-next.ts'
import { lockCapacity } from '#gateway/manage/kernel/claims/claim-table.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { reviewsInScope } from '../review-scope.ts'
import { logReview, MENU, emitClaimed, emitMoved } from '../review-events.ts'
import { seesQueue } from '../queue-stats.ts'
import { freshRow, nextState } from '../review-refusals.ts'
import { NO_HANDOVER, REVIEW_JSON, type ReviewRow, ROW_COLUMNS } from '../review-row.ts'
import { CLAIMS, lockReviews, type LockedReview, moveReview } from '../review-store.ts'
import { failedRow } from '#gateway/manage/kernel/row-by-row.ts'
import { CAPACITY, HELD_BY } from './capacity.ts'

type Claimed = DataOf<typeof claimCall>

/**
 * @throws Problem V-MAX, V-EMPTY; for one named review also V-TAKEN, V-SELF, V-STATE, G404, which
 * for several are reported in `failed`
 */
export async function claimReviews(
  tx: CommandTx,
  { reviewIds, count }: InputOf<typeof claimCall>,
): Promise<Claimed> {
  if (reviewIds === undefined && count === undefined)
    throw new Problem(INVALID_FIELDS, {}, { fields: { count: 'required' } })
  const actor = staff(tx.actor)
  // pipelined: the claim executes after the capacity lock is granted, with a fresh snapshot
  const [, claimed] = await Promise.all([
    lockCapacity(tx, CLAIMS.table, actor.userId),
    reviewIds === undefined ? claimNext(tx, actor, count ?? 1) : claimNamed(tx, actor, reviewIds),
  ])
  return claimed
}

/**
 * The maker is the staff member who submitted the application, if any. A lookup in the log per row:
 * a join would read the whole log.
 */
const isMaker = (userId: string) =>
  sql<boolean>`
    ((select l.by_user_id from order_status_log l where l.order_id = r.order_id and l.from_status is null
      order by l.at limit 1) is not distinct from ${userId})`

async function claimNext(tx: CommandTx, actor: StaffActor, count: number): Promise<Claimed> {
  if (!seesQueue(actor)) throw new Problem(QUEUE_EMPTY)
  const { held, capacity, claimed } = await claimNextRows<ReviewRow>(tx, {
    claims: CLAIMS,
    actor,
    count,
    held: HELD_BY(actor.userId),
    capacity: CAPACITY,
    where: sql`r.state = 'unclaimed' and not ${isMaker(actor.userId)}`,
    orderBy: sql`r.priority desc, r.queued_at, r.id`,
    set: sql`state = 'toAudit'`,
    columns: ROW_COLUMNS,
    logged: sql`
      insert into review_log (review_id, event, from_state, to_state, token, by_user_id, by_name, holder_id)
      select c.id, 'CLAIM', 'unclaimed', c.state, c.token, ${actor.userId}::text, ${actor.userName}::text,
        c.reviewer_id from claimed c`,
    row: REVIEW_JSON,
    joins: NO_HANDOVER,
  })
  if (claimed === null)
    throw held >= capacity
      ? new Problem(TOO_MANY_CLAIMS, { n: capacity })
      : new Problem(QUEUE_EMPTY)
  for (const [i, row] of claimed.entries()) {
    // the statement above repeats the lifecycle's guards; the lifecycle checks them again before
    // commit
    reviewLifecycle.next('unclaimed', {
      type: 'CLAIM',
      openClaims: held + i,
      capacity,
      isMaker: false,
    })
    emitClaimed(tx, row)
    emitMoved(tx, 'unclaimed', row)
    tx.log({
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
  tx: CommandTx,
  actor: StaffActor,
  reviewIds: readonly string[],
): Promise<Claimed> {
  const ids = [...new Set(reviewIds)]
  // everybody in the queue got the event of a review queued once, so the loser may learn the
  // winner's name
  const known = seesQueue(actor)
    ? sql<boolean>`(${reviewsInScope(actor)} or r.queued_at is not null)`
    : reviewsInScope(actor)
  const locked = new Map(
    (await lockReviews(tx, sql<boolean>`r.id = any(${ids}) and ${known}`)).map((review) => [
      review.id,
      review,
    ]),
  )
  const room = await roomOf(tx, actor, ids)
  const result: Claimed = { ok: [], failed: [] }
  for (const id of ids) {
    try {
      result.ok.push(await claimOne(tx, actor, locked.get(id), room))
    } catch (error) {
      // a single named review: the refusal is the answer
      if (ids.length === 1) throw error
      result.failed.push(failedRow(id, error))
    }
  }
  return result
}

interface ClaimRoom {
  held: number
  capacity: number
  own: ReadonlySet<string>
}

async function roomOf(
  tx: CommandTx,
  actor: StaffActor,
  ids: readonly string[],
): Promise<ClaimRoom> {
  const { rows } = await sql<{ held: number; capacity: number; own: string[] | null }>`
    select ${HELD_BY(actor.userId)} as held, ${CAPACITY} as capacity, (select array_agg(r.id) from review r
      where r.id = any(${ids}) and ${isMaker(actor.userId)}) as own`.execute(tx.db)
  const { held, capacity, own } = rows[0] as {
    held: number
    capacity: number
    own: string[] | null
  }
  return { held, capacity, own: new Set(own) }
}

async function claimOne(
  tx: CommandTx,
  actor: StaffActor,
  review: LockedReview | undefined,
  room: ClaimRoom,
): Promise<ReviewRow> {
  if (!review) throw new Problem(NOT_FOUND)
  // the caller's own claim, requested again because the response was lost
  if (review.is_held && review.reviewer_id === actor.userId) return freshRow(tx.db, review.id)
  if (review.state !== 'unclaimed') throw lost(review)
  const isMakerOfIt = room.own.has(review.id)
  if (isMakerOfIt) throw new Problem(OWN_REVIEW)
  if (room.held >= room.capacity) throw new Problem(TOO_MANY_CLAIMS, { n: room.capacity })
  const to = await nextState(tx.db, review, {
    type: 'CLAIM',
    openClaims: room.held,
    capacity: room.capacity,
    isMaker: isMakerOfIt,
  })
  const row = await moveReview(tx, review, { event: 'CLAIM', to, set: [CLAIMS.newHolder(actor)] })
  room.held += 1
  emitClaimed(tx, row)
  emitMoved(tx, review.state, row)
  logReview(tx, 'claim', review, row)
  return row
}

/** Without the row: the caller may learn that it was claimed, not its contents. */
function lost({ state, reviewer_name: userName }: LockedReview): Problem {
  return userName === null
    ? new Problem(REVIEW_STATE, { state }, { state, event: 'CLAIM', allowed: [] })
    : new Problem(ALREADY_CLAIMED, { userName })
}
