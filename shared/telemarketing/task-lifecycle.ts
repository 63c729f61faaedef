/**
 * Lifecycle of a telemarketing task. A claim is a lease until the first follow-up of its holder;
 * afterwards the task stays theirs, so that later follow-ups find the same person.
 */
import { setup } from 'xstate'
import { lifecycle, type Lifecycle } from '#shared/kernel/lifecycle.ts'
import { CREDIT_DAYS, NEEDS_NEXT, NEEDS_REMARK } from './tele-sets.ts'

export const TASK_STATES = ['waiting', 'claimed', 'assigned', 'converted', 'expired'] as const
export type TaskState = (typeof TASK_STATES)[number]

export interface OwnerFacts {
  isOwner: boolean
  tokenCurrent: boolean
}

export type TaskEvent =
  /** `openClaims` of the caller in all segments; `capacity` = parameter marketing.maxClaimed. */
  | { type: 'CLAIM'; openClaims: number; capacity: number }
  /**
   * Given by a node or a leader. `openTasks` and `capacity` of the person; `takesTasks` = they are
   * open for new ones, unless a leader names them.
   */
  | { type: 'ASSIGN'; openTasks: number; capacity: number; takesTasks: boolean }
  | ({ type: 'RELEASE' } & OwnerFacts)
  | { type: 'LEASE_EXPIRED'; leaseOver: boolean }
  /** `isNextLater` = the next follow-up, when one is named, is in the future. */
  | ({
      type: 'FOLLOW'
      result: number
      remark: string
      hasNext: boolean
      isNextLater: boolean
    } & OwnerFacts)
  /** The assignee stopped working here. */
  | { type: 'OFF_DUTY' }
  /** `daysSinceFollow` = full days since the last follow-up; null = there was none. */
  | { type: 'GOAL_REACHED'; daysSinceFollow: number | null }
  /**
   * The customer left the segment another way, reached the goal without a follow-up, or may not be
   * contacted any more.
   */
  | { type: 'LEAVE' }
  | { type: 'TOO_OLD'; days: number; most: number }

export type TaskEventType = TaskEvent['type']
type Facts<Type extends TaskEventType> = Omit<Extract<TaskEvent, { type: Type }>, 'type'>

function isHolder({ isOwner, tokenCurrent }: OwnerFacts): boolean {
  return isOwner && tokenCurrent
}

const machine = setup({
  types: { events: {} as TaskEvent, tags: {} as 'closed' },
  guards: {
    hasRoom: (_, e: Facts<'CLAIM'>) => e.openClaims < e.capacity,
    canTake: (_, e: Facts<'ASSIGN'>) => e.takesTasks && e.openTasks < e.capacity,
    isHolder: (_, e: OwnerFacts) => isHolder(e),
    isLeaseOver: (_, e: Facts<'LEASE_EXPIRED'>) => e.leaseOver,
    canFollow: (_, e: Facts<'FOLLOW'>) =>
      isHolder(e) &&
      (e.hasNext ? e.isNextLater : !NEEDS_NEXT.includes(e.result)) &&
      (!NEEDS_REMARK.includes(e.result) || e.remark.trim() !== ''),
    isCredited: (_, e: Facts<'GOAL_REACHED'>) =>
      e.daysSinceFollow !== null && e.daysSinceFollow < CREDIT_DAYS,
    isTooOld: (_, e: Facts<'TOO_OLD'>) => e.days >= e.most,
  },
}).createMachine({
  id: 'teleTask',
  initial: 'waiting',
  states: {
    waiting: {
      on: {
        CLAIM: { target: 'claimed', guard: { type: 'hasRoom', params: ({ event }) => event } },
        ASSIGN: { target: 'assigned', guard: { type: 'canTake', params: ({ event }) => event } },
        // a follow-up of somebody who returned the task still earns the credit
        GOAL_REACHED: {
          target: 'converted',
          guard: { type: 'isCredited', params: ({ event }) => event },
        },
        LEAVE: { target: 'expired' },
        TOO_OLD: { target: 'expired', guard: { type: 'isTooOld', params: ({ event }) => event } },
      },
    },
    claimed: {
      on: {
        RELEASE: { target: 'waiting', guard: { type: 'isHolder', params: ({ event }) => event } },
        LEASE_EXPIRED: {
          target: 'waiting',
          guard: { type: 'isLeaseOver', params: ({ event }) => event },
        },
        FOLLOW: { target: 'assigned', guard: { type: 'canFollow', params: ({ event }) => event } },
        OFF_DUTY: { target: 'waiting' },
        GOAL_REACHED: {
          target: 'converted',
          guard: { type: 'isCredited', params: ({ event }) => event },
        },
        LEAVE: { target: 'expired' },
      },
    },
    assigned: {
      on: {
        ASSIGN: { target: 'assigned', guard: { type: 'canTake', params: ({ event }) => event } },
        RELEASE: { target: 'waiting', guard: { type: 'isHolder', params: ({ event }) => event } },
        FOLLOW: { target: 'assigned', guard: { type: 'canFollow', params: ({ event }) => event } },
        OFF_DUTY: { target: 'waiting' },
        GOAL_REACHED: {
          target: 'converted',
          guard: { type: 'isCredited', params: ({ event }) => event },
        },
        LEAVE: { target: 'expired' },
        TOO_OLD: { target: 'expired', guard: { type: 'isTooOld', params: ({ event }) => event } },
      },
    },
    converted: { tags: ['closed'] },
    expired: { tags: ['closed'] },
  },
})

export const taskLifecycle: Lifecycle<TaskState, TaskEvent> = lifecycle<TaskState, typeof machine>(
  'teleTask',
  machine,
)
