/**
 * The collection case with its promise to pay. Facts come from the locked row, the stage's row and
 * the database's clock; who may send an event is a permission, not a guard. Amounts are paise, days
 * IST days.
 */
import { setup } from 'xstate'
import { lifecycle, type Lifecycle } from '#shared/kernel/lifecycle.ts'

export const CASE_STATES = [
  'unallocated',
  'allocating',
  'allocated',
  'promised',
  'held',
  'closed',
] as const
export type CaseState = (typeof CASE_STATES)[number]

export const PTP_STATES = ['open', 'kept', 'keptPart', 'broken', 'cancelled'] as const
export type PtpState = (typeof PTP_STATES)[number]

/** Willingness that allows a promise: willing and able, able and wants to negotiate. */
export const PROMISING: readonly number[] = [1, 4]
/** Able but refuses: breaks an open promise at once. */
export const REFUSES = 3

/** A collector who may be given cases. */
export interface CollectorFacts {
  enabled: boolean
  participates: boolean
  onDuty: boolean
  certified: boolean
  servesStage: boolean
  underCapacity: boolean
}
export interface ContactFacts {
  insideWindow: boolean
  remark: string
}
/**
 * `maxDays` = the tighter of the stage's and the parameter's longest promise; `days` = IST days
 * from today to the promise.
 */
export interface PromiseFacts {
  willingness: number | null
  amount: number
  outstanding: number
  days: number
  maxDays: number
  brokenCount: number
  maxBroken: number
  byLeader: boolean
}
/**
 * `paid` = paid since the promise was made, `keptPercent` = parameter collection.ptpKeptPercent.
 */
export interface KeptFacts {
  paid: number
  promised: number
  keptPercent: number
}
export const RECALL_CAUSES = [
  'placementEnded',
  'agencyLocked',
  'ownerDisabled',
  'noActivity',
  'leader',
] as const
export type RecallCause = (typeof RECALL_CAUSES)[number]

export type CaseEvent =
  | { type: 'RUN_ALLOCATION'; stageEnabled: boolean }
  | ({ type: 'ALLOCATED' } & CollectorFacts)
  | { type: 'NO_CAPACITY' }
  | ({ type: 'FOLLOW_UP' } & ContactFacts)
  | ({ type: 'PROMISE' } & PromiseFacts & ContactFacts)
  /** The promise is kept and a balance is left. */
  | ({ type: 'PROMISE_KEPT_PART' } & KeptFacts)
  /** `over` = the promise's IST day has ended; `refused` = a new contact says unwilling. */
  | ({ type: 'PROMISE_BROKEN'; over: boolean; refused: boolean } & KeptFacts)
  | { type: 'HOLD'; reason: string }
  | { type: 'RESUME'; ownerEligible: boolean }
  | { type: 'RESUME_POOL'; ownerEligible: boolean }
  /**
   * `ownerServes` = the holder also serves the new stage and keeps the case; `promiseDueInDays`
   * null = no open promise.
   */
  | { type: 'STAGE_CHANGE_RECALL'; ownerServes: boolean; promiseDueInDays: number | null }
  | { type: 'TRANSFER'; sameStage: boolean; reason: string }
  | { type: 'AGENCY_RECALL'; cause: RecallCause; reason: string }
  | { type: 'SETTLED'; orderClosed: boolean }
  /** The order continues, but no instalment is due any more: the case ends until the next one. */
  | { type: 'ARREARS_PAID'; dueLeft: boolean }
  | { type: 'REOPEN'; paymentReversed: boolean }

export type CaseEventType = CaseEvent['type']
type Facts<Type extends CaseEventType> = Omit<Extract<CaseEvent, { type: Type }>, 'type'>

function hasText(text: string): boolean {
  return text.trim() !== ''
}

/**
 * Whether the paid amount keeps a promise.
 * @param facts paise paid since the promise was made, paise promised, per cent that is enough
 */
export function isKept({ paid, promised, keptPercent }: KeptFacts): boolean {
  // whole numbers only: paise times per cent stays far below 2^53 for every loan of this product
  return paid * 100 >= promised * keptPercent
}

