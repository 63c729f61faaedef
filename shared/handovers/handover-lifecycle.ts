/**
 * Lifecycle of a hand-over of a review item or a ticket. `new` is the request before it is stored.
 */
import { setup } from 'xstate'
import { lifecycle, type Lifecycle } from '#shared/kernel/lifecycle.ts'

/** Stored states; the lifecycle has `new` before them. */
export const HANDOVER_STATES = ['pending', 'approved', 'rejected'] as const
export type HandoverState = (typeof HANDOVER_STATES)[number]
export type HandoverLifecycleState = 'new' | HandoverState

export type HandoverEvent =
  | {
      type: 'REQUEST'
      requesterIsOwner: boolean
      requesterIsLeader: boolean
      ownerId: string
      targetId: string
      targetHasRole: boolean
      targetOpenClaims: number
      targetCapacity: number
      /** Another hand-over of the same item is pending. */
      hasPending: boolean
      reason: string
    }
  /** `versionCurrent` = the item has not changed since the request. */
  | { type: 'APPROVE'; targetOnDuty: boolean; versionCurrent: boolean }
  | { type: 'REJECT'; reason: string }
  | { type: 'CANCEL'; isRequester: boolean }
  /** `deadlinePassed` = review.handoverMinutes or ticket.handoverHours have passed. */
  | { type: 'EXPIRE'; deadlinePassed: boolean }
  | { type: 'ITEM_CLOSED'; itemClosed: boolean }

export type HandoverEventType = HandoverEvent['type']

/** Why a hand-over was rejected, stored as its cause. */
export const HANDOVER_CAUSES = {
  REJECT: 'rejected',
  CANCEL: 'cancelled',
  EXPIRE: 'expired',
  ITEM_CLOSED: 'closed',
} as const satisfies Record<Exclude<HandoverEventType, 'REQUEST' | 'APPROVE'>, string>
export type HandoverCause = (typeof HANDOVER_CAUSES)[keyof typeof HANDOVER_CAUSES]

type Facts<Type extends HandoverEventType> = Omit<Extract<HandoverEvent, { type: Type }>, 'type'>

function canRequest(e: Facts<'REQUEST'>): boolean {
  const mayAsk = e.requesterIsOwner || e.requesterIsLeader
  const mayReceive =
    e.targetId !== e.ownerId && e.targetHasRole && e.targetOpenClaims < e.targetCapacity
  return mayAsk && mayReceive && !e.hasPending && e.reason.trim() !== ''
}

const machine = setup({
  types: { events: {} as HandoverEvent, tags: {} as 'closed' },
  guards: {
    canRequest: (_, e: Facts<'REQUEST'>) => canRequest(e),
    canApprove: (_, e: Facts<'APPROVE'>) => e.targetOnDuty && e.versionCurrent,
    hasReason: (_, e: Facts<'REJECT'>) => e.reason.trim() !== '',
    isRequester: (_, e: Facts<'CANCEL'>) => e.isRequester,
    isDeadlinePassed: (_, e: Facts<'EXPIRE'>) => e.deadlinePassed,
    isItemClosed: (_, e: Facts<'ITEM_CLOSED'>) => e.itemClosed,
  },
}).createMachine({
  id: 'handover',
  initial: 'new',
  states: {
    new: {
      on: {
        REQUEST: { target: 'pending', guard: { type: 'canRequest', params: ({ event }) => event } },
      },
    },
    pending: {
      on: {
        APPROVE: {
          target: 'approved',
          guard: { type: 'canApprove', params: ({ event }) => event },
        },
        REJECT: { target: 'rejected', guard: { type: 'hasReason', params: ({ event }) => event } },
        CANCEL: {
          target: 'rejected',
          guard: { type: 'isRequester', params: ({ event }) => event },
        },
        EXPIRE: {
          target: 'rejected',
          guard: { type: 'isDeadlinePassed', params: ({ event }) => event },
        },
        ITEM_CLOSED: {
          target: 'rejected',
          guard: { type: 'isItemClosed', params: ({ event }) => event },
        },
      },
    },
    approved: { tags: ['closed'] },
    rejected: { tags: ['closed'] },
  },
})

export const handoverLifecycle: Lifecycle<HandoverLifecycleState, HandoverEvent> = lifecycle<
  HandoverLifecycleState,
  typeof machine
>('handover', machine)
