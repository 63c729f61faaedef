/** Converts rows and live events into messages for the review machine. Pure. */
import type { LiveEvent } from '#shared/kernel/live.ts'
import { ORDER_STATUS_CHANGED } from '#shared/orders/orders-live.ts'
import { ORDER_STATUS } from '#shared/orders/order-statuses.ts'
import {
  REVIEW_CLAIMED,
  REVIEW_QUEUED,
  REVIEW_RELEASED,
  REVIEW_STATE_CHANGED,
} from '#shared/review/review-live.ts'
import type { ReviewState } from '#shared/review/review-lifecycle.ts'
import type { ReviewRow } from '../review-types.ts'
import type { DeskMessage } from './review-desk-machine.ts'

export function messageOfRow(row: ReviewRow): DeskMessage {
  return {
    version: row.version,
    state: row.state,
    token: row.token,
    holderId: row.reviewerId,
    holderName: row.reviewerName,
    leaseUntil: row.leaseUntil,
    finished: row.finishTime !== null,
    firstReviewerId: row.firstReviewerId,
  }
}

/** Null when the event does not concern state or ownership of this review. */
export function messageOfEvent(
  event: LiveEvent,
  { reviewId, orderId }: { reviewId: string; orderId: string | null },
): DeskMessage | null {
  const data = event.data
  if (event.type === ORDER_STATUS_CHANGED.type)
    return data.orderId === orderId && data.to === ORDER_STATUS.cancelled
      ? { version: 0, cancelled: true }
      : null
  if (data.reviewId !== reviewId) return null
  const version = event.version ?? 0
  const state = (data.state ?? undefined) as ReviewState | undefined
  switch (event.type) {
    case REVIEW_CLAIMED.type:
      return {
        version,
        state,
        token: Number(data.token),
        holderId: String(data.reviewerId),
        holderName: String(data.reviewerName),
        leaseUntil: String(data.leaseUntil),
      }
    case REVIEW_RELEASED.type:
      // After a takeover or hand-over someone else has the new token: the claim event of the same
      // version names them.
      return {
        version,
        state,
        token: Number(data.token),
        ...(state === 'unclaimed' ? { holderId: null } : {}),
        cause: String(data.cause),
        cancelled: data.cause === 'cancelled',
      }
    case REVIEW_STATE_CHANGED.type:
      return {
        version,
        state: data.to as ReviewState,
        finished: data.finishTime !== null,
        firstReviewerId: data.firstReviewerId as string | null,
      }
    case REVIEW_QUEUED.type:
      return { version, state: 'unclaimed' }
    default:
      return null
  }
}
