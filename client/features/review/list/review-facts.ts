/** What one live event states about a row of the review list, and what it leaves unknown. Pure. */
import type { DataOfEvent, LiveEvent, LiveEventKind } from '#shared/kernel/live.ts'
import type { QualityState } from '#shared/review/quality-lifecycle.ts'
import {
  REVIEW_CHECKS_CHANGED,
  REVIEW_CLAIMED,
  REVIEW_HANDOVER_CHANGED,
  REVIEW_LEASE_EXPIRING,
  REVIEW_QUALITY_CHANGED,
  REVIEW_QUEUED,
  REVIEW_RELEASED,
  REVIEW_STATE_CHANGED,
  REVIEW_TELE_CHANGED,
} from '#shared/review/review-live.ts'
import type { ReviewState } from '#shared/review/review-lifecycle.ts'
import type { TeleState } from '#shared/review/tele-lifecycle.ts'
import type { ReviewRow } from '../review-types.ts'
import { HELD_STATES } from './review-tabs.ts'

export interface EventFacts {
  fields: Partial<ReviewRow>
  /** Fields that change with this event but are not in it: the row must be refetched. */
  lacks: readonly (keyof ReviewRow)[]
  /** Previous state, if the event has it. */
  from?: string
  /** What a starting or ending hand-over implies about the previous row. */
  before?: Partial<ReviewRow>
}

const NO_HANDOVER: Partial<ReviewRow> = {
  handoverId: null,
  handoverFrom: null,
  handoverTo: null,
  handoverToId: null,
  handoverReason: null,
}
const NO_HOLDER: Partial<ReviewRow> = { reviewerId: null, reviewerName: null, leaseUntil: null }
/** Set by the post checks, whose events do not carry it. */
const CHECKED: readonly (keyof ReviewRow)[] = [
  'manualId',
  'preRejectCode',
  'quotaReject',
  'bindState',
  'nameSimilarity',
]
const MACHINE: readonly (keyof ReviewRow)[] = [
  'machineId',
  'machineState',
  'machineTime',
  'machineIntervalSec',
  'needManual',
]

/** Null for events that change no row. */
export function factsOf(event: LiveEvent): EventFacts | null {
  // The event type determines its data.
  const is = <Kind extends LiveEventKind>(kind: Kind) =>
    event.type === kind.type ? (event.data as DataOfEvent<Kind>) : null
  const queued = is(REVIEW_QUEUED)
  // Freed claims are also sent as released events, which have the previous state.
  if (queued)
    return {
      from: 'initial',
      fields: {
        ...NO_HOLDER,
        orderId: queued.orderId,
        state: 'unclaimed',
        priority: queued.priority,
        queuedTime: queued.queuedTime,
      },
      lacks: ['token'],
    }
  const claimed = is(REVIEW_CLAIMED)
  if (claimed)
    return {
      fields: {
        state: claimed.state as ReviewState,
        reviewerId: claimed.reviewerId,
        reviewerName: claimed.reviewerName,
        leaseUntil: claimed.leaseUntil,
        token: claimed.token,
      },
      lacks: ['claimTime'],
    }
  const released = is(REVIEW_RELEASED)
  if (released) return releasedFacts(released)
  const moved = is(REVIEW_STATE_CHANGED)
  if (moved) return movedFacts(moved)
  const handover = is(REVIEW_HANDOVER_CHANGED)
  if (handover?.state === 'pending')
    return {
      fields: {
        reviewerId: handover.fromUserId,
        handoverState: handover.state,
        handoverId: handover.handoverId,
        handoverToId: handover.toUserId,
      },
      lacks: ['handoverFrom', 'handoverTo', 'handoverReason'],
      before: { handoverState: null },
    }
  if (handover)
    return {
      before: {
        handoverState: 'pending',
        handoverToId: handover.toUserId,
        reviewerId: handover.fromUserId,
      },
      fields: { handoverState: handover.state, ...NO_HANDOVER },
      lacks: [],
    }
  const quality = is(REVIEW_QUALITY_CHANGED)
  if (quality)
    return {
      fields: {
        quality: quality.quality as QualityState,
        qualityCode: quality.qualityCode,
        qualityClass: quality.qualityClass,
        appealState: quality.appealState,
      },
      lacks: [],
    }
  const tele = is(REVIEW_TELE_CHANGED)
  if (tele) return { fields: { teleCallState: tele.callState as TeleState }, lacks: [] }
  const checks = is(REVIEW_CHECKS_CHANGED)
  if (checks)
    return {
      fields: { bindState: checks.bindState, nameSimilarity: checks.nameSimilarity },
      lacks: [],
    }
  const expiring = is(REVIEW_LEASE_EXPIRING)
  return expiring ? { fields: { leaseUntil: expiring.leaseUntil }, lacks: [] } : null
}

function releasedFacts({ state, token }: DataOfEvent<typeof REVIEW_RELEASED>): EventFacts {
  const freed = state === 'unclaimed'
  return {
    ...(freed ? { from: 'toAudit' } : {}),
    fields: {
      state: state as ReviewState,
      token,
      ...(freed ? NO_HOLDER : isHeldCode(state) ? {} : { leaseUntil: null }),
    },
    lacks: [],
  }
}

function movedFacts({ from, to, ...data }: DataOfEvent<typeof REVIEW_STATE_CHANGED>): EventFacts {
  return {
    from,
    fields: {
      orderId: data.orderId,
      state: to as ReviewState,
      reviewerId: data.reviewerId,
      firstReviewerId: data.firstReviewerId,
      manualResult: data.manualResult,
      rejectCode: data.rejectCode,
      finishTime: data.finishTime,
      ...(data.reviewerId === null ? NO_HOLDER : {}),
      ...(isHeldCode(to) ? {} : { leaseUntil: null }),
    },
    lacks: isHeldCode(to)
      ? ['leaseUntil', 'token', 'reviewerName', ...(from === 'audited' ? CHECKED : [])]
      : from === 'initial'
        ? MACHINE
        : to === 'unclaimed'
          ? []
          : ['reviewerName', ...CHECKED],
  }
}

function isHeldCode(state: string): boolean {
  return (HELD_STATES as readonly string[]).includes(state)
}
