/**
 * Reviews with customer, product and order, in any state. The row is written directly in its state
 * (holder, lease, decision, log line), and the order is in the matching status. Nothing is random.
 */
import { sql } from 'kysely'
import type { ReviewState } from '#shared/review/review-lifecycle.ts'
import { ORDERS_MENU } from '#shared/orders/orders-menu.ts'
import { REVIEW_MENU } from '#shared/review/review-menu.ts'
import { SESSION_MENU } from '#shared/session/session-menu.ts'
import { dataTimeout } from '#gateway/manage/features/review/data-timeout-job.ts'
import { leaseSweep } from '#gateway/manage/features/review/lease-sweep-job.ts'
import { postCheck } from '#gateway/manage/features/review/post-check-job.ts'
import { assignReviewsJob } from '#gateway/manage/features/review/claims/assign-reviews.ts'
import { releaseClaimsOf } from '#gateway/manage/features/review/claims/release-reviews.ts'
import { liveStats } from '#gateway/manage/features/review/queue-stats-job.ts'
import { REVIEW_AUDIENCE } from '#gateway/manage/features/review/review-audience.ts'
import { reviewRoutes } from '#gateway/manage/features/review/review-routes.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { type Floor, testManage } from '#tests/support/manage.ts'
import { type MakeableStatus, makeOrder, type MadeOrder, type OrderGiven } from './orders.ts'

export interface ReviewGiven extends Omit<OrderGiven, 'status'> {
  state?: ReviewState
  /**
   * Holder, or who decided. Required by toAudit, underReview, dataModifiable and the decided
   * states.
   */
  reviewerId?: string
  /** Who escalated; manualCheck. */
  firstReviewerId?: string
  result?: 'passed' | 'failed'
  rejectCode?: string
  priority?: number
  /** Minutes in the queue so far. */
  waitedMinutes?: number
  retryCount?: number
  bindState?: string | null
  teleState?: string
  teleAttempts?: number
  /** Output of the one machine rule that matched. */
  ruleOutput?: string
  /** Paise; of the machine review. */
  limit?: number | null
  orderStatus?: MakeableStatus
}

export interface MadeReview extends MadeOrder {
  reviewId: string
}

const ORDER_STATUS: Record<ReviewState, MakeableStatus> = {
  initial: 10,
  abnormal: 10,
  unclaimed: 22,
  toAudit: 22,
  underReview: 22,
  dataModifiable: 22,
  manualCheck: 22,
  audited: 22,
  passed: 26,
  failed: 27,
}
const HELD: readonly ReviewState[] = ['toAudit', 'underReview']
const NAMED: readonly ReviewState[] = [
  'toAudit',
  'underReview',
  'dataModifiable',
  'audited',
  'passed',
  'failed',
]
const DECIDED: readonly ReviewState[] = ['audited', 'passed', 'failed']

