/**
 * Writes of `review` and its log. Every change is: lock the row (scope included), ask the lifecycle, `moveReview` or
 * `changeReview`. A claim's fencing token grows by one whenever the holder changes, to a person or to nobody.
 */
import { type RawBuilder, sql } from 'kysely'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { AppealState, QualityState } from '#shared/review/quality-lifecycle.ts'
import type { Verdict } from '#shared/review/reject-reasons.ts'
import type { ReviewState } from '#shared/review/review-lifecycle.ts'
import type { TeleState } from '#shared/review/tele-lifecycle.ts'
import type { Actor, StaffActor } from '#gateway/manage/kernel/actor.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { intParameter } from '#gateway/manage/kernel/parameters.ts'
import { reviewsInScope } from '#gateway/manage/kernel/scope.ts'
import { changedByOther, claimLost } from './review-refusals.ts'
import { PENDING_HANDOVER, REVIEW_JSON, type ReviewRow, ROW_COLUMNS } from './review-row.ts'

export interface LockedReview {
  id: string
  order_id: string
  customer_id: string
  amount: number
  state: ReviewState
  /** Holder while claimed, afterwards who decided. */
  reviewer_id: string | null
  reviewer_name: string | null
  first_reviewer_id: string | null
  token: number
  version: number
  /** Claimed, and the lease still runs. */
  is_held: boolean
  /** Claimed, but one of the two clocks has run out and the sweep has not come by yet. */
  lease_over: boolean
  retry_count: number
  manual_result: Verdict | null
  reject_code: string | null
  tele_call_state: TeleState
  /** Calls on the IST day of today. */
  tele_today: number
  quality: QualityState
  quality_by: string | null
  appeal_state: AppealState | null
  appeal_by: string | null
  handover_state: string | null
  data_over: boolean
  finished_at: string | null
  machine_report: { limit: number | null; rules: { hit: boolean; output: string | null }[] } | null
}

const LOCKED =
  sql.raw(`r.id, r.order_id, r.customer_id, r.amount, r.state, r.reviewer_id, r.reviewer_name, r.first_reviewer_id, r.token, r.version,
  coalesce(least(r.idle_until, r.live_until) > clock_timestamp(), false) as is_held, coalesce(least(r.idle_until, r.live_until) <= clock_timestamp(), false) as lease_over,
  r.retry_count, r.manual_result, r.reject_code, r.tele_call_state,
  case when r.tele_day = (clock_timestamp() at time zone 'Asia/Kolkata')::date then r.tele_attempts else 0 end as tele_today,
  r.quality, r.quality_by, r.appeal_state, r.appeal_by, r.handover_state, coalesce(r.data_until <= clock_timestamp(), false) as data_over, r.finished_at, r.machine_report`)

/** Both clocks of a claim begin (domain.md 2.7). */
export const NEW_LEASE = sql`idle_until = clock_timestamp() + make_interval(mins => ${intParameter('review.idleMinutes')}),
  live_until = clock_timestamp() + make_interval(secs => ${intParameter('review.liveSeconds')}), warned_at = null`
export const NO_LEASE = sql`idle_until = null, live_until = null, warned_at = null`
export const NO_HOLDER = sql`reviewer_id = null, reviewer_name = null, token = r.token + 1, ${NO_LEASE}`
export function newHolder(holder: {
  userId: string | null
  userName: string | null
}): RawBuilder<unknown> {
  return sql`reviewer_id = ${holder.userId}, reviewer_name = ${holder.userName}, token = r.token + 1, claimed_at = clock_timestamp(), ${NEW_LEASE}`
}

/**
 * Rows a caller may write: those in his scope, and those he held once - a holder who lost his claim is told so, a stranger
 * learns nothing. The system and jobs act without a scope.
 */
function writable(actor: Actor): RawBuilder<boolean> {
  if (actor.rights === null || actor.userId === null) return sql<boolean>`true`
  // rights and a user id make a staff actor; its session is not asked for here
  const scope = reviewsInScope(actor as StaffActor)
  return sql<boolean>`(${scope} or exists (select 1 from review_log l where l.review_id = r.id and l.holder_id = ${actor.userId}))`
}

/** Of `reviewIds` those the caller may write, as a select of their ids. */
export function writableOf(actor: Actor, reviewIds: readonly string[]): RawBuilder<unknown> {
  return sql`select r.id from review r where r.id = any(${[...reviewIds]}::text[]) and ${writable(actor)}`
}

