import { describe, expect, test } from 'vitest'
import { expectRefused, testLifecycle, type LifecycleTable, type SampleEvents } from '#tests/support/lifecycle-table.ts'
import { REVIEW_STATES, reviewLifecycle, type ReviewEvent, type ReviewEventType, type ReviewState } from './review-lifecycle.ts'

const holder = { isOwner: true, tokenCurrent: true }
const passed = { result: 'passed', rejectCode: null, remark: '' } as const
const checks = { decision: 'passed', tele: 'passed', preTransaction: 'passed' } as const

const samples = {
  MACHINE_UNDECIDED: { type: 'MACHINE_UNDECIDED', orderStatus: 22 },
  MACHINE_ERROR: { type: 'MACHINE_ERROR' },
  RETRY: { type: 'RETRY', retryCount: 2 },
  SEND_MANUAL: { type: 'SEND_MANUAL', retryCount: 3 },
  CLAIM: { type: 'CLAIM', openClaims: 2, capacity: 3, isMaker: false },
  ASSIGN: { type: 'ASSIGN', openClaims: 2, capacity: 3, onDuty: true },
  OPEN: { type: 'OPEN', ...holder },
  LEASE_EXPIRED: { type: 'LEASE_EXPIRED', leaseOver: true },
  RELEASE: { type: 'RELEASE', ...holder, reason: 'end of shift' },
  HANDOVER_APPROVED: { type: 'HANDOVER_APPROVED' },
  HEARTBEAT: { type: 'HEARTBEAT', ...holder },
  TAKE_OVER: { type: 'TAKE_OVER', reason: 'reviewer is ill' },
  REQUEST_DATA: { type: 'REQUEST_DATA', ...holder, items: ['panPhoto'] },
  DATA_SUBMITTED: { type: 'DATA_SUBMITTED' },
  DATA_TIMEOUT: { type: 'DATA_TIMEOUT', deadlinePassed: true },
  ORDER_CANCELLED: { type: 'ORDER_CANCELLED' },
  ESCALATE: { type: 'ESCALATE', ...holder, reason: 'name differs in one letter' },
  DECIDE: { type: 'DECIDE', deciderId: 'u2', firstReviewerId: 'u1', ...passed },
  SUBMIT: { type: 'SUBMIT', ...holder, versionCurrent: true, ...passed },
  POST_CHECK_PASS: { type: 'POST_CHECK_PASS', ...checks },
  POST_CHECK_FAIL: { type: 'POST_CHECK_FAIL', decision: 'failed', tele: 'notRun', preTransaction: 'notRun' },
  POST_CHECK_ERROR: { type: 'POST_CHECK_ERROR', ...checks, tele: 'error' },
} satisfies SampleEvents<ReviewEvent>

