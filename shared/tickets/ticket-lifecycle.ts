/**
 * The progress of a feedback ticket (domain.md 3). Facts come from the locked row, its pending hand-over and the database's
 * clock; who may press at all is a permission, not a guard.
 */
import { setup } from 'xstate'
import { lifecycle, type Lifecycle } from '#shared/kernel/lifecycle.ts'
import { MAX_LEVEL, REOPEN_DAYS } from './ticket-sets.ts'

export const PROGRESS_STATES = ['unprocessed', 'followingUp', 'finished'] as const
export type ProgressState = (typeof PROGRESS_STATES)[number]

/** The person who shall have the ticket. `isConcerned` = the ticket complains about him: he never gets it (screens.md 7.7). */
export interface ReceiverFacts {
  openTickets: number
  capacity: number
  isConcerned: boolean
}
/** `handoverPending` closes the desk to the processor until the hand-over is decided (F-HAND). */
export interface DeskFacts {
  isOwner: boolean
  isLeader: boolean
  handoverPending: boolean
}
export const RETURN_CAUSES = ['released', 'expired', 'offDuty'] as const
export type ReturnCause = (typeof RETURN_CAUSES)[number]

export type TicketEvent =
  | ({ type: 'CLAIM' } & ReceiverFacts)
  | ({ type: 'ASSIGN'; onDuty: boolean } & ReceiverFacts)
  | ({ type: 'REPLY'; content: string } & DeskFacts)
  | ({ type: 'TRANSFER_APPROVED' } & ReceiverFacts)
  /** `bySystem` = the day of an automatic escalation has come. */
  | ({ type: 'ESCALATE'; level: number; reason: string; bySystem: boolean } & DeskFacts)
  /** `leaseOver` counts before the first reply only (domain.md 2.7). */
  | ({
      type: 'RETURN'
      cause: ReturnCause
      reason: string
      leaseOver: boolean
      offDuty: boolean
    } & DeskFacts)
  | ({ type: 'RESOLVE'; remark: string } & DeskFacts)
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
/** The processor, unless he has just offered the ticket to somebody else. */
function isAtDesk(e: DeskFacts): boolean {
  return e.isOwner && !e.handoverPending
}
function canReturn(e: Facts<'RETURN'>): boolean {
  if (e.cause === 'expired') return e.leaseOver
  if (e.cause === 'offDuty') return e.offDuty
  return hasText(e.reason) && (e.isLeader || isAtDesk(e))
}

const machine = setup({
  types: { events: {} as TicketEvent, tags: {} as 'closed' },
  guards: {
    hasRoom: (_, e: ReceiverFacts) => hasRoom(e),
    canBeAssigned: (_, e: Facts<'ASSIGN'>) => e.onDuty && hasRoom(e),
    canReply: (_, e: Facts<'REPLY'>) => isAtDesk(e) && hasText(e.content),
    isNotConcerned: (_, e: ReceiverFacts) => !e.isConcerned,
    canEscalate: (_, e: Facts<'ESCALATE'>) =>
      e.level < MAX_LEVEL && (e.bySystem || (hasText(e.reason) && (e.isLeader || isAtDesk(e)))),
    canReturn: (_, e: Facts<'RETURN'>) => canReturn(e),
    canResolve: (_, e: Facts<'RESOLVE'>) => hasText(e.remark) && (e.isLeader || isAtDesk(e)),
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
        // nobody has taken it for weeks: the days of escalation run on
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
