/** Lifecycle of a granted coupon. Its days are IST days. */
import { setup } from 'xstate'
import { lifecycle, type Lifecycle } from '#shared/kernel/lifecycle.ts'

export const GRANT_STATES = ['unused', 'used', 'expired', 'revoked'] as const
export type GrantState = (typeof GRANT_STATES)[number]

export type GrantEvent =
  /** With money paid, or an application made, on `valueDay`. */
  | { type: 'USE'; valueDay: string; grantedOn: string; validUntil: string }
  /**
   * Its payment failed or was reversed, or its application ended without a loan: within its
   * validity, and after it.
   */
  | { type: 'GIVE_BACK'; today: string; validUntil: string }
  | { type: 'GIVE_BACK_LATE'; today: string; validUntil: string }
  | { type: 'EXPIRE'; today: string; validUntil: string }
  | { type: 'REVOKE'; reason: string }

type Facts<Type extends GrantEvent['type']> = Omit<Extract<GrantEvent, { type: Type }>, 'type'>

const machine = setup({
  types: { events: {} as GrantEvent, tags: {} as 'closed' },
  guards: {
    isInTime: (_, e: Facts<'USE'>) => e.valueDay >= e.grantedOn && e.valueDay <= e.validUntil,
    isStillValid: (_, e: Facts<'GIVE_BACK'>) => e.today <= e.validUntil,
    isOver: (_, e: Facts<'EXPIRE'>) => e.today > e.validUntil,
    hasReason: (_, e: Facts<'REVOKE'>) => e.reason.trim() !== '',
  },
}).createMachine({
  id: 'couponGrant',
  initial: 'unused',
  states: {
    unused: {
      on: {
        USE: { target: 'used', guard: { type: 'isInTime', params: ({ event }) => event } },
        EXPIRE: { target: 'expired', guard: { type: 'isOver', params: ({ event }) => event } },
        REVOKE: { target: 'revoked', guard: { type: 'hasReason', params: ({ event }) => event } },
      },
    },
    used: {
      tags: ['closed'],
      on: {
        GIVE_BACK: {
          target: 'unused',
          guard: { type: 'isStillValid', params: ({ event }) => event },
        },
        GIVE_BACK_LATE: {
          target: 'expired',
          guard: { type: 'isOver', params: ({ event }) => event },
        },
      },
    },
    expired: { tags: ['closed'] },
    revoked: { tags: ['closed'] },
  },
})

export const grantLifecycle: Lifecycle<GrantState, GrantEvent> = lifecycle<
  GrantState,
  typeof machine
>('couponGrant', machine)
