import { describe, expect, test } from 'vitest'
import {
  expectRefused,
  type LifecycleTable,
  type SampleEvents,
  testLifecycle,
} from '#tests/support/lifecycle-table.ts'
import {
  caseLifecycle,
  type CaseEvent,
  type CaseEventType,
  type CaseState,
  isKept,
} from './case-lifecycle.ts'

const collector = {
  enabled: true,
  participates: true,
  onDuty: true,
  certified: true,
  servesStage: true,
  underCapacity: true,
}
const contact = { insideWindow: true, remark: 'Will pay on Friday' }
const kept = { paid: 95, promised: 100, keptPercent: 95 }

const samples = {
  RUN_ALLOCATION: { type: 'RUN_ALLOCATION', stageEnabled: true },
  ALLOCATED: { type: 'ALLOCATED', ...collector },
  NO_CAPACITY: { type: 'NO_CAPACITY' },
  FOLLOW_UP: { type: 'FOLLOW_UP', ...contact },
  PROMISE: {
    type: 'PROMISE',
    ...contact,
    willingness: 1,
    amount: 100,
    outstanding: 100,
    days: 3,
    maxDays: 3,
    brokenCount: 1,
    maxBroken: 2,
    byLeader: false,
  },
  PROMISE_KEPT_PART: { type: 'PROMISE_KEPT_PART', ...kept },
  PROMISE_BROKEN: { type: 'PROMISE_BROKEN', over: true, refused: false, ...kept, paid: 94 },
  HOLD: { type: 'HOLD', reason: 'dispute' },
  RESUME: { type: 'RESUME', ownerEligible: true },
  RESUME_POOL: { type: 'RESUME_POOL', ownerEligible: false },
  STAGE_CHANGE_RECALL: { type: 'STAGE_CHANGE_RECALL', ownerServes: false, promiseDueInDays: null },
  TRANSFER: { type: 'TRANSFER', sameStage: true, reason: 'end of shift' },
  AGENCY_RECALL: { type: 'AGENCY_RECALL', cause: 'agencyLocked', reason: 'agency locked' },
  SETTLED: { type: 'SETTLED', orderClosed: true },
  ARREARS_PAID: { type: 'ARREARS_PAID', dueLeft: false },
  REOPEN: { type: 'REOPEN', paymentReversed: true },
} satisfies SampleEvents<CaseEvent>

const _ = null
const table = {
  RUN_ALLOCATION: {
    unallocated: 'allocating',
    allocating: _,
    allocated: _,
    promised: _,
    held: _,
    closed: _,
  },
  ALLOCATED: {
    unallocated: _,
    allocating: 'allocated',
    allocated: _,
    promised: _,
    held: _,
    closed: _,
  },
  NO_CAPACITY: {
    unallocated: _,
    allocating: 'unallocated',
    allocated: _,
    promised: _,
    held: _,
    closed: _,
  },
  FOLLOW_UP: {
    unallocated: _,
    allocating: _,
    allocated: 'allocated',
    promised: 'promised',
    held: _,
    closed: _,
  },
  PROMISE: {
    unallocated: _,
    allocating: _,
    allocated: 'promised',
    promised: _,
    held: _,
    closed: _,
  },
  PROMISE_KEPT_PART: {
    unallocated: _,
    allocating: _,
    allocated: _,
    promised: 'allocated',
    held: _,
    closed: _,
  },
  PROMISE_BROKEN: {
    unallocated: _,
    allocating: _,
    allocated: _,
    promised: 'allocated',
    held: _,
    closed: _,
  },
  HOLD: {
    unallocated: 'held',
    allocating: _,
    allocated: 'held',
    promised: 'held',
    held: _,
    closed: _,
  },
  RESUME: {
    unallocated: _,
    allocating: _,
    allocated: _,
    promised: _,
    held: 'allocated',
    closed: _,
  },
  RESUME_POOL: {
    unallocated: _,
    allocating: _,
    allocated: _,
    promised: _,
    held: 'unallocated',
    closed: _,
  },
  STAGE_CHANGE_RECALL: {
    unallocated: _,
    allocating: _,
    allocated: 'unallocated',
    promised: 'unallocated',
    held: _,
    closed: _,
  },
  TRANSFER: {
    unallocated: _,
    allocating: _,
    allocated: 'allocated',
    promised: 'promised',
    held: _,
    closed: _,
  },
  AGENCY_RECALL: {
    unallocated: _,
    allocating: _,
    allocated: 'unallocated',
    promised: 'unallocated',
    held: _,
    closed: _,
  },
  SETTLED: {
    unallocated: 'closed',
    allocating: _,
    allocated: 'closed',
    promised: 'closed',
    held: 'closed',
    closed: _,
  },
  ARREARS_PAID: {
    unallocated: 'closed',
    allocating: _,
    allocated: 'closed',
    promised: 'closed',
    held: 'closed',
    closed: _,
  },
  REOPEN: {
    unallocated: _,
    allocating: _,
    allocated: _,
    promised: _,
    held: _,
    closed: 'unallocated',
  },
} satisfies LifecycleTable<CaseEventType, CaseState>

testLifecycle<CaseState, CaseEvent, CaseEventType>({
  lifecycle: caseLifecycle,
  samples,
  table,
  closed: { closed: ['REOPEN'] },
})