const _ = null
const table = {
  MACHINE_UNDECIDED: { initial: 'unclaimed', abnormal: _, unclaimed: _, toAudit: _, underReview: _, dataModifiable: _, manualCheck: _, audited: _, passed: _, failed: _ },
  MACHINE_ERROR: { initial: 'abnormal', abnormal: _, unclaimed: _, toAudit: _, underReview: _, dataModifiable: _, manualCheck: _, audited: _, passed: _, failed: _ },
  RETRY: { initial: _, abnormal: 'initial', unclaimed: _, toAudit: _, underReview: _, dataModifiable: _, manualCheck: _, audited: _, passed: _, failed: _ },
  SEND_MANUAL: { initial: _, abnormal: 'unclaimed', unclaimed: _, toAudit: _, underReview: _, dataModifiable: _, manualCheck: _, audited: _, passed: _, failed: _ },
  CLAIM: { initial: _, abnormal: _, unclaimed: 'toAudit', toAudit: _, underReview: _, dataModifiable: _, manualCheck: _, audited: _, passed: _, failed: _ },
  ASSIGN: { initial: _, abnormal: _, unclaimed: 'toAudit', toAudit: _, underReview: _, dataModifiable: _, manualCheck: _, audited: _, passed: _, failed: _ },
  OPEN: { initial: _, abnormal: _, unclaimed: _, toAudit: 'underReview', underReview: _, dataModifiable: _, manualCheck: _, audited: _, passed: _, failed: _ },
  LEASE_EXPIRED: { initial: _, abnormal: _, unclaimed: _, toAudit: 'unclaimed', underReview: 'unclaimed', dataModifiable: _, manualCheck: _, audited: _, passed: _, failed: _ },
  RELEASE: { initial: _, abnormal: _, unclaimed: _, toAudit: 'unclaimed', underReview: 'unclaimed', dataModifiable: _, manualCheck: _, audited: _, passed: _, failed: _ },
  HANDOVER_APPROVED: { initial: _, abnormal: _, unclaimed: _, toAudit: 'toAudit', underReview: 'toAudit', dataModifiable: _, manualCheck: _, audited: _, passed: _, failed: _ },
  HEARTBEAT: { initial: _, abnormal: _, unclaimed: _, toAudit: _, underReview: 'underReview', dataModifiable: _, manualCheck: _, audited: _, passed: _, failed: _ },
  TAKE_OVER: { initial: _, abnormal: _, unclaimed: _, toAudit: _, underReview: 'toAudit', dataModifiable: _, manualCheck: _, audited: _, passed: _, failed: _ },
  REQUEST_DATA: { initial: _, abnormal: _, unclaimed: _, toAudit: _, underReview: 'dataModifiable', dataModifiable: _, manualCheck: _, audited: _, passed: _, failed: _ },
  DATA_SUBMITTED: { initial: _, abnormal: _, unclaimed: _, toAudit: _, underReview: _, dataModifiable: 'toAudit', manualCheck: _, audited: _, passed: _, failed: _ },
  DATA_TIMEOUT: { initial: _, abnormal: _, unclaimed: _, toAudit: _, underReview: _, dataModifiable: 'failed', manualCheck: _, audited: _, passed: _, failed: _ },
  ORDER_CANCELLED: { initial: 'failed', abnormal: 'failed', unclaimed: 'failed', toAudit: 'failed', underReview: 'failed', dataModifiable: 'failed', manualCheck: 'failed', audited: 'failed', passed: _, failed: _ },
  ESCALATE: { initial: _, abnormal: _, unclaimed: _, toAudit: _, underReview: 'manualCheck', dataModifiable: _, manualCheck: _, audited: _, passed: _, failed: _ },
  DECIDE: { initial: _, abnormal: _, unclaimed: _, toAudit: _, underReview: _, dataModifiable: _, manualCheck: 'audited', audited: _, passed: _, failed: _ },
  SUBMIT: { initial: _, abnormal: _, unclaimed: _, toAudit: _, underReview: 'audited', dataModifiable: _, manualCheck: _, audited: _, passed: _, failed: _ },
  POST_CHECK_PASS: { initial: _, abnormal: _, unclaimed: _, toAudit: _, underReview: _, dataModifiable: _, manualCheck: _, audited: 'passed', passed: _, failed: _ },
  POST_CHECK_FAIL: { initial: _, abnormal: _, unclaimed: _, toAudit: _, underReview: _, dataModifiable: _, manualCheck: _, audited: 'failed', passed: _, failed: _ },
  POST_CHECK_ERROR: { initial: _, abnormal: _, unclaimed: _, toAudit: _, underReview: _, dataModifiable: _, manualCheck: _, audited: 'abnormal', passed: _, failed: _ },
} satisfies LifecycleTable<ReviewEventType, ReviewState>

testLifecycle<ReviewState, ReviewEvent, ReviewEventType>({ lifecycle: reviewLifecycle, samples, table, closed: { passed: [], failed: [] } })

