/** A payment proof: submitted, then accepted or rejected by another person, once. */
import { setup } from 'xstate'
import { lifecycle, type Lifecycle } from '#shared/kernel/lifecycle.ts'
import type { ProofState } from './proof-sets.ts'

export type ProofEvent =
  | { type: 'ACCEPT'; bySubmitter: boolean }
  | { type: 'REJECT'; bySubmitter: boolean; reason: string }

const machine = setup({
  types: { events: {} as ProofEvent, tags: {} as 'closed' },
  guards: {
    isOther: (_, e: { bySubmitter: boolean }) => !e.bySubmitter,
    isOtherWithReason: (_, e: { bySubmitter: boolean; reason: string }) =>
      !e.bySubmitter && e.reason.trim() !== '',
  },
}).createMachine({
  id: 'proof',
  initial: 'pending',
  states: {
    pending: {
      on: {
        ACCEPT: { target: 'accepted', guard: { type: 'isOther', params: ({ event }) => event } },
        REJECT: {
          target: 'rejected',
          guard: { type: 'isOtherWithReason', params: ({ event }) => event },
        },
      },
    },
    accepted: { tags: ['closed'] },
    rejected: { tags: ['closed'] },
  },
})

export const proofLifecycle: Lifecycle<ProofState, ProofEvent> = lifecycle<
  ProofState,
  typeof machine
>('proof', machine)
