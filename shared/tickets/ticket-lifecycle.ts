/**
 * The progress of a feedback ticket. The facts come from the locked row, its pending hand-over and
 * the database's clock; permissions are checked elsewhere.
 */
import { setup } from 'xstate'
import { lifecycle, type Lifecycle } from '#shared/kernel/lifecycle.ts'
import { MAX_LEVEL, REOPEN_DAYS } from './ticket-sets.ts'

export const PROGRESS_STATES = ['unprocessed', 'followingUp', 'finished'] as const
export type ProgressState = (typeof PROGRESS_STATES)[number]

/**
 * The person who is to get the ticket. `isConcerned` = the ticket is a complaint about that person,
 * who must never get it.
 */
export interface ReceiverFacts {
  openTickets: number
  capacity: number
  isConcerned: boolean
}
/** `handoverPending` blocks the processor until the hand-over is decided (F-HAND). */
export interface ProcessorFacts {
  isOwner: boolean
  isLeader: boolean
  handoverPending: boolean
}
export const RETURN_CAUSES = ['released', 'expired', 'offDuty'] as const
export type ReturnCause = (typeof RETURN_CAUSES)[number]

export type TicketEvent =
  | ({ type: 'CLAIM' } & ReceiverFacts)
  | ({ type: 'ASSIGN'; onDuty: boolean } & ReceiverFacts)
  | ({ type: 'REPLY'; content: string } & ProcessorFacts)
  | ({ type: 'TRANSFER_APPROVED' } & ReceiverFacts)
  /** `bySystem` = the day of an automatic escalation has come. */
  | ({ type: 'ESCALATE'; level: number; reason: string; bySystem: boolean } & ProcessorFacts)
  /** `leaseOver` counts before the first reply only. */
  | ({
      type: 'RETURN'
      cause: ReturnCause
      reason: string
      leaseOver: boolean
      offDuty: boolean
    } & ProcessorFacts)
  | ({ type: 'RESOLVE'; remark: string } & ProcessorFacts)
  /** By a leader with a reason, or by the customer (a message, or a low rating); `days` = since the ticket ended. */
  | { type: 'REOPEN'; byCustomer: boolean; days: number; reason: string }

export type TicketEventType = TicketEvent['type']
type Facts<Type extends TicketEventType> = Omit<Extract<TicketEvent, { type: Type }>, 'type'>

function hasText(text: string): boolean {
  return text.trim() !== ''
}
function hasRoom(e: ReceiverFacts): boolean {
  return e.openTickets < e.capacity && !e.isConcerned
}
/** The processor, unless they have a pending hand-over. */
function isFreeProcessor(e: ProcessorFacts): boolean {
  return e.isOwner && !e.handoverPending
}
function canReturn(e: Facts<'RETURN'>): boolean {
  if (e.cause === 'expired') return e.leaseOver
  if (e.cause === 'offDuty') return e.offDuty
  return hasText(e.reason) && (e.isLeader || isFreeProcessor(e))
}

const machine = setup({
  types: { events: {} as TicketEvent, tags: {} as 'closed' },
  guards: {
    hasRoom: (_, e: ReceiverFacts) => hasRoom(e),
    canBeAssigned: (_, e: Facts<'ASSIGN'>) => e.onDuty && hasRoom(e),
    canReply: (_, e: Facts<'REPLY'>) => isFreeProcessor(e) && hasText(e.content),
    isNotConcerned: (_, e: ReceiverFacts) => !e.isConcerned,
    canEscalate: (_, e: Facts<'ESCALATE'>) =>
      e.level < MAX_LEVEL &&
      (e.bySystem || (hasText(e.reason) && (e.isLeader || isFreeProcessor(e)))),
    canReturn: (_, e: Facts<'RETURN'>) => canReturn(e),
    canResolve: (_, e: Facts<'RESOLVE'>) => hasText(e.remark) && (e.isLeader || isFreeProcessor(e)),
    canReopen: (_, e: Facts<'REOPEN'>) =>
      e.byCustomer ? e.days <= REOPEN_DAYS : hasText(e.reason),
  },
}).createMachine({
  id: 'ticket',
  initial: 'unprocessed',
  states: {
    unprocessed: {
      on: {
        CLAIM: { target: 'followingUp', guard: { type: 'hasRoom', params: ({ event }) => event } },
        ASSIGN: {
          target: 'followingUp',
          guard: { type: 'canBeAssigned', params: ({ event }) => event },
        },
        // escalation days also count for a ticket that was never claimed
        ESCALATE: {
          target: 'unprocessed',
          guard: { type: 'canEscalate', params: ({ event }) => event },
        },
      },
    },
    followingUp: {
      on: {
        REPLY: { target: 'followingUp', guard: { type: 'canReply', params: ({ event }) => event } },
        TRANSFER_APPROVED: {
          target: 'followingUp',
          guard: { type: 'isNotConcerned', params: ({ event }) => event },
        },
        ESCALATE: {
          target: 'followingUp',
          guard: { type: 'canEscalate', params: ({ event }) => event },
        },
        RETURN: {
          target: 'unprocessed',
          guard: { type: 'canReturn', params: ({ event }) => event },
        },
        RESOLVE: {
          target: 'finished',
          guard: { type: 'canResolve', params: ({ event }) => event },
        },
      },
    },
    finished: {
      tags: ['closed'],
      on: {
        REOPEN: {
          target: 'followingUp',
          guard: { type: 'canReopen', params: ({ event }) => event },
        },
      },
    },
  },
})

export const ticketLifecycle: Lifecycle<ProgressState, TicketEvent> = lifecycle<
  ProgressState,
  typeof machine
>('ticket', machine)
