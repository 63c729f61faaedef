import { describe, expect, test } from 'vitest'
import {
  expectRefused,
  type LifecycleTable,
  type SampleEvents,
  testLifecycle,
} from '#tests/support/lifecycle-table.ts'
import {
  PROGRESS_STATES,
  type ProgressState,
  type TicketEvent,
  type TicketEventType,
  ticketLifecycle,
} from './ticket-lifecycle.ts'

const receiver = { openTickets: 49, capacity: 50, isConcerned: false }
const facts = { isOwner: true, isLeader: false, handoverPending: false }
const leader = { isOwner: false, isLeader: true, handoverPending: true }

const samples = {
  CLAIM: { type: 'CLAIM', ...receiver },
  ASSIGN: { type: 'ASSIGN', onDuty: true, ...receiver },
  REPLY: { type: 'REPLY', content: 'Your payment was found', ...facts },
  TRANSFER_APPROVED: { type: 'TRANSFER_APPROVED', ...receiver },
  ESCALATE: { type: 'ESCALATE', level: 2, reason: 'needs the bank', bySystem: false, ...facts },
  RETURN: {
    type: 'RETURN',
    cause: 'released',
    reason: 'end of shift',
    leaseOver: false,
    offDuty: false,
    ...facts,
  },
  RESOLVE: { type: 'RESOLVE', remark: 'Booked on the order', ...facts },
  REOPEN: { type: 'REOPEN', byCustomer: true, days: 7, reason: '' },
} satisfies SampleEvents<TicketEvent>

const _ = null
const table = {
  CLAIM: { unprocessed: 'followingUp', followingUp: _, finished: _ },
  ASSIGN: { unprocessed: 'followingUp', followingUp: _, finished: _ },
  REPLY: { unprocessed: _, followingUp: 'followingUp', finished: _ },
  TRANSFER_APPROVED: { unprocessed: _, followingUp: 'followingUp', finished: _ },
  ESCALATE: { unprocessed: 'unprocessed', followingUp: 'followingUp', finished: _ },
  RETURN: { unprocessed: _, followingUp: 'unprocessed', finished: _ },
  RESOLVE: { unprocessed: _, followingUp: 'finished', finished: _ },
  REOPEN: { unprocessed: _, followingUp: _, finished: 'followingUp' },
} satisfies LifecycleTable<TicketEventType, ProgressState>

testLifecycle<ProgressState, TicketEvent, TicketEventType>({
  lifecycle: ticketLifecycle,
  samples,
  table,
  closed: { finished: ['REOPEN'] },
})

describe('a guard refuses', () => {
  const refusals: [fact: string, state: ProgressState, event: TicketEvent][] = [
    ['a claim above capacity', 'unprocessed', { ...samples.CLAIM, openTickets: 50 }],
    [
      'a claim of a complaint about oneself',
      'unprocessed',
      { ...samples.CLAIM, isConcerned: true },
    ],
    ['assigning to somebody off duty', 'unprocessed', { ...samples.ASSIGN, onDuty: false }],
    ['assigning above capacity', 'unprocessed', { ...samples.ASSIGN, openTickets: 50 }],
    [
      'assigning a complaint to whom it is about',
      'unprocessed',
      { ...samples.ASSIGN, isConcerned: true },
    ],
    [
      'handing a complaint to whom it is about',
      'followingUp',
      { ...samples.TRANSFER_APPROVED, isConcerned: true },
    ],
    ['an answer by a stranger', 'followingUp', { ...samples.REPLY, isOwner: false }],
    [
      'an answer by a leader who is not the processor',
      'followingUp',
      { ...samples.REPLY, ...leader },
    ],
    ['an answer without words', 'followingUp', { ...samples.REPLY, content: ' ' }],
    [
      'an answer while a hand-over waits',
      'followingUp',
      { ...samples.REPLY, handoverPending: true },
    ],
    ['an escalation above the highest level', 'followingUp', { ...samples.ESCALATE, level: 3 }],
    [
      'an automatic escalation above the highest level',
      'unprocessed',
      { ...samples.ESCALATE, bySystem: true, level: 3 },
    ],
    ['an escalation without a reason', 'followingUp', { ...samples.ESCALATE, reason: '' }],
    ['an escalation by a stranger', 'unprocessed', { ...samples.ESCALATE, isOwner: false }],
    ['a release without a reason', 'followingUp', { ...samples.RETURN, reason: ' ' }],
    ['a release by a stranger', 'followingUp', { ...samples.RETURN, isOwner: false }],
    [
      'a release while a hand-over waits',
      'followingUp',
      { ...samples.RETURN, handoverPending: true },
    ],
    ['a return by a lease that still runs', 'followingUp', { ...samples.RETURN, cause: 'expired' }],
    [
      'a return from somebody on duty',
      'followingUp',
      { ...samples.RETURN, cause: 'offDuty', leaseOver: true },
    ],
    ['an end without a resolution', 'followingUp', { ...samples.RESOLVE, remark: '' }],
    ['an end by a stranger', 'followingUp', { ...samples.RESOLVE, isOwner: false }],
    [
      'an end by the processor while a hand-over waits',
      'followingUp',
      { ...samples.RESOLVE, handoverPending: true },
    ],
    [
      'a customer who comes back after more than a week',
      'finished',
      { ...samples.REOPEN, days: 7.01 },
    ],
    ['a leader who reopens without a reason', 'finished', { ...samples.REOPEN, byCustomer: false }],
  ]
  test.each(refusals)('%s', (_fact, state, event) => expectRefused(ticketLifecycle, state, event))
})

test('a leader can resolve, release and escalate tickets of others, also during a hand-over', () => {
  expect(ticketLifecycle.next('followingUp', { ...samples.RESOLVE, ...leader })).toBe('finished')
  expect(ticketLifecycle.next('followingUp', { ...samples.RETURN, ...leader })).toBe('unprocessed')
  expect(ticketLifecycle.next('followingUp', { ...samples.ESCALATE, ...leader })).toBe(
    'followingUp',
  )
})

test('an ended lease and an absent processor return a ticket without a request', () => {
  const nobody = { isOwner: false, isLeader: false, handoverPending: true, reason: '' }
  expect(
    ticketLifecycle.next('followingUp', {
      ...samples.RETURN,
      ...nobody,
      cause: 'expired',
      leaseOver: true,
    }),
  ).toBe('unprocessed')
  expect(
    ticketLifecycle.next('followingUp', {
      ...samples.RETURN,
      ...nobody,
      cause: 'offDuty',
      offDuty: true,
    }),
  ).toBe('unprocessed')
})

test('a leader can reopen with a reason at any time', () => {
  expect(
    ticketLifecycle.next('finished', {
      ...samples.REOPEN,
      byCustomer: false,
      days: 400,
      reason: 'the bank answered',
    }),
  ).toBe('followingUp')
})

test('the states are the closed set of the contract', () => {
  expect(ticketLifecycle.states.toSorted()).toEqual(PROGRESS_STATES.toSorted())
})
