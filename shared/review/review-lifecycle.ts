/**
 * Lifecycle of a review item. Facts come from the locked row and the database clock: writes of a
 * holder state whether the caller is the owner and has the row's fencing token. Permissions are not
 * guards.
 */
import { setup } from 'xstate'
import { lifecycle, type Lifecycle } from '#shared/kernel/lifecycle.ts'
import { isRejectCode, needsRemark, type Verdict } from './reject-reasons.ts'

export const REVIEW_STATES = [
  'initial',
  'unclaimed',
  'toAudit',
  'underReview',
  'dataModifiable',
  'manualCheck',
  'audited',
  'passed',
  'failed',
  'abnormal',
] as const
export type ReviewState = (typeof REVIEW_STATES)[number]

/** Maximum machine reruns before the item goes to manual review. */
export const MAX_MACHINE_RETRIES = 3

export interface HolderFacts {
  isOwner: boolean
  tokenCurrent: boolean
}
/** `rejectCode` is null unless `result` is failed; `remark` is '' when none was written. */
export interface DecisionFacts {
  result: Verdict
  rejectCode: string | null
  remark: string
}
export interface CapacityFacts {
  openClaims: number
  capacity: number
}
export type CheckOutcome = 'notRun' | 'passed' | 'rejected' | 'error'
/** The two checks after a decision (job postCheck). */
export interface PostCheckFacts {
  decision: Verdict
  tele: CheckOutcome
  preTransaction: CheckOutcome
}
export interface ReasonFacts {
  reason: string
}

export type ReviewEvent =
  | { type: 'MACHINE_UNDECIDED'; orderStatus: number }
  | { type: 'MACHINE_ERROR' }
  /** `retryCount` = machine runs repeated so far. */
  | { type: 'RETRY'; retryCount: number }
  | { type: 'SEND_MANUAL'; retryCount: number }
  /** `isMaker` = the claimer submitted the application. */
  | ({ type: 'CLAIM'; isMaker: boolean } & CapacityFacts)
  /** Capacity and availability of the receiver. */
  | ({ type: 'ASSIGN'; onDuty: boolean } & CapacityFacts)
  | ({ type: 'OPEN' } & HolderFacts)
  | { type: 'LEASE_EXPIRED'; leaseOver: boolean }
  | ({ type: 'RELEASE' } & HolderFacts & ReasonFacts)
  | { type: 'HANDOVER_APPROVED' }
  | ({ type: 'HEARTBEAT' } & HolderFacts)
  | ({ type: 'TAKE_OVER' } & ReasonFacts)
  | ({ type: 'REQUEST_DATA'; items: readonly string[] } & HolderFacts)
  /**
   * Back to the same reviewer. If they are off duty, LEASE_EXPIRED follows in the same transaction.
   */
  | { type: 'DATA_SUBMITTED' }
  /** `deadlinePassed` = review.dataHours have passed. The stored reason is Z01. */
  | { type: 'DATA_TIMEOUT'; deadlinePassed: boolean }
  /** The order was cancelled in 10 or 22: the review ends without a result. */
  | { type: 'ORDER_CANCELLED' }
  | ({ type: 'ESCALATE' } & HolderFacts & ReasonFacts)
  | ({ type: 'DECIDE'; deciderId: string; firstReviewerId: string } & DecisionFacts)
  /** `versionCurrent` = the row still has the version the reviewer read. */
  | ({ type: 'SUBMIT'; versionCurrent: boolean } & HolderFacts & DecisionFacts)
  /**
   * The person who submitted takes the decision back. `inTime` = before `review.undoSeconds` have
   * passed; `isChecked` = an inspector has opened it.
   */
  | { type: 'UNDO'; isDecider: boolean; inTime: boolean; isEscalated: boolean; isChecked: boolean }
  | ({ type: 'POST_CHECK_PASS' } & PostCheckFacts)
  | ({ type: 'POST_CHECK_FAIL' } & PostCheckFacts)
  | ({ type: 'POST_CHECK_ERROR' } & PostCheckFacts)

export type ReviewEventType = ReviewEvent['type']

type Facts<Type extends ReviewEventType> = Omit<Extract<ReviewEvent, { type: Type }>, 'type'>

function isHeld(holder: HolderFacts): boolean {
  return holder.isOwner && holder.tokenCurrent
}
function hasText(text: string): boolean {
  return text.trim() !== ''
}
/** A rejection needs a reason, and "other" needs a remark. */
function isComplete({ result, rejectCode, remark }: DecisionFacts): boolean {
  if (result === 'passed') return rejectCode === null
  return isRejectCode(rejectCode) && (!needsRemark(rejectCode) || hasText(remark))
}

