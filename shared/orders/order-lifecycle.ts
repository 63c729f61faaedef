/**
 * Lifecycle of a loan order. A state is the status number as text; `new` is the order before it is
 * stored. PAY_OK_PARTIAL*, PAY_FAIL* and REVERSE_PAYMENT* are one event each: guards choose the
 * status the order returns to. Effects in the same transaction (plans, review item, successor
 * order), approvals and typed confirmations belong to the commands, not to the guards.
 */
import { setup } from 'xstate'
import { lifecycle, type Lifecycle } from '#shared/kernel/lifecycle.ts'
import type { OrderStatus } from './order-statuses.ts'

export type OrderState = 'new' | `${OrderStatus}`

/** Statuses in which a payment can start; stored as `resumeStatus`. */
export type ResumeStatus = 30 | 50 | 90

/** IST days; `dueDay` is the earliest unpaid due day of the order. */
export interface DueFacts {
  today: string
  dueDay: string
}

/**
 * Whole paise. `paidPaise` is the confirmed sum counted against `duePaise` (a surplus becomes
 * customer credit and is not counted), `duePaise` the amount due before any reduction,
 * `reductionPaise` the approved reduction used (0 = none).
 */
export interface PaidFacts {
  paidPaise: number
  duePaise: number
}
export interface FullPaidFacts extends PaidFacts {
  reductionPaise: number
}
export interface ResumeFacts extends DueFacts {
  resumeStatus: ResumeStatus
}

export type OrderEvent =
  | { type: 'SUBMIT'; kycComplete: boolean; hasOpenOrder: boolean; isBlacklisted: boolean }
  | { type: 'AUTO_PASS'; blockingRulesPassed: boolean; needManual: boolean }
  | {
      type: 'AUTO_REJECT'
      blockingRuleHit: boolean
      refusalCode: string
      coolDownUntil: string | null
    }
  | { type: 'AUTO_UNDECIDED'; needManual: boolean; outputAbnormal: boolean }
  | { type: 'LIMIT_FAIL'; approvedLimitPaise: number; productMinimumPaise: number }
  | { type: 'REVIEW_PASS'; reviewState: string; tokenCurrent: boolean }
  | { type: 'REVIEW_REJECT'; reviewState: string; rejectCode: string | null }
  /** `nameSimilarity` and its threshold in percent. */
  | {
      type: 'DISBURSE'
      cardBound: boolean
      nameSimilarity: number
      nameThreshold: number
      kfsAccepted: boolean
      quotaLeft: boolean
    }
  | { type: 'PAYOUT_OK' }
  | { type: 'PAYOUT_FAIL'; failReason: string }
  /** `attempts` made so far; `maxAttempts` = parameter payout.maxAttempts. */
  | { type: 'RETRY_PAYOUT'; attempts: number; maxAttempts: number; cardRebound: boolean }
  /** `offerExpired` = order.offerHours have passed since the approval. */
  | { type: 'CANCEL'; withdrawn: boolean; offerExpired: boolean }
  | { type: 'CANCEL_DISBURSEMENT'; provenNotSettled: boolean }
  /** `duePaise` = quote of type coolingOff: principal and proportionate charge, no penalty. */
  | ({ type: 'COOLING_OFF_EXIT'; insideCoolingOff: boolean } & PaidFacts)
  | { type: 'PAY_SUBMITTED' }
  | ({ type: 'PAY_OK_FULL' } & FullPaidFacts)
  | ({ type: 'PAY_OK_REDUCED' } & FullPaidFacts)
  | ({ type: 'PAY_OK_PARTIAL' } & PaidFacts & ResumeFacts)
  | ({ type: 'PAY_FAIL' } & ResumeFacts)
  /** `duePaise` = the rollover amount due. */
  | ({ type: 'ROLLOVER_OK'; repaymentType: string } & PaidFacts)
  | ({ type: 'DUE_PASSED'; balancePaise: number } & DueFacts)
  /** `badDebtDays` = parameter order.badDebtDays: 91, the first day above DPD 90. */
  | { type: 'BECOME_BAD'; overdueDays: number; badDebtDays: number }
  | { type: 'CURE'; settlementPlanCurrent: boolean }
  /** `capPaise` = parameter writeoff.cap.* of the role. */
  | { type: 'OPS_WRITE_OFF'; reason: string; outstandingPaise: number; capPaise: number }
  | { type: 'BATCH_WRITE_OFF'; batchApproved: boolean }
  /** Without a reversed payment the history of the loan has no bad debt. */
  | ({ type: 'NEVER_BAD'; isBadDebt: boolean } & DueFacts)
  | ({ type: 'REVERSE_PAYMENT'; cause: 'bounced' | 'duplicateUtr' | null } & DueFacts)

