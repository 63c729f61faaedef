import { ORDER_CREATED } from '#shared/orders/orders-live.ts'
import {
  REVIEW_CLAIMED,
  REVIEW_HANDOVER_CHANGED,
  REVIEW_LEASE_EXPIRING,
  REVIEW_QUALITY_CHANGED,
  REVIEW_QUEUE_STATS,
  REVIEW_QUEUED,
  REVIEW_RELEASED,
  REVIEW_STATE_CHANGED,
  REVIEW_TELE_CHANGED,
} from '#shared/review/review-live.ts'

/** Events that concern rows, counts and figures of the reviews. */
export const REVIEW_EVENTS: readonly string[] = [
  REVIEW_QUEUED,
  REVIEW_CLAIMED,
  REVIEW_RELEASED,
  REVIEW_STATE_CHANGED,
  REVIEW_LEASE_EXPIRING,
  REVIEW_TELE_CHANGED,
  REVIEW_HANDOVER_CHANGED,
  REVIEW_QUALITY_CHANGED,
  REVIEW_QUEUE_STATS,
  ORDER_CREATED,
].map((kind) => kind.type)
