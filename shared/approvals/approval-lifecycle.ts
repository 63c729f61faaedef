/** The states of a request that needs a second person. */
import { setup } from 'xstate'
import { lifecycle, type Lifecycle } from '#shared/kernel/lifecycle.ts'
import type { APPROVAL_STATES } from './approval-sets.ts'

export type ApprovalState = (typeof APPROVAL_STATES)[number]

export type ApprovalEvent =
  | { type: 'APPROVE'; byRequester: boolean; mayDecide: boolean; isOver: boolean }
  | { type: 'REJECT'; byRequester: boolean; mayDecide: boolean; reason: string }
  | { type: 'WITHDRAW'; byRequester: boolean }
  | { type: 'EXPIRE'; isOver: boolean }

type Facts<Type extends ApprovalEvent['type']> = Omit<
  Extract<ApprovalEvent, { type: Type }>,
  'type'
>

const machine = setup({
  types: { events: {} as ApprovalEvent, tags: {} as 'closed' },
  guards: {
    canApprove: (_, e: Facts<'APPROVE'>) => !e.byRequester && e.mayDecide && !e.isOver,
    canReject: (_, e: Facts<'REJECT'>) => !e.byRequester && e.mayDecide && e.reason.trim() !== '',
    isRequester: (_, e: Facts<'WITHDRAW'>) => e.byRequester,
    isOver: (_, e: Facts<'EXPIRE'>) => e.isOver,
  },
}).createMachine({
  id: 'approval',
  initial: 'pending',
  states: {
    pending: {
      on: {
        APPROVE: {
          target: 'approved',
          guard: { type: 'canApprove', params: ({ event }) => event },
        },
        REJECT: { target: 'rejected', guard: { type: 'canReject', params: ({ event }) => event } },
        WITHDRAW: {
          target: 'withdrawn',
          guard: { type: 'isRequester', params: ({ event }) => event },
        },
        EXPIRE: { target: 'expired', guard: { type: 'isOver', params: ({ event }) => event } },
      },
    },
    approved: { tags: ['closed'] },
    rejected: { tags: ['closed'] },
    withdrawn: { tags: ['closed'] },
    expired: { tags: ['closed'] },
  },
})

export const approvalLifecycle: Lifecycle<ApprovalState, ApprovalEvent> = lifecycle<
  ApprovalState,
  typeof machine
>('approval', machine)
