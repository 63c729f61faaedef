/**
 * Writes `review` and its log. Every change locks the row (within the scope), checks the lifecycle
 * and calls `moveReview` or `changeReview`. The fencing token grows by one whenever the holder
 * changes, to a person or to nobody.
 */
import { type RawBuilder, sql } from 'kysely'
import type { AppealState, QualityState } from '#shared/review/quality-lifecycle.ts'
import type { Verdict } from '#shared/review/reject-reasons.ts'
import type { ReviewDemand } from '#shared/review/review-demands.ts'
import type { ReviewState } from '#shared/review/review-lifecycle.ts'
import type { TeleState } from '#shared/review/tele-lifecycle.ts'
import type { Actor, StaffActor } from '#gateway/manage/kernel/actor.ts'
import { claimParts } from '#gateway/manage/kernel/claims/claim-table.ts'
import { rowLocks, writableBy } from '#gateway/manage/kernel/claims/row-locks.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { reviewsInScope } from './review-scope.ts'
import { changedByOther, claimLost } from './review-refusals.ts'
import { PENDING_HANDOVER, REVIEW_JSON, type ReviewRow, ROW_COLUMNS } from './review-row.ts'

export interface LockedReview {
  id: string
  order_id: string
  customer_id: string
  amount: number
  state: ReviewState
  /** The holder while claimed, afterwards the decider. */
  reviewer_id: string | null
  reviewer_name: string | null
  first_reviewer_id: string | null
  token: number
  version: number
  /** Claimed, and the lease is still running. */
  is_held: boolean
  /** Claimed, but one of the two clocks has expired and the sweep has not freed it yet. */
  lease_over: boolean
  retry_count: number
  manual_result: Verdict | null
  reject_code: string | null
  tele_call_state: TeleState
  /** Calls on today's IST day. */
  tele_today: number
  quality: QualityState
  quality_by: string | null
  appeal_state: AppealState | null
  appeal_by: string | null
  handover_state: string | null
  data_over: boolean
  finished_at: string | null
  machine_report: { limit: number | null; rules: { hit: boolean; output: string | null }[] } | null
  demands: ReviewDemand[]
}

export const CLAIMS = claimParts({
  name: 'review',
  alias: 'r',
  holderId: 'reviewer_id',
  holderName: 'reviewer_name',
  idleMinutes: 'review.idleMinutes',
  liveSeconds: 'review.liveSeconds',
  capacityLock: 7_101,
})

const LOCKED = sql`
  r.id, r.order_id, r.customer_id, r.amount, r.state, r.reviewer_id, r.reviewer_name,
  r.first_reviewer_id, r.token, r.version,
  coalesce(${CLAIMS.isHeld}, false) as is_held, coalesce(${CLAIMS.isOver}, false) as lease_over,
  r.retry_count, r.manual_result, r.reject_code, r.tele_call_state,
  case when r.tele_day = (clock_timestamp() at time zone 'Asia/Kolkata')::date
    then r.tele_attempts else 0 end as tele_today,
  r.quality, r.quality_by, r.appeal_state, r.appeal_by, r.handover_state,
  coalesce(r.data_until <= clock_timestamp(), false) as data_over, r.finished_at, r.machine_report, r.demands`

/**
 * Rows a caller may write: those in scope, and those they once held, so that a former holder is
 * told of the loss while a stranger learns nothing.
 */
export function writable(actor: StaffActor): RawBuilder<boolean> {
  return sql<boolean>`
    (${reviewsInScope(actor)} or exists (select 1 from review_log l where l.review_id = r.id
      and l.holder_id = ${actor.userId}))`
}

/** Selects those ids of `reviewIds` that the caller may write. */
export function writableOf(actor: Actor, reviewIds: readonly string[]): RawBuilder<unknown> {
  return sql`
    select r.id from review r
    where r.id = any(${[...reviewIds]}::text[]) and ${writableBy(actor, writable)}`
}

export const {
  lockOne: lockReview,
  lockAll: lockReviews,
  lockIfFree,
} = rowLocks<LockedReview>(CLAIMS.table, LOCKED, writable)

/** @throws Problem G409 */
export async function requireVersion(
  tx: CommandTx,
  review: LockedReview,
  version: number,
): Promise<void> {
  if (review.version !== version) throw await changedByOther(tx.db, review.id)
}

/**
 * Checks that the caller holds the claim with the given token.
 * @throws Problem V-LEASE when the claim is lost or held by somebody else
 */
export async function requireHolder(
  tx: CommandTx,
  review: LockedReview,
  token: number | undefined,
): Promise<{ isOwner: boolean; tokenCurrent: boolean }> {
  const isOwner = review.is_held && review.reviewer_id === tx.actor.userId
  const tokenCurrent = token === undefined || token === review.token
  if (!tokenCurrent || review.lease_over || (review.is_held && !isOwner))
    throw await claimLost(tx.db, review)
  return { isOwner, tokenCurrent }
}

export interface ReviewStep {
  /** Lifecycle event, or the name of a change that is not a transition. */
  event: string
  to: ReviewState
  /** Column assignments besides state and version. */
  set?: RawBuilder<unknown>[]
  note?: string | null
}

/** Writes one transition of a locked review with its log entry; returns the new row. */
export async function moveReview(
  tx: CommandTx,
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
      update review r set ${assignments} where r.id = ${review.id} and r.version = ${review.version}
        returning ${ROW_COLUMNS}
    ), logged as (
      insert into review_log (review_id, event, from_state, to_state, token, by_user_id, by_name, holder_id,
        note)
      select m.id, ${event}::text, ${review.state}::text, m.state, m.token, ${tx.actor.userId}::text,
        ${tx.actor.userName}::text, case when m.idle_until is not null then m.reviewer_id end, ${note}::text
        from moved m
    )
    select ${REVIEW_JSON} as row from moved r ${PENDING_HANDOVER}`.execute(tx.db)
  const moved = rows[0]
  // the row is locked, so nobody else can have moved it
  if (!moved) throw new Error(`review ${review.id} changed under its lock`)
  return moved.row
}

/** A change that is not a transition of the review: its call, quality check or hand-over. */
export function changeReview(
  tx: CommandTx,
  review: LockedReview,
  change: Omit<ReviewStep, 'to'>,
): Promise<ReviewRow> {
  return moveReview(tx, review, { ...change, to: review.state })
}

/** The locked row after a transition, for a further one in the same transaction. */
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
