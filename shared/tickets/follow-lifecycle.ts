/** The follow-up state of a ticket. It changes only together with a step of the ticket. */
import { setup } from 'xstate'
import { lifecycle, type Lifecycle } from '#shared/kernel/lifecycle.ts'

export const FOLLOW_STATES = ['notFollowed', 'following', 'caseClosed'] as const
export type FollowState = (typeof FOLLOW_STATES)[number]

export type FollowEvent =
  | { type: 'FIRST_FOLLOW'; remark: string }
  | { type: 'FOLLOW'; remark: string }
  /** `ticketEnds` = in the same transaction as the ticket's RESOLVE. */
  | { type: 'CLOSE'; ticketEnds: boolean }
  | { type: 'REOPEN'; ticketReopens: boolean }
export type FollowEventType = FollowEvent['type']
type Facts<Type extends FollowEventType> = Omit<Extract<FollowEvent, { type: Type }>, 'type'>

const machine = setup({
  types: { events: {} as FollowEvent, tags: {} as 'closed' },
  guards: {
    hasRemark: (_, e: { remark: string }) => e.remark.trim() !== '',
    isEnding: (_, e: Facts<'CLOSE'>) => e.ticketEnds,
    isReopening: (_, e: Facts<'REOPEN'>) => e.ticketReopens,
  },
}).createMachine({
  id: 'ticketFollow',
  initial: 'notFollowed',
  states: {
    notFollowed: {
      on: {
        FIRST_FOLLOW: {
          target: 'following',
          guard: { type: 'hasRemark', params: ({ event }) => event },
        },
      },
    },
    following: {
      on: {
        FOLLOW: { target: 'following', guard: { type: 'hasRemark', params: ({ event }) => event } },
        CLOSE: { target: 'caseClosed', guard: { type: 'isEnding', params: ({ event }) => event } },
      },
    },
    caseClosed: {
      tags: ['closed'],
      on: {
        REOPEN: {
          target: 'following',
          guard: { type: 'isReopening', params: ({ event }) => event },
        },
      },
    },
  },
})

export const followLifecycle: Lifecycle<FollowState, FollowEvent> = lifecycle<
  FollowState,
  typeof machine
>('ticketFollow', machine)

/** State after a follow-up remark was saved, the first or a further one. */
export function afterRemark(state: FollowState, remark: string): FollowState {
  return followLifecycle.next(state, {
    type: state === 'notFollowed' ? 'FIRST_FOLLOW' : 'FOLLOW',
    remark,
  })
}
