/** A wall screen from its code to its end. */
import { setup } from 'xstate'
import { lifecycle, type Lifecycle } from '#shared/kernel/lifecycle.ts'
import type { BoardState } from './wall-sets.ts'

export type BoardEvent =
  /** `codeValid` = the code has not expired. */
  | { type: 'APPROVE'; codeValid: boolean }
  | { type: 'REVOKE' }
  /** `timeOver` = the token was not renewed for `session.boardHours`. */
  | { type: 'RUN_OUT'; timeOver: boolean }

export type BoardEventType = BoardEvent['type']

const machine = setup({
  types: { events: {} as BoardEvent, tags: {} as 'closed' },
  guards: {
    isCodeValid: (_, e: { codeValid: boolean }) => e.codeValid,
    isTimeOver: (_, e: { timeOver: boolean }) => e.timeOver,
  },
}).createMachine({
  id: 'board',
  initial: 'waiting',
  states: {
    waiting: {
      on: {
        APPROVE: { target: 'active', guard: { type: 'isCodeValid', params: ({ event }) => event } },
      },
    },
    active: {
      on: {
        REVOKE: { target: 'revoked' },
        RUN_OUT: { target: 'revoked', guard: { type: 'isTimeOver', params: ({ event }) => event } },
      },
    },
    revoked: { tags: ['closed'] },
  },
})

export const boardLifecycle: Lifecycle<BoardState, BoardEvent> = lifecycle<
  BoardState,
  typeof machine
>('board', machine)
