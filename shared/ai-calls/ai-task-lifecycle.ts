/**
 * Lifecycle of a task of the calling robot. A task is `calling` for a whole round: its call and the
 * redials after it. Facts come from the locked rows and the database's clock.
 */
import { setup } from 'xstate'
import { lifecycle, type Lifecycle } from '#shared/kernel/lifecycle.ts'

export const AI_TASK_STATES = [
  'created',
  'pending',
  'calling',
  'paused',
  'finished',
  'cancelled',
] as const
export type AiTaskState = (typeof AI_TASK_STATES)[number]

export type AiTaskEvent =
  /** `insideHours` = the hours of the configuration are inside the hours of contact. */
  | { type: 'SCHEDULE'; insideHours: boolean }
  /** `mayContact` = the contact rules and the hours of the configuration allow a call now. */
  | { type: 'START'; mayContact: boolean; ignored: boolean }
  /** The round is over without an answer, or its hours are; `roundsLeft` of the configuration. */
  | { type: 'WINDOW_CLOSED'; roundsLeft: number }
  | { type: 'PAUSE' }
  | { type: 'RESUME' }
  /** `answered` = the borrower was spoken to; else nothing is left to dial. */
  | { type: 'DONE'; answered: boolean; redialsLeft: number; roundsLeft: number }
  | { type: 'CANCEL' }

export type AiTaskEventType = AiTaskEvent['type']
type Facts<Type extends AiTaskEventType> = Omit<Extract<AiTaskEvent, { type: Type }>, 'type'>

const machine = setup({
  types: { events: {} as AiTaskEvent, tags: {} as 'closed' },
  guards: {
    isInsideHours: (_, e: Facts<'SCHEDULE'>) => e.insideHours,
    mayDial: (_, e: Facts<'START'>) => e.mayContact && !e.ignored,
    hasRounds: (_, e: Facts<'WINDOW_CLOSED'>) => e.roundsLeft > 0,
    isOver: (_, e: Facts<'DONE'>) => e.answered || (e.redialsLeft <= 0 && e.roundsLeft <= 0),
  },
}).createMachine({
  id: 'aiTask',
  initial: 'created',
  states: {
    created: {
      on: {
        SCHEDULE: {
          target: 'pending',
          guard: { type: 'isInsideHours', params: ({ event }) => event },
        },
        CANCEL: { target: 'cancelled' },
      },
    },
    pending: {
      on: {
        START: { target: 'calling', guard: { type: 'mayDial', params: ({ event }) => event } },
        PAUSE: { target: 'paused' },
        CANCEL: { target: 'cancelled' },
      },
    },
    calling: {
      on: {
        WINDOW_CLOSED: {
          target: 'pending',
          guard: { type: 'hasRounds', params: ({ event }) => event },
        },
        PAUSE: { target: 'paused' },
        DONE: { target: 'finished', guard: { type: 'isOver', params: ({ event }) => event } },
      },
    },
    paused: { on: { RESUME: { target: 'pending' }, CANCEL: { target: 'cancelled' } } },
    finished: { tags: ['closed'] },
    cancelled: { tags: ['closed'] },
  },
})

export const aiTaskLifecycle: Lifecycle<AiTaskState, AiTaskEvent> = lifecycle<
  AiTaskState,
  typeof machine
>('aiTask', machine)
