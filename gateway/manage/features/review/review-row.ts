/**
 * ReviewRow built by PostgreSQL, over `review r` and its pending hand-over `h`. Times are ISO 8601
 * UTC with milliseconds, as the driver returns them elsewhere.
 */
import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { ReviewRow as ReviewRowSchema } from '#shared/review/review-api.ts'
import { isoText } from '#gateway/manage/kernel/list-parts.ts'

export type ReviewRow = Static<typeof ReviewRowSchema>

/** JSON name → SQL over `r` and `h`. */
const FIELDS = {
  reviewId: 'r.id',
  orderId: 'r.order_id',
  userId: 'r.customer_id',
  userName: 'r.customer_name',
  customerClass: 'r.customer_class',
  amount: 'r.amount',
  state: 'r.state',
  machineId: 'r.machine_id',
  machineState: 'r.machine_state',
  machineTime: isoText('r.machine_at'),
  machineIntervalSec: 'r.machine_interval_sec',
  needManual: 'r.need_manual',
  manualId: 'r.manual_id',
  manualResult: 'r.manual_result',
  reviewerId: 'r.reviewer_id',
  reviewerName: 'r.reviewer_name',
  firstReviewerId: 'r.first_reviewer_id',
  rejectCode: 'r.reject_code',
  teleCallState: 'r.tele_call_state',
  preRejectCode: 'r.pre_reject_code',
  quotaReject: 'r.quota_reject',
  bindState: 'r.bind_state',
  nameSimilarity: 'r.name_similarity',
  quality: 'r.quality',
  qualityCode: 'r.quality_code',
  qualityClass: 'r.quality_class',
  appealState: 'r.appeal_state',
  handoverState: 'r.handover_state',
  handoverId: 'h.id',
  handoverFrom: 'h.from_name',
  handoverTo: 'h.to_name',
  handoverToId: 'h.to_user_id',
  handoverReason: 'h.reason',
  leaseUntil: isoText('least(r.idle_until, r.live_until)'),
  token: 'r.token',
  queuedTime: isoText('r.queued_at'),
  claimTime: isoText('r.claimed_at'),
  finishTime: isoText('r.finished_at'),
  priority: 'r.priority',
  version: 'r.version',
} as const satisfies Record<keyof ReviewRow, string>

/** One ReviewRow as json; needs `PENDING_HANDOVER` joined. */
export const REVIEW_JSON = sql.raw<ReviewRow>(
  `json_build_object(${Object.entries(FIELDS)
    .map(([name, column]) => `'${name}', ${column}`)
    .join(', ')})`,
)

/**
 * The review row has the state of its newest hand-over, so only rows with a pending one are joined.
 */
export const PENDING_HANDOVER = sql.raw(
  `left join review_handover h on h.review_id = r.id and h.state = 'pending' and r.handover_state = 'pending'`,
)

/** Columns REVIEW_JSON reads, for `returning`. */
export const ROW_COLUMNS = sql.raw(
  [
    ...new Set(
      Object.values(FIELDS).flatMap((column) => [...column.matchAll(/r\.\w+/g)].map((m) => m[0])),
    ),
  ].join(', '),
)

/**
 * Replaces `PENDING_HANDOVER` for rows that cannot have one: the end of a claim closes its
 * hand-over, so queued rows have none.
 */
export const NO_HANDOVER = sql.raw(
  'cross join (values (null, null, null, null, null)) as h (id, from_name, to_name, to_user_id, reason)',
)