describe('a guard refuses', () => {
  const rejected = { result: 'failed', rejectCode: 'C03', remark: '' } as const
  const refusals: [fact: string, state: ReviewState, event: ReviewEvent][] = [
    ['queueing a review whose order is not at 22', 'initial', { ...samples.MACHINE_UNDECIDED, orderStatus: 10 }],
    ['a fourth machine run', 'abnormal', { ...samples.RETRY, retryCount: 3 }],
    ['sending to the queue while machine runs are left', 'abnormal', { ...samples.SEND_MANUAL, retryCount: 2 }],
    ['a claim above capacity', 'unclaimed', { ...samples.CLAIM, openClaims: 3 }],
    ['a claim by the maker of the data', 'unclaimed', { ...samples.CLAIM, isMaker: true }],
    ['assigning above capacity', 'unclaimed', { ...samples.ASSIGN, openClaims: 3 }],
    ['assigning to someone off duty', 'unclaimed', { ...samples.ASSIGN, onDuty: false }],
    ['opening an item of another reviewer', 'toAudit', { ...samples.OPEN, isOwner: false }],
    ['opening with an old token', 'toAudit', { ...samples.OPEN, tokenCurrent: false }],
    ['expiry while the lease runs', 'toAudit', { ...samples.LEASE_EXPIRED, leaseOver: false }],
    ['expiry of an open item while the lease runs', 'underReview', { ...samples.LEASE_EXPIRED, leaseOver: false }],
    ['a release by another reviewer', 'toAudit', { ...samples.RELEASE, isOwner: false }],
    ['a release without a reason', 'underReview', { ...samples.RELEASE, reason: ' ' }],
    ['a heartbeat with an old token', 'underReview', { ...samples.HEARTBEAT, tokenCurrent: false }],
    ['a take-over without a reason', 'underReview', { ...samples.TAKE_OVER, reason: '' }],
    ['asking the customer for nothing', 'underReview', { ...samples.REQUEST_DATA, items: [] }],
    ['asking the customer with an old token', 'underReview', { ...samples.REQUEST_DATA, tokenCurrent: false }],
    ['failing an item while the customer still has time', 'dataModifiable', { ...samples.DATA_TIMEOUT, deadlinePassed: false }],
    ['escalating without a reason', 'underReview', { ...samples.ESCALATE, reason: '' }],
    ['escalating an item of another reviewer', 'underReview', { ...samples.ESCALATE, isOwner: false }],
    ['a manual check by the first reviewer', 'manualCheck', { ...samples.DECIDE, deciderId: 'u1' }],
    ['a rejection in the manual check without a reason', 'manualCheck', { ...samples.DECIDE, ...rejected, rejectCode: null }],
    ['a rejection without a reason', 'underReview', { ...samples.SUBMIT, ...rejected, rejectCode: null }],
    ['a rejection with an unknown reason', 'underReview', { ...samples.SUBMIT, ...rejected, rejectCode: 'A09' }],
    ['a rejection for other reasons without a remark', 'underReview', { ...samples.SUBMIT, ...rejected, rejectCode: 'Z01' }],
    ['a pass with a reject reason', 'underReview', { ...samples.SUBMIT, rejectCode: 'A01' }],
    ['a decision on a row that has changed', 'underReview', { ...samples.SUBMIT, versionCurrent: false }],
    ['a decision with an old token', 'underReview', { ...samples.SUBMIT, tokenCurrent: false }],
    ['a pass before the tele-verification ran', 'audited', { ...samples.POST_CHECK_PASS, tele: 'notRun' }],
    ['a pass with the pre-transaction check rejected', 'audited', { ...samples.POST_CHECK_PASS, preTransaction: 'rejected' }],
    ['a pass of a rejected item', 'audited', { ...samples.POST_CHECK_PASS, decision: 'failed' }],
    ['a failure while nothing rejects', 'audited', { ...samples.POST_CHECK_FAIL, decision: 'passed' }],
    ['an error while no vendor failed', 'audited', { ...samples.POST_CHECK_ERROR, tele: 'passed' }],
  ]
  test.each(refusals)('%s', (_fact, state, event) => expectRefused(reviewLifecycle, state, event))

  test('nothing of a rejection with a reason, in review and in the manual check', () => {
    expect(reviewLifecycle.next('underReview', { ...samples.SUBMIT, ...rejected })).toBe('audited')
    expect(reviewLifecycle.next('underReview', { ...samples.SUBMIT, ...rejected, rejectCode: 'Z01', remark: 'signature missing' })).toBe('audited')
    expect(reviewLifecycle.next('manualCheck', { ...samples.DECIDE, ...rejected })).toBe('audited')
  })
})

test('a post check that rejects fails a passed item', () => {
  expect(reviewLifecycle.next('audited', { ...samples.POST_CHECK_FAIL, decision: 'passed', tele: 'passed', preTransaction: 'rejected' })).toBe('failed')
})

test('data sent while the reviewer is off duty frees the item through the lease', () => {
  const sent = reviewLifecycle.next('dataModifiable', samples.DATA_SUBMITTED)
  expect(reviewLifecycle.next(sent, samples.LEASE_EXPIRED)).toBe('unclaimed')
})

test('the state codes are those of the specification', () => {
  expect(reviewLifecycle.states.toSorted()).toEqual(REVIEW_STATES.toSorted())
})
