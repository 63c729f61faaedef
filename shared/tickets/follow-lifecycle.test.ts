import { expect, test } from 'vitest'
import {
  expectRefused,
  type LifecycleTable,
  type SampleEvents,
  testLifecycle,
} from '#tests/support/lifecycle-table.ts'
import {
  afterRemark,
  FOLLOW_STATES,
  followLifecycle,
  type FollowEvent,
  type FollowEventType,
  type FollowState,
} from './follow-lifecycle.ts'

const samples = {
  FIRST_FOLLOW: { type: 'FIRST_FOLLOW', remark: 'called the bank' },
  FOLLOW: { type: 'FOLLOW', remark: 'called again' },
  CLOSE: { type: 'CLOSE', ticketEnds: true },
  REOPEN: { type: 'REOPEN', ticketReopens: true },
} satisfies SampleEvents<FollowEvent>

const _ = null
const table = {
  FIRST_FOLLOW: { notFollowed: 'following', following: _, caseClosed: _ },
  FOLLOW: { notFollowed: _, following: 'following', caseClosed: _ },
  CLOSE: { notFollowed: _, following: 'caseClosed', caseClosed: _ },
  REOPEN: { notFollowed: _, following: _, caseClosed: 'following' },
} satisfies LifecycleTable<FollowEventType, FollowState>

testLifecycle<FollowState, FollowEvent, FollowEventType>({
  lifecycle: followLifecycle,
  samples,
  table,
  closed: { caseClosed: ['REOPEN'] },
})

test.each<[string, FollowState, FollowEvent]>([
  ['an empty first remark', 'notFollowed', { ...samples.FIRST_FOLLOW, remark: ' ' }],
  ['an empty remark', 'following', { ...samples.FOLLOW, remark: '' }],
  ['closing while the ticket goes on', 'following', { ...samples.CLOSE, ticketEnds: false }],
  [
    'reopening while the ticket stays ended',
    'caseClosed',
    { ...samples.REOPEN, ticketReopens: false },
  ],
])('a guard refuses %s', (_fact, state, event) => expectRefused(followLifecycle, state, event))

test('the first and every further remark leads to following', () => {
  expect(afterRemark('notFollowed', 'x')).toBe('following')
  expect(afterRemark('following', 'x')).toBe('following')
})

test('the states are the closed set of the contract', () => {
  expect(followLifecycle.states.toSorted()).toEqual(FOLLOW_STATES.toSorted())
})