/** @throws Problem G404 when it is missing or not the caller's to see */
export async function lockReview(cx: Cx, reviewId: string): Promise<LockedReview> {
  const { rows } =
    await sql<LockedReview>`select ${LOCKED} from review r where r.id = ${reviewId} and ${writable(cx.actor)} for update of r`.execute(
      cx.db,
    )
  const row = rows[0]
  if (!row) throw new Problem(NOT_FOUND)
  return row
}

/** For background work: null when it is gone from the state or another process has it. */
export async function lockIfFree(
  cx: Cx,
  reviewId: string,
  state: RawBuilder<boolean>,
): Promise<LockedReview | null> {
  const { rows } =
    await sql<LockedReview>`select ${LOCKED} from review r where r.id = ${reviewId} and ${state} for update of r skip locked`.execute(
      cx.db,
    )
  return rows[0] ?? null
}

/** Locks several, in the order of their ids so that two commands never wait for each other. */
export async function lockReviews(cx: Cx, which: RawBuilder<boolean>): Promise<LockedReview[]> {
  const { rows } =
    await sql<LockedReview>`select ${LOCKED} from review r where ${which} order by r.id for update of r`.execute(
      cx.db,
    )
  return rows
}

/** @throws Problem G409 */
export async function requireVersion(cx: Cx, review: LockedReview, version: number): Promise<void> {
  if (review.version !== version) throw await changedByOther(cx.db, review.id)
}

/**
 * Whether the caller holds the claim with the token he brings.
 * @throws Problem V-LEASE when he held it and does not any more, or somebody else does
 */
export async function requireHolder(
  cx: Cx,
  review: LockedReview,
  token: number | undefined,
): Promise<{ isOwner: boolean; tokenCurrent: boolean }> {
  const isOwner = review.is_held && review.reviewer_id === cx.actor.userId
  const tokenCurrent = token === undefined || token === review.token
  if (!tokenCurrent || review.lease_over || (review.is_held && !isOwner))
    throw await claimLost(cx.db, review)
  return { isOwner, tokenCurrent }
}

export interface ReviewStep {
  /** Lifecycle event, or the name of a change that is no transition. */
  event: string
  to: ReviewState
  /** Column assignments beside state and version. */
  set?: RawBuilder<unknown>[]
  note?: string | null
}

/** Writes one step of a locked review with its log line; gives the row as it is then. */
export async function moveReview(
  cx: Cx,
  review: LockedReview,
  { event, to, set = [], note = null }: ReviewStep,
): Promise<ReviewRow> {
  const assignments = sql.join([
    sql`state = ${to}`,
    sql`version = r.version + 1`,
    sql`updated_at = clock_timestamp()`,
    ...set,
  ])
  const { rows } = await sql<{ row: ReviewRow }>`
    with moved as (
      update review r set ${assignments} where r.id = ${review.id} and r.version = ${review.version} returning ${ROW_COLUMNS}
    ), logged as (
      insert into review_log (review_id, event, from_state, to_state, token, by_user_id, by_name, holder_id, note)
      select m.id, ${event}::text, ${review.state}::text, m.state, m.token, ${cx.actor.userId}::text, ${cx.actor.userName}::text, case when m.idle_until is not null then m.reviewer_id end, ${note}::text from moved m
    )
    select ${REVIEW_JSON} as row from moved r ${PENDING_HANDOVER}`.execute(cx.db)
  const moved = rows[0]
  // the row is locked, so nobody else can have moved it
  if (!moved) throw new Error(`review ${review.id} changed under its lock`)
  return moved.row
}

/** A change that is no transition of the review itself: its call, quality check, hand-over. */
export function changeReview(
  cx: Cx,
  review: LockedReview,
  change: Omit<ReviewStep, 'to'>,
): Promise<ReviewRow> {
  return moveReview(cx, review, { ...change, to: review.state })
}

/** The locked row after a step, for a further step in the same transaction. */
export function afterStep(review: LockedReview, row: ReviewRow): LockedReview {
  return {
    ...review,
    state: row.state,
    reviewer_id: row.reviewerId,
    reviewer_name: row.reviewerName,
    token: row.token,
    version: row.version,
    handover_state: row.handoverState,
    manual_result: row.manualResult as Verdict | null,
    reject_code: row.rejectCode,
    is_held: row.leaseUntil !== null,
    lease_over: false,
    finished_at: row.finishTime,
  }
}
