/**
 * Writes `review_handover`. The review row stores the state of its newest hand-over, so every
 * change here also updates the locked review row.
 */
import { type RawBuilder, sql } from 'kysely'
import {
  HANDOVER_CAUSES,
  handoverLifecycle,
  type HandoverEvent,
  type HandoverState,
} from '#shared/handovers/handover-lifecycle.ts'
import { REVIEW_HANDOVER_CHANGED } from '#shared/review/review-live.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
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

const COLUMNS = sql`
  h.id, h.review_id, h.from_user_id, h.to_user_id, h.to_name, h.requested_by, h.state, h.item_token,
  h.expires_at <= clock_timestamp() as is_over`

/** The caller has locked the review row, which serialises the hand-overs of an item. */
export async function lockHandover(
  tx: CommandTx,
  which: RawBuilder<boolean>,
): Promise<Handover | null> {
  const { rows } =
    await sql<Handover>`select ${COLUMNS} from review_handover h where ${which} for update`.execute(
      tx.db,
    )
  return rows[0] ?? null
}

/** Ends a pending hand-over and returns the assignments for the review row. */
export async function endHandover(
  tx: CommandTx,
  handover: Handover,
  to: HandoverState,
  end: { cause: string | null; reason: string | null; version: number },
): Promise<RawBuilder<unknown>> {
  await sql`
    update review_handover set state = ${to}, cause = ${end.cause}, decide_reason = ${end.reason},
      decided_at = clock_timestamp(), decided_by = ${tx.actor.userId ?? tx.actor.userName},
      version = version + 1
    where id = ${handover.id} and state = ${handover.state}`.execute(tx.db)
  emitHandover(tx, handover, to, end.cause, end.version)
  return sql`handover_state = ${to}`
}

export function emitHandover(
  tx: CommandTx,
  handover: Handover,
  state: HandoverState,
  cause: string | null,
  version: number,
): void {
  tx.emit(REVIEW_HANDOVER_CHANGED, {
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
 * The claim of a pending hand-over has ended (decision, release, expiry, takeover, cancellation),
 * so the hand-over is rejected with cause closed. Returns the assignments for the review row.
 */
export async function closePendingHandover(
  tx: CommandTx,
  review: LockedReview,
): Promise<RawBuilder<unknown>[]> {
  if (review.handover_state !== 'pending') return []
  const handover = await lockHandover(
    tx,
    sql<boolean>`h.review_id = ${review.id} and h.state = 'pending'`,
  )
  if (!handover) return []
  const event: HandoverEvent = { type: 'ITEM_CLOSED', itemClosed: true }
  // a stored hand-over never returns to `new`
  const to = handoverLifecycle.next(handover.state, event) as HandoverState
  return [
    await endHandover(tx, handover, to, {
      cause: HANDOVER_CAUSES.ITEM_CLOSED,
      reason: null,
      version: review.version + 1,
    }),
  ]
}
