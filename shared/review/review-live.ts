import Type from 'typebox'
import { Nullable } from '#shared/kernel/endpoint.ts'
import { liveEvent } from '#shared/kernel/live.ts'

const id = Type.String()
const maybe = Nullable(Type.String())

export const REVIEW_QUEUED = liveEvent(
  'review.queued',
  Type.Object({ reviewId: id, orderId: id, priority: Type.Integer(), queuedTime: id }),
)
export const REVIEW_CLAIMED = liveEvent(
  'review.claimed',
  Type.Object({
    reviewId: id,
    reviewerId: id,
    reviewerName: id,
    leaseUntil: id,
    token: Type.Integer(),
    state: id,
  }),
)
export const REVIEW_RELEASED = liveEvent(
  'review.released',
  Type.Object({ reviewId: id, cause: id, state: id, token: Type.Integer() }),
)
export const REVIEW_STATE_CHANGED = liveEvent(
  'review.state.changed',
  Type.Object({
    reviewId: id,
    orderId: id,
    from: id,
    to: id,
    reviewerId: maybe,
    firstReviewerId: maybe,
    manualResult: maybe,
    rejectCode: maybe,
    finishTime: maybe,
  }),
)
export const REVIEW_LEASE_EXPIRING = liveEvent(
  'review.lease.expiring',
  Type.Object({ reviewId: id, leaseUntil: id }),
)
export const REVIEW_TELE_CHANGED = liveEvent(
  'review.tele.changed',
  Type.Object({ reviewId: id, callState: id }),
)
/** Something is demanded before a pass, or the card was read again. */
export const REVIEW_CHECKS_CHANGED = liveEvent(
  'review.checks.changed',
  Type.Object({
    reviewId: id,
    demands: Type.Array(id),
    bindState: maybe,
    nameSimilarity: Nullable(Type.Integer()),
  }),
)
export const REVIEW_HANDOVER_CHANGED = liveEvent(
  'review.handover.changed',
  Type.Object({
    handoverId: id,
    reviewId: id,
    fromUserId: id,
    toUserId: id,
    state: id,
    cause: maybe,
  }),
)
export const REVIEW_QUALITY_CHANGED = liveEvent(
  'review.quality.changed',
  Type.Object({
    reviewId: id,
    quality: id,
    qualityCode: maybe,
    qualityClass: maybe,
    appealState: maybe,
  }),
)
export const REVIEW_QUEUE_STATS = liveEvent(
  'review.queue.stats',
  Type.Object({
    waiting: Type.Integer(),
    oldestTime: maybe,
    held: Type.Integer(),
    reviewersOnline: Type.Integer(),
  }),
)
