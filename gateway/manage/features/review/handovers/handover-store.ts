/** Writes of `review_handover`. The review carries the state of its newest hand-over, so every change here goes with one of its locked row. */
import { type RawBuilder, sql } from 'kysely'
import {
  HANDOVER_CAUSES,
  handoverLifecycle,
  type HandoverEvent,
  type HandoverState,
} from '#shared/review/handover-lifecycle.ts'
import { REVIEW_HANDOVER_CHANGED } from '#shared/review/review-live.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { QUEUE_ROOM } from '../review-events.ts'
import type { LockedReview } from '../review-store.ts'

export interface Handover {
  id: string
  review_id: string
  from_user_id: string
  to_user_id: string
  to_name: string
  requested_by: string
  state: HandoverState
  item_token: number
  is_over: boolean
}

const COLUMNS = sql.raw(
  'h.id, h.review_id, h.from_user_id, h.to_user_id, h.to_name, h.requested_by, h.state, h.item_token, h.expires_at <= clock_timestamp() as is_over',
)

/** Its review's row is locked before: hand-overs of an item come one after the other. */
export async function lockHandover(cx: Cx, which: RawBuilder<boolean>): Promise<Handover | null> {
  const { rows } =
    await sql<Handover>`select ${COLUMNS} from review_handover h where ${which} for update`.execute(
      cx.db,
    )
  return rows[0] ?? null
}

/** Ends a pending hand-over; gives the assignment its review's row needs in the same transaction. */
export async function endHandover(
  cx: Cx,
  handover: Handover,
  to: HandoverState,
  end: { cause: string | null; reason: string | null; version: number },
): Promise<RawBuilder<unknown>> {
  await sql`
    update review_handover set state = ${to}, cause = ${end.cause}, decide_reason = ${end.reason}, decided_at = clock_timestamp(), decided_by = ${cx.actor.userId ?? cx.actor.userName}, version = version + 1
    where id = ${handover.id} and state = ${handover.state}`.execute(cx.db)
  tellHandover(cx, handover, to, end.cause, end.version)
  return sql`handover_state = ${to}`
}

export function tellHandover(
  cx: Cx,
  handover: Handover,
  state: HandoverState,
  cause: string | null,
  version: number,
): void {
  cx.emit(REVIEW_HANDOVER_CHANGED, {
    subject: `review:${handover.review_id}`,
    version,
    rooms: [
      `user:${handover.from_user_id}`,
      `user:${handover.to_user_id}`,
      `user:${handover.requested_by}`,
      QUEUE_ROOM,
    ],
    data: {
      handoverId: handover.id,
      reviewId: handover.review_id,
      fromUserId: handover.from_user_id,
      toUserId: handover.to_user_id,
      state,
      cause,
    },
  })
}

/**
 * The claim a pending hand-over was about has ended - by decision, release, expiry, take-over, cancellation - so it is
 * rejected with cause closed (api.md 13). Gives the assignments for the review's row.
 */
export async function closePendingHandover(
  cx: Cx,
  review: LockedReview,
): Promise<RawBuilder<unknown>[]> {
  if (review.handover_state !== 'pending') return []
  const handover = await lockHandover(
    cx,
    sql<boolean>`h.review_id = ${review.id} and h.state = 'pending'`,
  )
  if (!handover) return []
  const event: HandoverEvent = { type: 'ITEM_CLOSED', itemClosed: true }
  // a stored hand-over never goes back to `new`
  const to = handoverLifecycle.next(handover.state, event) as HandoverState
  return [
    await endHandover(cx, handover, to, {
      cause: HANDOVER_CAUSES.ITEM_CLOSED,
      reason: null,
      version: review.version + 1,
    }),
  ]
}