export type OrderEventType = OrderEvent['type']

type Facts<Type extends OrderEventType> = Omit<Extract<OrderEvent, { type: Type }>, 'type'>

function isOverdueOn(due: DueFacts): boolean {
  return due.today > due.dueDay
}
function isPartly(paid: PaidFacts): boolean {
  return paid.paidPaise > 0 && paid.paidPaise < paid.duePaise
}

const machine = setup({
  types: { events: {} as OrderEvent, tags: {} as 'closed' },
  guards: {
    canSubmit: (_, e: Facts<'SUBMIT'>) => e.kycComplete && !e.hasOpenOrder && !e.isBlacklisted,
    isAutoPassed: (_, e: Facts<'AUTO_PASS'>) => e.blockingRulesPassed && !e.needManual,
    isAutoRejected: (_, e: Facts<'AUTO_REJECT'>) =>
      e.blockingRuleHit && e.refusalCode !== '' && e.coolDownUntil !== null,
    isUndecided: (_, e: Facts<'AUTO_UNDECIDED'>) => e.needManual || e.outputAbnormal,
    isBelowMinimum: (_, e: Facts<'LIMIT_FAIL'>) => e.approvedLimitPaise < e.productMinimumPaise,
    isReviewPassed: (_, e: Facts<'REVIEW_PASS'>) => e.reviewState === 'passed' && e.tokenCurrent,
    isReviewFailed: (_, e: Facts<'REVIEW_REJECT'>) =>
      e.reviewState === 'failed' && Boolean(e.rejectCode),
    canDisburse: (_, e: Facts<'DISBURSE'>) =>
      e.cardBound && e.nameSimilarity >= e.nameThreshold && e.kfsAccepted && e.quotaLeft,
    hasFailReason: (_, e: Facts<'PAYOUT_FAIL'>) => e.failReason.trim() !== '',
    canRetryPayout: (_, e: Facts<'RETRY_PAYOUT'>) => e.attempts < e.maxAttempts || e.cardRebound,
    isWithdrawn: (_, e: Facts<'CANCEL'>) => e.withdrawn,
    isWithdrawnOrExpired: (_, e: Facts<'CANCEL'>) => e.withdrawn || e.offerExpired,
    isNotSettled: (_, e: Facts<'CANCEL_DISBURSEMENT'>) => e.provenNotSettled,
    canExitCoolingOff: (_, e: Facts<'COOLING_OFF_EXIT'>) =>
      e.insideCoolingOff && e.paidPaise === e.duePaise,
    isPaidInFull: (_, e: FullPaidFacts) => e.reductionPaise === 0 && e.paidPaise === e.duePaise,
    isPaidReduced: (_, e: FullPaidFacts) =>
      e.reductionPaise > 0 && e.paidPaise === e.duePaise - e.reductionPaise,
    isPaidPartly: (_, e: PaidFacts) => isPartly(e),
    isPaidPartlyOverdue: (_, e: PaidFacts & DueFacts) => isPartly(e) && isOverdueOn(e),
    isPaidPartlyBad: (_, e: PaidFacts & ResumeFacts) => isPartly(e) && e.resumeStatus === 90,
    isBad: (_, e: ResumeFacts) => e.resumeStatus === 90,
    isOverdue: (_, e: DueFacts) => isOverdueOn(e),
    isRolledOver: (_, e: Facts<'ROLLOVER_OK'>) =>
      e.repaymentType === 'rollover' && e.paidPaise === e.duePaise,
    isDuePassed: (_, e: Facts<'DUE_PASSED'>) => isOverdueOn(e) && e.balancePaise > 0,
    isBadDebt: (_, e: Facts<'BECOME_BAD'>) => e.overdueDays >= e.badDebtDays,
    hasCurrentPlan: (_, e: Facts<'CURE'>) => e.settlementPlanCurrent,
    isNoBadDebt: (_, e: Facts<'NEVER_BAD'>) => !e.isBadDebt,
    isOnlyOverdue: (_, e: Facts<'NEVER_BAD'>) => !e.isBadDebt && isOverdueOn(e),
    canWriteOff: (_, e: Facts<'OPS_WRITE_OFF'>) =>
      e.reason.trim() !== '' && e.outstandingPaise <= e.capPaise,
    isInApprovedBatch: (_, e: Facts<'BATCH_WRITE_OFF'>) => e.batchApproved,
    isReversible: (_, e: Facts<'REVERSE_PAYMENT'>) => e.cause !== null,
    isReversibleOverdue: (_, e: Facts<'REVERSE_PAYMENT'>) => e.cause !== null && isOverdueOn(e),
  },
}).createMachine({
  id: 'order',
  initial: 'new',
  states: {
    new: {
      on: { SUBMIT: { target: '10', guard: { type: 'canSubmit', params: ({ event }) => event } } },
    },
    '10': {
      on: {
        AUTO_PASS: { target: '20', guard: { type: 'isAutoPassed', params: ({ event }) => event } },
        AUTO_REJECT: {
          target: '21',
          guard: { type: 'isAutoRejected', params: ({ event }) => event },
        },
        AUTO_UNDECIDED: {
          target: '22',
          guard: { type: 'isUndecided', params: ({ event }) => event },
        },
        LIMIT_FAIL: {
          target: '23',
          guard: { type: 'isBelowMinimum', params: ({ event }) => event },
        },
        CANCEL: { target: '70', guard: { type: 'isWithdrawn', params: ({ event }) => event } },
      },
    },
    '20': {
      on: {
        DISBURSE: { target: '29', guard: { type: 'canDisburse', params: ({ event }) => event } },
        CANCEL: {
          target: '70',
          guard: { type: 'isWithdrawnOrExpired', params: ({ event }) => event },
        },
      },
    },
    '21': { tags: ['closed'] },
    '22': {
      on: {
        REVIEW_PASS: {
          target: '26',
          guard: { type: 'isReviewPassed', params: ({ event }) => event },
        },
        REVIEW_REJECT: {
          target: '27',
          guard: { type: 'isReviewFailed', params: ({ event }) => event },
        },
        CANCEL: { target: '70', guard: { type: 'isWithdrawn', params: ({ event }) => event } },
      },
    },
    '23': { tags: ['closed'] },
    '26': {
      on: {
        DISBURSE: { target: '29', guard: { type: 'canDisburse', params: ({ event }) => event } },
        CANCEL: {
          target: '70',
          guard: { type: 'isWithdrawnOrExpired', params: ({ event }) => event },
        },
      },
    },
    '27': { tags: ['closed'] },
    '29': {
      on: {
        PAYOUT_OK: { target: '30' },
        PAYOUT_FAIL: {
          target: '31',
          guard: { type: 'hasFailReason', params: ({ event }) => event },
        },
      },
    },
    '30': {
      on: {
        COOLING_OFF_EXIT: {
          target: '40',
          guard: { type: 'canExitCoolingOff', params: ({ event }) => event },
        },
        PAY_SUBMITTED: { target: '43' },
        DUE_PASSED: { target: '50', guard: { type: 'isDuePassed', params: ({ event }) => event } },
        OPS_WRITE_OFF: {
          target: '100',
          guard: { type: 'canWriteOff', params: ({ event }) => event },
        },
      },
    },
    '31': {
      on: {
        RETRY_PAYOUT: {
          target: '29',
          guard: { type: 'canRetryPayout', params: ({ event }) => event },
        },
        CANCEL_DISBURSEMENT: {
          target: '70',
          guard: { type: 'isNotSettled', params: ({ event }) => event },
        },
      },
    },
    '40': {
      tags: ['closed'],
      on: {
        REVERSE_PAYMENT: [
          { target: '50', guard: { type: 'isReversibleOverdue', params: ({ event }) => event } },
          { target: '30', guard: { type: 'isReversible', params: ({ event }) => event } },
        ],
      },
    },
    '41': {
      tags: ['closed'],
      on: {
        REVERSE_PAYMENT: {
          target: '50',
          guard: { type: 'isReversibleOverdue', params: ({ event }) => event },
        },
      },
    },
    '43': {
      on: {
        PAY_OK_FULL: {
          target: '40',
          guard: { type: 'isPaidInFull', params: ({ event }) => event },
        },
        PAY_OK_REDUCED: {
          target: '41',
          guard: { type: 'isPaidReduced', params: ({ event }) => event },
        },
        // Bad debt stays bad debt whatever the day: only a cure ends it.
        PAY_OK_PARTIAL: [
          { target: '90', guard: { type: 'isPaidPartlyBad', params: ({ event }) => event } },
          { target: '50', guard: { type: 'isPaidPartlyOverdue', params: ({ event }) => event } },
          { target: '30', guard: { type: 'isPaidPartly', params: ({ event }) => event } },
        ],
        PAY_FAIL: [
          { target: '90', guard: { type: 'isBad', params: ({ event }) => event } },
          { target: '50', guard: { type: 'isOverdue', params: ({ event }) => event } },
          { target: '30' },
        ],
        ROLLOVER_OK: {
          target: '80',
          guard: { type: 'isRolledOver', params: ({ event }) => event },
        },
      },
    },
    '50': {
      on: {
        PAY_SUBMITTED: { target: '43' },
        BECOME_BAD: { target: '90', guard: { type: 'isBadDebt', params: ({ event }) => event } },
        OPS_WRITE_OFF: {
          target: '100',
          guard: { type: 'canWriteOff', params: ({ event }) => event },
        },
        BATCH_WRITE_OFF: {
          target: '110',
          guard: { type: 'isInApprovedBatch', params: ({ event }) => event },
        },
      },
    },
    '70': { tags: ['closed'] },
    '80': { tags: ['closed'] },
    '90': {
      on: {
        PAY_SUBMITTED: { target: '43' },
        CURE: { target: '50', guard: { type: 'hasCurrentPlan', params: ({ event }) => event } },
        NEVER_BAD: [
          { target: '50', guard: { type: 'isOnlyOverdue', params: ({ event }) => event } },
          { target: '30', guard: { type: 'isNoBadDebt', params: ({ event }) => event } },
        ],
        OPS_WRITE_OFF: {
          target: '100',
          guard: { type: 'canWriteOff', params: ({ event }) => event },
        },
        BATCH_WRITE_OFF: {
          target: '110',
          guard: { type: 'isInApprovedBatch', params: ({ event }) => event },
        },
      },
    },
    '100': { tags: ['closed'] },
    '110': { tags: ['closed'] },
  },
})

export const orderLifecycle: Lifecycle<OrderState, OrderEvent> = lifecycle<
  OrderState,
  typeof machine
>('order', machine)

/**
 * Status after the event; `new` is an order not stored yet.
 * @throws IllegalTransition when the status does not allow the event or its guard refuses
 */
export function nextOrderStatus(status: OrderStatus | 'new', event: OrderEvent): OrderStatus {
  // No transition leads to `new`, so the state after one is always a number.
  return Number(orderLifecycle.next(`${status}`, event)) as OrderStatus
}

/** Whether `nextOrderStatus` would succeed. */
export function canOrder(status: OrderStatus | 'new', event: OrderEvent): boolean {
  return orderLifecycle.can(`${status}`, event)
}

/** Events the status has a transition for, ignoring guards: decides which buttons exist. */
export function allowedOrderEvents(status: OrderStatus | 'new'): OrderEventType[] {
  return orderLifecycle.allowed(`${status}`)
}

/** Whether the order has ended; 40 and 41 may still be reversed. */
export function isOrderClosed(status: OrderStatus): boolean {
  return orderLifecycle.isClosed(`${status}`)
}
