/** Live events, operate log and notifications of reviews, shared by all commands. */
import {
  REVIEW_CHECKS_CHANGED,
  REVIEW_CLAIMED,
  REVIEW_QUALITY_CHANGED,
  REVIEW_QUEUED,
  REVIEW_RELEASED,
  REVIEW_STATE_CHANGED,
  REVIEW_TELE_CHANGED,
} from '#shared/review/review-live.ts'
import type { CommandTx, Notification } from '#gateway/manage/kernel/command.ts'
import type { ReviewRow } from './review-row.ts'
import type { LockedReview } from './review-store.ts'
import { reviewPath } from '#shared/review/review-path.ts'

export const QUEUE_ROOM = 'queue:review'
export const MENU = 'review_list'

/** Why a claim ended without a decision. */
export type ReleaseCause =
  | 'released'
  | 'expired'
  | 'takenOver'
  | 'escalated'
  | 'dataRequested'
  | 'cancelled'
  | 'logout'
  | 'offDuty'

function roomsOf(row: ReviewRow, ...more: (string | null)[]): string[] {
  return [QUEUE_ROOM, `review:${row.reviewId}`, ...more.filter((room) => room !== null)]
}
function userRoom(userId: string | null): string | null {
  return userId === null ? null : `user:${userId}`
}

export function emitQueued(tx: CommandTx, row: ReviewRow): void {
  tx.emit(REVIEW_QUEUED, {
    subject: `review:${row.reviewId}`,
    version: row.version,
    rooms: [QUEUE_ROOM],
    data: {
      reviewId: row.reviewId,
      orderId: row.orderId,
      priority: row.priority,
      queuedTime: row.queuedTime ?? '',
    },
  })
}

/** A person holds the review from now on. */
export function emitClaimed(tx: CommandTx, row: ReviewRow): void {
  tx.emit(REVIEW_CLAIMED, {
    subject: `review:${row.reviewId}`,
    version: row.version,
    rooms: roomsOf(row, userRoom(row.reviewerId)),
    data: {
      reviewId: row.reviewId,
      reviewerId: row.reviewerId ?? '',
      reviewerName: row.reviewerName ?? '',
      leaseUntil: row.leaseUntil ?? '',
      token: row.token,
      state: row.state,
    },
  })
}

/** The former holder's claim is over. */
export function emitReleased(
  tx: CommandTx,
  before: LockedReview,
  row: ReviewRow,
  cause: ReleaseCause,
): void {
  tx.emit(REVIEW_RELEASED, {
    subject: `review:${row.reviewId}`,
    version: row.version,
    rooms: roomsOf(row, userRoom(before.reviewer_id)),
    data: { reviewId: row.reviewId, cause, state: row.state, token: row.token },
  })
}

export function emitMoved(tx: CommandTx, from: string, row: ReviewRow): void {
  tx.emit(REVIEW_STATE_CHANGED, {
    subject: `review:${row.reviewId}`,
    version: row.version,
    rooms: roomsOf(row, `order:${row.orderId}`),
    data: {
      reviewId: row.reviewId,
      orderId: row.orderId,
      from,
      to: row.state,
      reviewerId: row.reviewerId,
      firstReviewerId: row.firstReviewerId,
      manualResult: row.manualResult,
      rejectCode: row.rejectCode,
      finishTime: row.finishTime,
    },
  })
}

export function emitCalled(tx: CommandTx, row: ReviewRow): void {
  tx.emit(REVIEW_TELE_CHANGED, {
    subject: `review:${row.reviewId}`,
    version: row.version,
    rooms: [`review:${row.reviewId}`],
    data: { reviewId: row.reviewId, callState: row.teleCallState },
  })
}

export function emitChecks(tx: CommandTx, row: ReviewRow, demands: readonly string[]): void {
  tx.emit(REVIEW_CHECKS_CHANGED, {
    subject: `review:${row.reviewId}`,
    version: row.version,
    rooms: roomsOf(row, userRoom(row.reviewerId)),
    data: {
      reviewId: row.reviewId,
      demands: [...demands],
      bindState: row.bindState,
      nameSimilarity: row.nameSimilarity,
    },
  })
}

export function emitQuality(tx: CommandTx, row: ReviewRow): void {
  tx.emit(REVIEW_QUALITY_CHANGED, {
    subject: `review:${row.reviewId}`,
    version: row.version,
    rooms: roomsOf(row, userRoom(row.reviewerId)),
    data: {
      reviewId: row.reviewId,
      quality: row.quality,
      qualityCode: row.qualityCode,
      qualityClass: row.qualityClass,
      appealState: row.appealState,
    },
  })
}

/** Operate log entry: what changed, without personal data. */
export function logReview(
  tx: CommandTx,
  action: string,
  before: LockedReview,
  row: ReviewRow,
  more: Record<string, unknown> = {},
): void {
  tx.log({
    menu: MENU,
    action,
    targetKind: 'review',
    targetId: row.reviewId,
    before: {
      state: before.state,
      reviewerId: before.reviewer_id,
      token: before.token,
      version: before.version,
    },
    after: {
      state: row.state,
      reviewerId: row.reviewerId,
      token: row.token,
      version: row.version,
      ...more,
    },
  })
}

export function notifyAboutReview(
  tx: CommandTx,
  userId: string | null,
  kind: Notification['kind'],
  title: string,
  row: { reviewId: string },
  params: Record<string, string | number> = {},
): void {
  // nobody is notified of an own action
  if (userId === null || userId === tx.actor.userId) return
  tx.notify({
    userId,
    kind,
    titleKey: `review:notification.${title}`,
    params: { reviewId: row.reviewId, userName: tx.actor.userName, ...params },
    route: reviewPath(row.reviewId),
  })
}
