import { describe, expect, test } from 'vitest'
import {
  expectRefused,
  testLifecycle,
  type LifecycleTable,
  type SampleEvents,
} from '#tests/support/lifecycle-table.ts'
import {
  HANDOVER_CAUSES,
  HANDOVER_STATES,
  handoverLifecycle,
  type HandoverEvent,
  type HandoverEventType,
  type HandoverLifecycleState,
} from './handover-lifecycle.ts'

const samples = {
  REQUEST: {
    type: 'REQUEST',
    requesterIsOwner: true,
    requesterIsLeader: false,
    ownerId: 'u1',
    targetId: 'u2',
    targetHasRole: true,
    targetOpenClaims: 2,
    targetCapacity: 3,
    hasPending: false,
    reason: 'end of shift',
  },
  APPROVE: { type: 'APPROVE', targetOnDuty: true, versionCurrent: true },
  REJECT: { type: 'REJECT', reason: 'on a call' },
  CANCEL: { type: 'CANCEL', isRequester: true },
  EXPIRE: { type: 'EXPIRE', deadlinePassed: true },
  ITEM_CLOSED: { type: 'ITEM_CLOSED', itemClosed: true },
} satisfies SampleEvents<HandoverEvent>

const _ = null
const table = {
  REQUEST: { new: 'pending', pending: _, approved: _, rejected: _ },
  APPROVE: { new: _, pending: 'approved', approved: _, rejected: _ },
  REJECT: { new: _, pending: 'rejected', approved: _, rejected: _ },
  CANCEL: { new: _, pending: 'rejected', approved: _, rejected: _ },
  EXPIRE: { new: _, pending: 'rejected', approved: _, rejected: _ },
  ITEM_CLOSED: { new: _, pending: 'rejected', approved: _, rejected: _ },
} satisfies LifecycleTable<HandoverEventType, HandoverLifecycleState>

testLifecycle<HandoverLifecycleState, HandoverEvent, HandoverEventType>({
  lifecycle: handoverLifecycle,
  samples,
  table,
  closed: { approved: [], rejected: [] },
})

describe('guards refuse transitions', () => {
  const refusals: [fact: string, state: HandoverLifecycleState, event: HandoverEvent][] = [
    [
      'a request by someone who neither owns nor leads',
      'new',
      { ...samples.REQUEST, requesterIsOwner: false },
    ],
    ['a request to the owner', 'new', { ...samples.REQUEST, targetId: 'u1' }],
    ['a target of another role', 'new', { ...samples.REQUEST, targetHasRole: false }],
    ['a target without capacity', 'new', { ...samples.REQUEST, targetOpenClaims: 3 }],
    ['a second request while one is pending', 'new', { ...samples.REQUEST, hasPending: true }],
    ['a request without a reason', 'new', { ...samples.REQUEST, reason: ' ' }],
    ['an approval after the target left', 'pending', { ...samples.APPROVE, targetOnDuty: false }],
    [
      'an approval after the item changed',
      'pending',
      { ...samples.APPROVE, versionCurrent: false },
    ],
    ['a rejection without a reason', 'pending', { ...samples.REJECT, reason: '' }],
    ['a cancellation by someone else', 'pending', { ...samples.CANCEL, isRequester: false }],
    ['expiry before its time', 'pending', { ...samples.EXPIRE, deadlinePassed: false }],
    ['closing it while the item is open', 'pending', { ...samples.ITEM_CLOSED, itemClosed: false }],
  ]
  test.each(refusals)('%s', (_fact, state, event) => expectRefused(handoverLifecycle, state, event))
})

test("a leader may hand over another person's item", () => {
  expect(
    handoverLifecycle.next('new', {
      ...samples.REQUEST,
      requesterIsOwner: false,
      requesterIsLeader: true,
    }),
  ).toBe('pending')
})

test('every transition to rejected has its cause', () => {
  const ways = (Object.keys(table) as HandoverEventType[]).filter(
    (type) => table[type].pending === 'rejected',
  )
  expect(Object.keys(HANDOVER_CAUSES).toSorted()).toEqual(ways.toSorted())
  expect(new Set(Object.values(HANDOVER_CAUSES)).size).toBe(ways.length)
})

test('the stored states have their fixed codes', () => {
  expect(handoverLifecycle.states.toSorted()).toEqual(['new', ...HANDOVER_STATES].toSorted())
})