const machine = setup({
  types: { events: {} as CaseEvent, tags: {} as 'closed' },
  guards: {
    isStageOpen: (_, e: Facts<'RUN_ALLOCATION'>) => e.stageEnabled,
    isEligible: (_, e: CollectorFacts) =>
      e.enabled && e.participates && e.onDuty && e.certified && e.servesStage && e.underCapacity,
    isContact: (_, e: ContactFacts) => e.insideWindow && hasText(e.remark),
    isPromise: (_, e: Facts<'PROMISE'>) =>
      e.insideWindow &&
      hasText(e.remark) &&
      e.willingness !== null &&
      PROMISING.includes(e.willingness) &&
      e.amount > 0 &&
      e.amount <= e.outstanding &&
      e.days >= 0 &&
      e.days <= e.maxDays &&
      (e.brokenCount < e.maxBroken || e.byLeader),
    isKept: (_, e: KeptFacts) => isKept(e),
    isBroken: (_, e: Facts<'PROMISE_BROKEN'>) => e.refused || (e.over && !isKept(e)),
    hasReason: (_, e: { reason: string }) => hasText(e.reason),
    isOwnerEligible: (_, e: Facts<'RESUME'>) => e.ownerEligible,
    isOwnerGone: (_, e: Facts<'RESUME_POOL'>) => !e.ownerEligible,
    leavesTeam: (_, e: Facts<'STAGE_CHANGE_RECALL'>) => !e.ownerServes,
    leavesTeamAndPromiseIsFar: (_, e: Facts<'STAGE_CHANGE_RECALL'>) =>
      !e.ownerServes && (e.promiseDueInDays === null || e.promiseDueInDays > 1),
    canTransfer: (_, e: Facts<'TRANSFER'>) => e.sameStage && hasText(e.reason),
    endsPromise: (_, e: Facts<'AGENCY_RECALL'>) =>
      hasText(e.reason) && e.cause !== 'noActivity' && e.cause !== 'leader',
    isOrderClosed: (_, e: Facts<'SETTLED'>) => e.orderClosed,
    isNothingDue: (_, e: Facts<'ARREARS_PAID'>) => !e.dueLeft,
    isReversed: (_, e: Facts<'REOPEN'>) => e.paymentReversed,
  },
}).createMachine({
  id: 'case',
  initial: 'unallocated',
  states: {
    unallocated: {
      on: {
        RUN_ALLOCATION: {
          target: 'allocating',
          guard: { type: 'isStageOpen', params: ({ event }) => event },
        },
        HOLD: { target: 'held', guard: { type: 'hasReason', params: ({ event }) => event } },
        SETTLED: {
          target: 'closed',
          guard: { type: 'isOrderClosed', params: ({ event }) => event },
        },
        ARREARS_PAID: {
          target: 'closed',
          guard: { type: 'isNothingDue', params: ({ event }) => event },
        },
      },
    },
    allocating: {
      on: {
        ALLOCATED: {
          target: 'allocated',
          guard: { type: 'isEligible', params: ({ event }) => event },
        },
        NO_CAPACITY: { target: 'unallocated' },
      },
    },
    allocated: {
      on: {
        FOLLOW_UP: {
          target: 'allocated',
          guard: { type: 'isContact', params: ({ event }) => event },
        },
        PROMISE: { target: 'promised', guard: { type: 'isPromise', params: ({ event }) => event } },
        HOLD: { target: 'held', guard: { type: 'hasReason', params: ({ event }) => event } },
        STAGE_CHANGE_RECALL: {
          target: 'unallocated',
          guard: { type: 'leavesTeam', params: ({ event }) => event },
        },
        TRANSFER: {
          target: 'allocated',
          guard: { type: 'canTransfer', params: ({ event }) => event },
        },
        AGENCY_RECALL: {
          target: 'unallocated',
          guard: { type: 'hasReason', params: ({ event }) => event },
        },
        SETTLED: {
          target: 'closed',
          guard: { type: 'isOrderClosed', params: ({ event }) => event },
        },
        ARREARS_PAID: {
          target: 'closed',
          guard: { type: 'isNothingDue', params: ({ event }) => event },
        },
      },
    },
    promised: {
      on: {
        FOLLOW_UP: {
          target: 'promised',
          guard: { type: 'isContact', params: ({ event }) => event },
        },
        PROMISE_KEPT_PART: {
          target: 'allocated',
          guard: { type: 'isKept', params: ({ event }) => event },
        },
        PROMISE_BROKEN: {
          target: 'allocated',
          guard: { type: 'isBroken', params: ({ event }) => event },
        },
        HOLD: { target: 'held', guard: { type: 'hasReason', params: ({ event }) => event } },
        STAGE_CHANGE_RECALL: {
          target: 'unallocated',
          guard: { type: 'leavesTeamAndPromiseIsFar', params: ({ event }) => event },
        },
        TRANSFER: {
          target: 'promised',
          guard: { type: 'canTransfer', params: ({ event }) => event },
        },
        AGENCY_RECALL: {
          target: 'unallocated',
          guard: { type: 'endsPromise', params: ({ event }) => event },
        },
        SETTLED: {
          target: 'closed',
          guard: { type: 'isOrderClosed', params: ({ event }) => event },
        },
        ARREARS_PAID: {
          target: 'closed',
          guard: { type: 'isNothingDue', params: ({ event }) => event },
        },
      },
    },
    held: {
      on: {
        RESUME: {
          target: 'allocated',
          guard: { type: 'isOwnerEligible', params: ({ event }) => event },
        },
        RESUME_POOL: {
          target: 'unallocated',
          guard: { type: 'isOwnerGone', params: ({ event }) => event },
        },
        SETTLED: {
          target: 'closed',
          guard: { type: 'isOrderClosed', params: ({ event }) => event },
        },
        ARREARS_PAID: {
          target: 'closed',
          guard: { type: 'isNothingDue', params: ({ event }) => event },
        },
      },
    },
    closed: {
      tags: ['closed'],
      on: {
        REOPEN: {
          target: 'unallocated',
          guard: { type: 'isReversed', params: ({ event }) => event },
        },
      },
    },
  },
})

export const caseLifecycle: Lifecycle<CaseState, CaseEvent> = lifecycle<CaseState, typeof machine>(
  'case',
  machine,
)
