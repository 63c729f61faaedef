/** Lifecycle of the verification call of a review item. */
import { setup } from 'xstate'
import { lifecycle, type Lifecycle } from '#shared/kernel/lifecycle.ts'

export const TELE_STATES = ['notExecuted', 'executing', 'connected', 'notConnected'] as const
export type TeleState = (typeof TELE_STATES)[number]

/** Half-open IST window of a verification call: 20:59 is the last minute. */
export const TELE_WINDOW = { from: '10:00', to: '21:00' } as const
export const MAX_TELE_ATTEMPTS_PER_DAY = 3

/** Contact results of an unanswered call: no answer, busy, wrong number, switched off. */
const NOT_REACHED = [3, 4, 5, 6]

export interface DialFacts {
  /** `HH:MM` in IST at the moment of dialling. */
  istClock: string
  /** The borrower asked for this time, outside the window. */
  borrowerAgreed: boolean
  /** Calls of this item on the IST day so far. */
  attemptsToday: number
  isOwner: boolean
}

export type TeleEvent =
  | ({ type: 'DIAL' } & DialFacts)
  | { type: 'ANSWERED'; answers: Readonly<Record<string, string>> }
  | { type: 'NO_ANSWER'; contactResult: number | null }

export type TeleEventType = TeleEvent['type']

type Facts<Type extends TeleEventType> = Omit<Extract<TeleEvent, { type: Type }>, 'type'>

function isCallable({ istClock, borrowerAgreed, isOwner }: DialFacts): boolean {
  return isOwner && (borrowerAgreed || (istClock >= TELE_WINDOW.from && istClock < TELE_WINDOW.to))
}

const machine = setup({
  types: { events: {} as TeleEvent, tags: {} as 'closed' },
  guards: {
    canDial: (_, e: DialFacts) => isCallable(e),
    // Window and ownership apply to every dial, the daily limit only from the second one on.
    canRedial: (_, e: DialFacts) => isCallable(e) && e.attemptsToday < MAX_TELE_ATTEMPTS_PER_DAY,
    hasAnswers: (_, e: Facts<'ANSWERED'>) => Object.keys(e.answers).length > 0,
    isNotReached: (_, e: Facts<'NO_ANSWER'>) =>
      e.contactResult !== null && NOT_REACHED.includes(e.contactResult),
  },
}).createMachine({
  id: 'tele',
  initial: 'notExecuted',
  states: {
    notExecuted: {
      on: {
        DIAL: { target: 'executing', guard: { type: 'canDial', params: ({ event }) => event } },
      },
    },
    executing: {
      on: {
        ANSWERED: {
          target: 'connected',
          guard: { type: 'hasAnswers', params: ({ event }) => event },
        },
        NO_ANSWER: {
          target: 'notConnected',
          guard: { type: 'isNotReached', params: ({ event }) => event },
        },
      },
    },
    notConnected: {
      on: {
        DIAL: { target: 'executing', guard: { type: 'canRedial', params: ({ event }) => event } },
      },
    },
    connected: { tags: ['closed'] },
  },
})

export const teleLifecycle: Lifecycle<TeleState, TeleEvent> = lifecycle<TeleState, typeof machine>(
  'tele',
  machine,
)