/** A review in `state` (default unclaimed). */
export async function makeReview(
  floor: { context: AppContext },
  given: ReviewGiven = {},
): Promise<MadeReview> {
  const {
    state = 'unclaimed',
    waitedMinutes = 1,
    priority = 0,
    retryCount = 0,
    bindState = 'bound',
    nameSimilarity = 9_500,
    teleState = 'notExecuted',
    teleAttempts = 0,
    limit = null,
  } = given
  if (NAMED.includes(state) && given.reviewerId === undefined)
    throw new TypeError(`a review in ${state} has a reviewer`)
  const order = await makeOrder(floor, {
    ...given,
    status: given.orderStatus ?? ORDER_STATUS[state],
  })
  const isHeld = HELD.includes(state)
  const isDecided = DECIDED.includes(state)
  const wasQueued = state !== 'initial' && state !== 'abnormal'
  const result = isDecided ? (given.result ?? (state === 'failed' ? 'failed' : 'passed')) : null
  const rejectCode = result === 'failed' ? (given.rejectCode ?? 'A01') : null
  const report =
    state === 'initial'
      ? null
      : JSON.stringify({
          score: 512,
          limit,
          rules: [{ code: 'R1', name: 'Velocity', hit: true, output: given.ruleOutput ?? null }],
        })
  const lease = (code: string, unit: string) =>
    isHeld
      ? sql`
        clock_timestamp() + (select c.value::int from sys_config c
          where c.code = ${code}) * ${unit}::interval`
      : sql`null`
  const { rows } = await sql<{ id: string }>`
    with stored as (
      insert into review (order_id, customer_id, customer_name, amount, state, machine_id, machine_state,
        machine_at, machine_report, reviewer_id, reviewer_name, first_reviewer_id, token, idle_until,
        live_until,
        retry_count, manual_result, reject_code, bind_state, name_similarity, tele_call_state,
          tele_attempts, tele_day, priority, queued_at, claimed_at, opened_at, decided_at, finished_at,
          data_items, data_until)
      values (${order.orderId}, ${order.customerId}, ${order.name}, ${order.amount}, ${state},
        ${state === 'initial' ? null : 'MR1'}, ${state === 'initial' ? null : 'undecided'},
        ${state === 'initial' ? null : sql`clock_timestamp()`}, ${report}::jsonb,
        ${NAMED.includes(state) ? given.reviewerId : null}, (select u.user_name from sys_user u
          where u.id = ${NAMED.includes(state) ? given.reviewerId : null}),
          ${given.firstReviewerId ?? null},
        ${isHeld || isDecided ? 1 : state === 'manualCheck' || state === 'dataModifiable' ? 2 : 0},
          ${lease('review.idleMinutes', '1 minute')}, ${lease('review.liveSeconds', '1 second')},
        ${retryCount}, ${result}, ${rejectCode}, ${bindState}, ${nameSimilarity}, ${teleState}, ${teleAttempts}, ${
          teleAttempts > 0
            ? sql`
          (clock_timestamp() at time zone 'Asia/Kolkata')::date`
            : null
        }, ${priority},
        ${wasQueued ? sql`clock_timestamp() - ${waitedMinutes} * interval '1 minute'` : null},
        ${isHeld || isDecided ? sql`clock_timestamp()` : null},
        ${state === 'underReview' || isDecided ? sql`clock_timestamp()` : null},
        ${isDecided ? sql`clock_timestamp()` : null},
        ${state === 'passed' || state === 'failed' ? sql`clock_timestamp()` : null},
        ${state === 'dataModifiable' ? ['panPhoto'] : null}::text[],
        ${state === 'dataModifiable' ? sql`clock_timestamp() + interval '72 hours'` : null})
      returning id, state, token, reviewer_id
    ), logged as (
      insert into review_log (review_id, event, from_state, to_state, token, by_name, holder_id)
        select s.id, 'CREATED', null, s.state, s.token, 'test', ${isHeld ? sql`s.reviewer_id` : sql`null`}
        from stored s
    )
    select s.id from stored s`.execute(floor.context.database.kysely)
  return { ...order, reviewId: (rows[0] as { id: string }).id }
}

/** Expires the lease of a claim, as if its time had passed. */
export async function runOut(
  { context }: { context: AppContext },
  reviewId: string,
): Promise<void> {
  await sql`
    update review set idle_until = clock_timestamp() - interval '1 second' where id = ${reviewId}`.execute(
    context.database.kysely,
  )
}

/** Manage with the review feature only. */
export function reviewFloor(): Promise<Floor> {
  return testManage({
    parts: () => ({
      menus: [...SESSION_MENU, ...ORDERS_MENU, ...REVIEW_MENU],
      audiences: [REVIEW_AUDIENCE],
      schedules: [leaseSweep, postCheck, dataTimeout, liveStats],
      jobTypes: [assignReviewsJob],
      onLogout: [(tx, userId) => releaseClaimsOf(tx, userId, 'logout')],
      routes: reviewRoutes,
    }),
  })
}
