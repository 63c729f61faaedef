import { describe, expect, test } from 'vitest'
import {
  expectRefused,
  type LifecycleTable,
  type SampleEvents,
  testLifecycle,
} from '#tests/support/lifecycle-table.ts'
import {
  type TaskEvent,
  type TaskEventType,
  taskLifecycle,
  type TaskState,
} from './task-lifecycle.ts'

const owner = { isOwner: true, tokenCurrent: true }
const follow = { result: 21, remark: '', hasNext: true, isNextLater: true, ...owner }

const samples = {
  CLAIM: { type: 'CLAIM', openClaims: 2, capacity: 3 },
  ASSIGN: { type: 'ASSIGN', openTasks: 9, capacity: 10, takesTasks: true },
  RELEASE: { type: 'RELEASE', ...owner },
  LEASE_EXPIRED: { type: 'LEASE_EXPIRED', leaseOver: true },
  FOLLOW: { type: 'FOLLOW', ...follow },
  OFF_DUTY: { type: 'OFF_DUTY' },
  GOAL_REACHED: { type: 'GOAL_REACHED', daysSinceFollow: 6 },
  LEAVE: { type: 'LEAVE' },
  TOO_OLD: { type: 'TOO_OLD', days: 90, most: 90 },
} satisfies SampleEvents<TaskEvent>

const _ = null
const end = { converted: _, expired: _ }
const table = {
  CLAIM: { waiting: 'claimed', claimed: _, assigned: _, ...end },
  ASSIGN: { waiting: 'assigned', claimed: _, assigned: 'assigned', ...end },
  RELEASE: { waiting: _, claimed: 'waiting', assigned: 'waiting', ...end },
  LEASE_EXPIRED: { waiting: _, claimed: 'waiting', assigned: _, ...end },
  FOLLOW: { waiting: _, claimed: 'assigned', assigned: 'assigned', ...end },
  OFF_DUTY: { waiting: _, claimed: 'waiting', assigned: 'waiting', ...end },
  GOAL_REACHED: { waiting: 'converted', claimed: 'converted', assigned: 'converted', ...end },
  LEAVE: { waiting: 'expired', claimed: 'expired', assigned: 'expired', ...end },
  TOO_OLD: { waiting: 'expired', claimed: _, assigned: 'expired', ...end },
} satisfies LifecycleTable<TaskEventType, TaskState>

testLifecycle<TaskState, TaskEvent, TaskEventType>({
  lifecycle: taskLifecycle,
  samples,
  table,
  closed: { converted: [], expired: [] },
})

describe('a guard refuses', () => {
  const refusals: [fact: string, state: TaskState, event: TaskEvent][] = [
    ['a claim above capacity', 'waiting', { ...samples.CLAIM, openClaims: 3 }],
    ['a gift above capacity', 'waiting', { ...samples.ASSIGN, openTasks: 10 }],
    ['a gift to somebody closed', 'assigned', { ...samples.ASSIGN, takesTasks: false }],
    ['a release by somebody else', 'claimed', { ...samples.RELEASE, isOwner: false }],
    ['a release with an older token', 'assigned', { ...samples.RELEASE, tokenCurrent: false }],
    ['the end of a running lease', 'claimed', { type: 'LEASE_EXPIRED', leaseOver: false }],
    ['a follow-up by somebody else', 'assigned', { ...samples.FOLLOW, isOwner: false }],
    ['a follow-up with an older token', 'claimed', { ...samples.FOLLOW, tokenCurrent: false }],
    ['an agreement without a next time', 'claimed', { ...samples.FOLLOW, hasNext: false }],
    [
      'a busy number without a next time',
      'claimed',
      { ...samples.FOLLOW, result: 11, hasNext: false },
    ],
    [
      'a next follow-up in the past',
      'claimed',
      { ...samples.FOLLOW, result: 20, isNextLater: false },
    ],
    ['another result without a remark', 'claimed', { ...samples.FOLLOW, result: 29, remark: ' ' }],
    ['the end of a young task', 'waiting', { ...samples.TOO_OLD, days: 89 }],
  ]
  test.each(refusals)('%s', (_fact, state, event) => {
    expectRefused(taskLifecycle, state, event)
  })
})

test('a goal is credited for seven days after the last follow-up', () => {
  const isCredited = (daysSinceFollow: number | null) =>
    taskLifecycle.can('assigned', { type: 'GOAL_REACHED', daysSinceFollow })
  expect([0, 6, 7, null].map(isCredited)).toEqual([true, true, false, false])
})