const machine = setup({
  types: { events: {} as ReviewEvent, tags: {} as 'closed' },
  guards: {
    isOrderUndecided: (_, e: Facts<'MACHINE_UNDECIDED'>) => e.orderStatus === 22,
    canRetry: (_, e: Facts<'RETRY'>) => e.retryCount < MAX_MACHINE_RETRIES,
    isRetriesSpent: (_, e: Facts<'SEND_MANUAL'>) => e.retryCount >= MAX_MACHINE_RETRIES,
    canClaim: (_, e: Facts<'CLAIM'>) => e.openClaims < e.capacity && !e.isMaker,
    canBeAssigned: (_, e: Facts<'ASSIGN'>) => e.openClaims < e.capacity && e.onDuty,
    isHolder: (_, e: HolderFacts) => isHeld(e),
    isHolderWithReason: (_, e: HolderFacts & ReasonFacts) => isHeld(e) && hasText(e.reason),
    isLeaseOver: (_, e: Facts<'LEASE_EXPIRED'>) => e.leaseOver,
    hasReason: (_, e: ReasonFacts) => hasText(e.reason),
    canRequestData: (_, e: Facts<'REQUEST_DATA'>) => isHeld(e) && e.items.length > 0,
    isDataOverdue: (_, e: Facts<'DATA_TIMEOUT'>) => e.deadlinePassed,
    canDecide: (_, e: Facts<'DECIDE'>) => e.deciderId !== e.firstReviewerId && isComplete(e),
    canSubmit: (_, e: Facts<'SUBMIT'>) => isHeld(e) && e.versionCurrent && isComplete(e),
    canUndo: (_, e: Facts<'UNDO'>) => e.isDecider && e.inTime && !e.isEscalated && !e.isChecked,
    isPostChecked: (_, e: PostCheckFacts) =>
      e.decision === 'passed' && e.tele === 'passed' && e.preTransaction === 'passed',
    isRejected: (_, e: PostCheckFacts) =>
      e.decision === 'failed' || e.tele === 'rejected' || e.preTransaction === 'rejected',
    hasVendorError: (_, e: PostCheckFacts) => e.tele === 'error' || e.preTransaction === 'error',
  },
}).createMachine({
  id: 'review',
  initial: 'initial',
  states: {
    initial: {
      on: {
        ORDER_CANCELLED: { target: 'failed' },
        MACHINE_UNDECIDED: {
          target: 'unclaimed',
          guard: { type: 'isOrderUndecided', params: ({ event }) => event },
        },
        MACHINE_ERROR: { target: 'abnormal' },
      },
    },
    abnormal: {
      on: {
        ORDER_CANCELLED: { target: 'failed' },
        RETRY: { target: 'initial', guard: { type: 'canRetry', params: ({ event }) => event } },
        SEND_MANUAL: {
          target: 'unclaimed',
          guard: { type: 'isRetriesSpent', params: ({ event }) => event },
        },
      },
    },
    unclaimed: {
      on: {
        ORDER_CANCELLED: { target: 'failed' },
        CLAIM: { target: 'toAudit', guard: { type: 'canClaim', params: ({ event }) => event } },
        ASSIGN: {
          target: 'toAudit',
          guard: { type: 'canBeAssigned', params: ({ event }) => event },
        },
      },
    },
    toAudit: {
      on: {
        ORDER_CANCELLED: { target: 'failed' },
        OPEN: { target: 'underReview', guard: { type: 'isHolder', params: ({ event }) => event } },
        LEASE_EXPIRED: {
          target: 'unclaimed',
          guard: { type: 'isLeaseOver', params: ({ event }) => event },
        },
        RELEASE: {
          target: 'unclaimed',
          guard: { type: 'isHolderWithReason', params: ({ event }) => event },
        },
        HANDOVER_APPROVED: { target: 'toAudit' },
      },
    },
    underReview: {
      on: {
        ORDER_CANCELLED: { target: 'failed' },
        HEARTBEAT: {
          target: 'underReview',
          guard: { type: 'isHolder', params: ({ event }) => event },
        },
        LEASE_EXPIRED: {
          target: 'unclaimed',
          guard: { type: 'isLeaseOver', params: ({ event }) => event },
        },
        RELEASE: {
          target: 'unclaimed',
          guard: { type: 'isHolderWithReason', params: ({ event }) => event },
        },
        HANDOVER_APPROVED: { target: 'toAudit' },
        TAKE_OVER: {
          target: 'toAudit',
          guard: { type: 'hasReason', params: ({ event }) => event },
        },
        REQUEST_DATA: {
          target: 'dataModifiable',
          guard: { type: 'canRequestData', params: ({ event }) => event },
        },
        ESCALATE: {
          target: 'manualCheck',
          guard: { type: 'isHolderWithReason', params: ({ event }) => event },
        },
        SUBMIT: { target: 'audited', guard: { type: 'canSubmit', params: ({ event }) => event } },
      },
    },
    dataModifiable: {
      on: {
        ORDER_CANCELLED: { target: 'failed' },
        DATA_SUBMITTED: { target: 'toAudit' },
        DATA_TIMEOUT: {
          target: 'failed',
          guard: { type: 'isDataOverdue', params: ({ event }) => event },
        },
      },
    },
    manualCheck: {
      on: {
        ORDER_CANCELLED: { target: 'failed' },
        DECIDE: { target: 'audited', guard: { type: 'canDecide', params: ({ event }) => event } },
      },
    },
    audited: {
      on: {
        ORDER_CANCELLED: { target: 'failed' },
        UNDO: { target: 'underReview', guard: { type: 'canUndo', params: ({ event }) => event } },
        POST_CHECK_PASS: {
          target: 'passed',
          guard: { type: 'isPostChecked', params: ({ event }) => event },
        },
        POST_CHECK_FAIL: {
          target: 'failed',
          guard: { type: 'isRejected', params: ({ event }) => event },
        },
        POST_CHECK_ERROR: {
          target: 'abnormal',
          guard: { type: 'hasVendorError', params: ({ event }) => event },
        },
      },
    },
    passed: { tags: ['closed'] },
    failed: { tags: ['closed'] },
  },
})

export const reviewLifecycle: Lifecycle<ReviewState, ReviewEvent> = lifecycle<
  ReviewState,
  typeof machine
>('review', machine)
