/** Heartbeat of the reviews this user holds. */
import { createLeaseKeeper, type LeaseFacts } from '#client/live/lease-keeper.ts'
import { call } from '#client/session/call.ts'
import { listReviews, renewReview } from '#shared/review/review-api.ts'
import type { ReviewRow } from '../review-types.ts'
import { messageOfEvent } from '../desk/desk-messages.ts'

export type LeaseUpdate =
  | { type: 'RENEWED'; reviewId: string; token: number; leaseUntil: string }
  | { type: 'RENEW_REFUSED'; reviewId: string; token: number; holderName: string | null }

type HeldRow = Pick<
  ReviewRow,
  'reviewId' | 'reviewerId' | 'token' | 'state' | 'version' | 'leaseUntil'
>

const keeper = createLeaseKeeper({
  name: 'review-leases',
  renew: (reviewId, token, lastInputTime) =>
    call(renewReview, { reviewId, token, lastInputTime }, { quiet: true }),
  held: async () =>
    (await call(listReviews, { tab: 'mine', pageSize: 20 }, { quiet: true })).rows.map(leaseOf),
  factsOf(event) {
    const reviewId = String(event.data.reviewId ?? '')
    const message = reviewId ? messageOfEvent(event, { reviewId, orderId: null }) : null
    if (!message) return null
    const { state, holderId, token, version } = message
    return {
      id: reviewId,
      version,
      ...(holderId === undefined ? {} : { holderId }),
      ...(token === undefined ? {} : { token }),
      ...(state === undefined ? {} : { isLeased: isLeasedState(state) }),
    }
  },
  lostBy: ['V-LEASE', 'G404'],
})

export const startLeaseKeeper = keeper.start

/** Receives every renewal and refusal, also those of other tabs. */
export function onLease(listener: (message: LeaseUpdate) => void): () => void {
  return keeper.on(({ id, ...message }) => listener({ ...message, reviewId: id }))
}

/** Fresh rows from the server: the leases of held ones are renewed from now on. */
export function trackClaims(rows: readonly HeldRow[]): void {
  keeper.track(rows.map(leaseOf))
}

function leaseOf({ reviewId, reviewerId, token, state, version, leaseUntil }: HeldRow): LeaseFacts {
  return {
    id: reviewId,
    version,
    holderId: reviewerId,
    token,
    isLeased: isLeasedState(state),
    leaseUntil,
  }
}

function isLeasedState(state: string): boolean {
  return state === 'toAudit' || state === 'underReview'
}
