import { describe, expect, test } from 'vitest'
import {
  expectRefused,
  testLifecycle,
  type LifecycleTable,
  type SampleEvents,
} from '#tests/support/lifecycle-table.ts'
import {
  TELE_STATES,
  teleLifecycle,
  type TeleEvent,
  type TeleEventType,
  type TeleState,
} from './tele-lifecycle.ts'

const samples = {
  DIAL: { type: 'DIAL', istClock: '10:00', borrowerAgreed: false, attemptsToday: 2, isOwner: true },
  ANSWERED: { type: 'ANSWERED', answers: { employer: 'confirmed' } },
  NO_ANSWER: { type: 'NO_ANSWER', contactResult: 3 },
} satisfies SampleEvents<TeleEvent>

const _ = null
const table = {
  DIAL: { notExecuted: 'executing', executing: _, connected: _, notConnected: 'executing' },
  ANSWERED: { notExecuted: _, executing: 'connected', connected: _, notConnected: _ },
  NO_ANSWER: { notExecuted: _, executing: 'notConnected', connected: _, notConnected: _ },
} satisfies LifecycleTable<TeleEventType, TeleState>

testLifecycle<TeleState, TeleEvent, TeleEventType>({
  lifecycle: teleLifecycle,
  samples,
  table,
  closed: { connected: [] },
})

describe('guards refuse transitions', () => {
  const refusals: [fact: string, state: TeleState, event: TeleEvent][] = [
    ['a call before 10:00', 'notExecuted', { ...samples.DIAL, istClock: '09:59' }],
    ['a call at 21:00', 'notExecuted', { ...samples.DIAL, istClock: '21:00' }],
    [
      'a call by someone who does not hold the item',
      'notExecuted',
      { ...samples.DIAL, isOwner: false },
    ],
    ['another call before 10:00', 'notConnected', { ...samples.DIAL, istClock: '09:59' }],
    [
      'another call by someone who does not hold the item',
      'notConnected',
      { ...samples.DIAL, isOwner: false },
    ],
    ['a fourth call on one day', 'notConnected', { ...samples.DIAL, attemptsToday: 3 }],
    [
      'a fourth call even at an agreed time',
      'notConnected',
      { ...samples.DIAL, attemptsToday: 3, borrowerAgreed: true },
    ],
    ['an answered call without answers', 'executing', { ...samples.ANSWERED, answers: {} }],
    [
      'a call nobody answered without a result',
      'executing',
      { ...samples.NO_ANSWER, contactResult: null },
    ],
    ['a result of an answered call', 'executing', { ...samples.NO_ANSWER, contactResult: 2 }],
    ['a WhatsApp result', 'executing', { ...samples.NO_ANSWER, contactResult: 7 }],
  ]
  test.each(refusals)('%s', (_fact, state, event) => expectRefused(teleLifecycle, state, event))
})

test('the last minute of the window is 20:59', () => {
  expect(teleLifecycle.can('notExecuted', { ...samples.DIAL, istClock: '20:59' })).toBe(true)
})

test('a time agreed with the borrower may be outside the window', () => {
  expect(
    teleLifecycle.next('notExecuted', { ...samples.DIAL, istClock: '21:30', borrowerAgreed: true }),
  ).toBe('executing')
})

test('the states have their fixed codes', () => {
  expect(teleLifecycle.states.toSorted()).toEqual(TELE_STATES.toSorted())
})