describe('a guard refuses', () => {
  const refusals: [fact: string, state: CaseState, event: CaseEvent][] = [
    [
      'allocating a disabled stage',
      'unallocated',
      { ...samples.RUN_ALLOCATION, stageEnabled: false },
    ],
    ...(Object.keys(collector) as (keyof typeof collector)[]).map(
      (fact): [string, CaseState, CaseEvent] => [
        `a collector without ${fact}`,
        'allocating',
        { ...samples.ALLOCATED, [fact]: false },
      ],
    ),
    ['a contact outside the hours', 'allocated', { ...samples.FOLLOW_UP, insideWindow: false }],
    ['a contact without a remark', 'promised', { ...samples.FOLLOW_UP, remark: '  ' }],
    ['a promise of a borrower who cannot pay', 'allocated', { ...samples.PROMISE, willingness: 2 }],
    ['a promise of a borrower who refuses', 'allocated', { ...samples.PROMISE, willingness: 3 }],
    ['a promise without a willingness', 'allocated', { ...samples.PROMISE, willingness: null }],
    ['a promise above what is owed', 'allocated', { ...samples.PROMISE, amount: 101 }],
    ['a promise of nothing', 'allocated', { ...samples.PROMISE, amount: 0 }],
    ['a promise further away than the stage allows', 'allocated', { ...samples.PROMISE, days: 4 }],
    ['a promise for yesterday', 'allocated', { ...samples.PROMISE, days: -1 }],
    ['a third promise after two broken ones', 'allocated', { ...samples.PROMISE, brokenCount: 2 }],
    ['a promise outside the hours', 'allocated', { ...samples.PROMISE, insideWindow: false }],
    ['keeping a promise with too little', 'promised', { ...samples.PROMISE_KEPT_PART, paid: 94 }],
    ['breaking a kept promise', 'promised', { ...samples.PROMISE_BROKEN, paid: 95 }],
    [
      'breaking a promise before the end of its day',
      'promised',
      { ...samples.PROMISE_BROKEN, over: false },
    ],
    ['a hold without a reason', 'allocated', { ...samples.HOLD, reason: '' }],
    ['resuming for an owner who left', 'held', { ...samples.RESUME, ownerEligible: false }],
    [
      'recalling a held case from a holder who may keep it',
      'held',
      { ...samples.RESUME_POOL, ownerEligible: true },
    ],
    [
      'recalling from a holder who serves the new stage',
      'allocated',
      { ...samples.STAGE_CHANGE_RECALL, ownerServes: true },
    ],
    [
      'recalling while a promise falls due tomorrow',
      'promised',
      { ...samples.STAGE_CHANGE_RECALL, promiseDueInDays: 1 },
    ],
    [
      'recalling while a promise falls due today',
      'promised',
      { ...samples.STAGE_CHANGE_RECALL, promiseDueInDays: 0 },
    ],
    ['a transfer into another stage', 'allocated', { ...samples.TRANSFER, sameStage: false }],
    ['a transfer without a reason', 'promised', { ...samples.TRANSFER, reason: '' }],
    [
      'recalling a promised case for inactivity',
      'promised',
      { ...samples.AGENCY_RECALL, cause: 'noActivity' },
    ],
    [
      "recalling a promised case by a leader's word",
      'promised',
      { ...samples.AGENCY_RECALL, cause: 'leader' },
    ],
    ['a recall without a reason', 'allocated', { ...samples.AGENCY_RECALL, reason: ' ' }],
    ['settling while the order runs', 'allocated', { ...samples.SETTLED, orderClosed: false }],
    ['ending while an instalment is due', 'allocated', { ...samples.ARREARS_PAID, dueLeft: true }],
    ['reopening without a reversal', 'closed', { ...samples.REOPEN, paymentReversed: false }],
  ]
  test.each(refusals)('%s', (_fact, state, event) => expectRefused(caseLifecycle, state, event))
})

test('a promise is broken at once when the borrower refuses, whatever was paid and whenever it falls due', () => {
  expect(
    caseLifecycle.next('promised', {
      ...samples.PROMISE_BROKEN,
      over: false,
      refused: true,
      paid: 0,
    }),
  ).toBe('allocated')
  expect(
    caseLifecycle.next('promised', {
      ...samples.PROMISE_BROKEN,
      over: false,
      refused: true,
      paid: 100,
    }),
  ).toBe('allocated')
})

test('a leader may record a promise after two broken ones', () => {
  expect(
    caseLifecycle.next('allocated', { ...samples.PROMISE, brokenCount: 5, byLeader: true }),
  ).toBe('promised')
})

test('a promised case due in more than a day is recalled at a stage change', () => {
  expect(
    caseLifecycle.next('promised', { ...samples.STAGE_CHANGE_RECALL, promiseDueInDays: 2 }),
  ).toBe('unallocated')
})

test('95 per cent of a promise keep it, to the paisa', () => {
  expect(isKept({ paid: 9_500, promised: 10_000, keptPercent: 95 })).toBe(true)
  expect(isKept({ paid: 9_499, promised: 10_000, keptPercent: 95 })).toBe(false)
  // 95 % of 10,001 is 9,500.95
  expect(isKept({ paid: 9_500, promised: 10_001, keptPercent: 95 })).toBe(false)
  expect(isKept({ paid: 9_501, promised: 10_001, keptPercent: 95 })).toBe(true)
})
