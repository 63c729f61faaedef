/**
 * Lifecycle of a reduction. Withdrawn and revoked ones have a cause beside the state; the end of
 * the order is such a cause, too.
 */
import { setup } from 'xstate'
import { lifecycle, type Lifecycle } from '#shared/kernel/lifecycle.ts'
import type { REDUCTION_STATES } from './reduction-sets.ts'

export type ReductionState = (typeof REDUCTION_STATES)[number]

export type ReductionEvent =
  /** `level` of the decider, above that of the launcher. */
  | {
      type: 'APPROVE'
      byLauncher: boolean
      level: number
      launchLevel: number
      amountPaise: number
      capPaise: number
    }
  | { type: 'REJECT'; reason: string }
  | { type: 'WITHDRAW'; byLauncher: boolean }
  /** `valueDay` is the IST day the money was paid. */
  | { type: 'PAID'; valueDay: string; validUntil: string }
  | { type: 'EXPIRE'; today: string; validUntil: string }
  | { type: 'REVOKE'; reason: string }
  /** Its order ended without it. */
  | { type: 'ORDER_CLOSED' }

type Facts<Type extends ReductionEvent['type']> = Omit<
  Extract<ReductionEvent, { type: Type }>,
  'type'
>

const machine = setup({
  types: { events: {} as ReductionEvent, tags: {} as 'closed' },
  guards: {
    canApprove: (_, e: Facts<'APPROVE'>) =>
      !e.byLauncher && e.level > e.launchLevel && e.amountPaise <= e.capPaise,
    hasReason: (_, e: { reason: string }) => e.reason.trim() !== '',
    isLauncher: (_, e: Facts<'WITHDRAW'>) => e.byLauncher,
    isInTime: (_, e: Facts<'PAID'>) => e.valueDay <= e.validUntil,
    isOver: (_, e: Facts<'EXPIRE'>) => e.today > e.validUntil,
  },
}).createMachine({
  id: 'reduction',
  initial: 'pending',
  states: {
    pending: {
      on: {
        APPROVE: {
          target: 'approved',
          guard: { type: 'canApprove', params: ({ event }) => event },
        },
        REJECT: { target: 'rejected', guard: { type: 'hasReason', params: ({ event }) => event } },
        WITHDRAW: {
          target: 'rejected',
          guard: { type: 'isLauncher', params: ({ event }) => event },
        },
        ORDER_CLOSED: { target: 'rejected' },
      },
    },
    approved: {
      on: {
        PAID: { target: 'used', guard: { type: 'isInTime', params: ({ event }) => event } },
        EXPIRE: { target: 'lapsed', guard: { type: 'isOver', params: ({ event }) => event } },
        REVOKE: { target: 'lapsed', guard: { type: 'hasReason', params: ({ event }) => event } },
        ORDER_CLOSED: { target: 'lapsed' },
      },
    },
    rejected: { tags: ['closed'] },
    used: { tags: ['closed'] },
    // a payment made during the validity may still use it, also when it is reported after the lapse
    lapsed: {
      tags: ['closed'],
      on: { PAID: { target: 'used', guard: { type: 'isInTime', params: ({ event }) => event } } },
    },
  },
})

export const reductionLifecycle: Lifecycle<ReductionState, ReductionEvent> = lifecycle<
  ReductionState,
  typeof machine
>('reduction', machine)
