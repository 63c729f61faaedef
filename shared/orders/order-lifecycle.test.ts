import { describe, expect, test } from 'vitest'
import { expectRefused, testLifecycle, type LifecycleTable, type SampleEvents } from '#tests/support/lifecycle-table.ts'
import { allowedOrderEvents, canOrder, isOrderClosed, nextOrderStatus, orderLifecycle, type OrderEvent, type OrderEventType, type OrderState } from './order-lifecycle.ts'
import { ORDER_STATUSES } from './order-statuses.ts'

/** Rows of domain.md 3 that are a branch of one event. */
type Branch = 'PAY_OK_PARTIAL_OVERDUE' | 'PAY_OK_PARTIAL_BAD' | 'PAY_FAIL_OVERDUE' | 'PAY_FAIL_BAD' | 'REVERSE_PAYMENT_OVERDUE'

const onTime = { today: '2026-11-20', dueDay: '2026-11-20' }
const late = { today: '2026-11-21', dueDay: '2026-11-20' }
const partly = { paidPaise: 40_000, duePaise: 100_000 }

const samples = {
  SUBMIT: { type: 'SUBMIT', kycComplete: true, hasOpenOrder: false, isBlacklisted: false },
  AUTO_PASS: { type: 'AUTO_PASS', blockingRulesPassed: true, needManual: false },
  AUTO_REJECT: { type: 'AUTO_REJECT', blockingRuleHit: true, refusalCode: 'R12', coolDownUntil: '2027-02-20' },
  AUTO_UNDECIDED: { type: 'AUTO_UNDECIDED', needManual: true, outputAbnormal: false },
  LIMIT_FAIL: { type: 'LIMIT_FAIL', approvedLimitPaise: 99_999, productMinimumPaise: 100_000 },
  REVIEW_PASS: { type: 'REVIEW_PASS', reviewState: 'passed', tokenCurrent: true },
  REVIEW_REJECT: { type: 'REVIEW_REJECT', reviewState: 'failed', rejectCode: 'A01' },
  DISBURSE: { type: 'DISBURSE', cardBound: true, nameSimilarity: 80, nameThreshold: 80, kfsAccepted: true, quotaLeft: true },
  PAYOUT_OK: { type: 'PAYOUT_OK' },
  PAYOUT_FAIL: { type: 'PAYOUT_FAIL', failReason: 'beneficiary account closed' },
  RETRY_PAYOUT: { type: 'RETRY_PAYOUT', attempts: 2, maxAttempts: 3, cardRebound: false },
  CANCEL: { type: 'CANCEL', withdrawn: true, offerExpired: false },
  CANCEL_DISBURSEMENT: { type: 'CANCEL_DISBURSEMENT', provenNotSettled: true },
  COOLING_OFF_EXIT: { type: 'COOLING_OFF_EXIT', insideCoolingOff: true, paidPaise: 100_900, duePaise: 100_900 },
  PAY_SUBMITTED: { type: 'PAY_SUBMITTED' },
  PAY_OK_FULL: { type: 'PAY_OK_FULL', paidPaise: 100_000, duePaise: 100_000, reductionPaise: 0 },
  PAY_OK_REDUCED: { type: 'PAY_OK_REDUCED', paidPaise: 90_000, duePaise: 100_000, reductionPaise: 10_000 },
  PAY_OK_PARTIAL: { type: 'PAY_OK_PARTIAL', ...partly, ...onTime, resumeStatus: 30 },
  PAY_OK_PARTIAL_OVERDUE: { type: 'PAY_OK_PARTIAL', ...partly, ...late, resumeStatus: 50 },
  PAY_OK_PARTIAL_BAD: { type: 'PAY_OK_PARTIAL', ...partly, ...late, resumeStatus: 90 },
  PAY_FAIL: { type: 'PAY_FAIL', ...onTime, resumeStatus: 30 },
  PAY_FAIL_OVERDUE: { type: 'PAY_FAIL', ...late, resumeStatus: 50 },
  PAY_FAIL_BAD: { type: 'PAY_FAIL', ...late, resumeStatus: 90 },
  ROLLOVER_OK: { type: 'ROLLOVER_OK', repaymentType: 'rollover', paidPaise: 12_000, duePaise: 12_000 },
  DUE_PASSED: { type: 'DUE_PASSED', ...late, balancePaise: 1 },
  BECOME_BAD: { type: 'BECOME_BAD', overdueDays: 91, badDebtDays: 91 },
  CURE: { type: 'CURE', settlementPlanCurrent: true },
  OPS_WRITE_OFF: { type: 'OPS_WRITE_OFF', reason: 'borrower died', outstandingPaise: 2_500_000, capPaise: 2_500_000 },
  BATCH_WRITE_OFF: { type: 'BATCH_WRITE_OFF', batchApproved: true },
  REVERSE_PAYMENT: { type: 'REVERSE_PAYMENT', cause: 'bounced', ...onTime },
  REVERSE_PAYMENT_OVERDUE: { type: 'REVERSE_PAYMENT', cause: 'duplicateUtr', ...late },
} satisfies SampleEvents<OrderEvent> & Record<Branch, OrderEvent>

const _ = null
const table = {
  SUBMIT: { new: '10', 10: _, 20: _, 21: _, 22: _, 23: _, 26: _, 27: _, 29: _, 30: _, 31: _, 40: _, 41: _, 43: _, 50: _, 70: _, 80: _, 90: _, 100: _, 110: _ },
  AUTO_PASS: { new: _, 10: '20', 20: _, 21: _, 22: _, 23: _, 26: _, 27: _, 29: _, 30: _, 31: _, 40: _, 41: _, 43: _, 50: _, 70: _, 80: _, 90: _, 100: _, 110: _ },
  AUTO_REJECT: { new: _, 10: '21', 20: _, 21: _, 22: _, 23: _, 26: _, 27: _, 29: _, 30: _, 31: _, 40: _, 41: _, 43: _, 50: _, 70: _, 80: _, 90: _, 100: _, 110: _ },
  AUTO_UNDECIDED: { new: _, 10: '22', 20: _, 21: _, 22: _, 23: _, 26: _, 27: _, 29: _, 30: _, 31: _, 40: _, 41: _, 43: _, 50: _, 70: _, 80: _, 90: _, 100: _, 110: _ },
  LIMIT_FAIL: { new: _, 10: '23', 20: _, 21: _, 22: _, 23: _, 26: _, 27: _, 29: _, 30: _, 31: _, 40: _, 41: _, 43: _, 50: _, 70: _, 80: _, 90: _, 100: _, 110: _ },
  REVIEW_PASS: { new: _, 10: _, 20: _, 21: _, 22: '26', 23: _, 26: _, 27: _, 29: _, 30: _, 31: _, 40: _, 41: _, 43: _, 50: _, 70: _, 80: _, 90: _, 100: _, 110: _ },
  REVIEW_REJECT: { new: _, 10: _, 20: _, 21: _, 22: '27', 23: _, 26: _, 27: _, 29: _, 30: _, 31: _, 40: _, 41: _, 43: _, 50: _, 70: _, 80: _, 90: _, 100: _, 110: _ },
  DISBURSE: { new: _, 10: _, 20: '29', 21: _, 22: _, 23: _, 26: '29', 27: _, 29: _, 30: _, 31: _, 40: _, 41: _, 43: _, 50: _, 70: _, 80: _, 90: _, 100: _, 110: _ },
  PAYOUT_OK: { new: _, 10: _, 20: _, 21: _, 22: _, 23: _, 26: _, 27: _, 29: '30', 30: _, 31: _, 40: _, 41: _, 43: _, 50: _, 70: _, 80: _, 90: _, 100: _, 110: _ },
  PAYOUT_FAIL: { new: _, 10: _, 20: _, 21: _, 22: _, 23: _, 26: _, 27: _, 29: '31', 30: _, 31: _, 40: _, 41: _, 43: _, 50: _, 70: _, 80: _, 90: _, 100: _, 110: _ },
  RETRY_PAYOUT: { new: _, 10: _, 20: _, 21: _, 22: _, 23: _, 26: _, 27: _, 29: _, 30: _, 31: '29', 40: _, 41: _, 43: _, 50: _, 70: _, 80: _, 90: _, 100: _, 110: _ },
  CANCEL: { new: _, 10: '70', 20: '70', 21: _, 22: '70', 23: _, 26: '70', 27: _, 29: _, 30: _, 31: _, 40: _, 41: _, 43: _, 50: _, 70: _, 80: _, 90: _, 100: _, 110: _ },
  CANCEL_DISBURSEMENT: { new: _, 10: _, 20: _, 21: _, 22: _, 23: _, 26: _, 27: _, 29: _, 30: _, 31: '70', 40: _, 41: _, 43: _, 50: _, 70: _, 80: _, 90: _, 100: _, 110: _ },
  COOLING_OFF_EXIT: { new: _, 10: _, 20: _, 21: _, 22: _, 23: _, 26: _, 27: _, 29: _, 30: '40', 31: _, 40: _, 41: _, 43: _, 50: _, 70: _, 80: _, 90: _, 100: _, 110: _ },
  PAY_SUBMITTED: { new: _, 10: _, 20: _, 21: _, 22: _, 23: _, 26: _, 27: _, 29: _, 30: '43', 31: _, 40: _, 41: _, 43: _, 50: '43', 70: _, 80: _, 90: '43', 100: _, 110: _ },
  PAY_OK_FULL: { new: _, 10: _, 20: _, 21: _, 22: _, 23: _, 26: _, 27: _, 29: _, 30: _, 31: _, 40: _, 41: _, 43: '40', 50: _, 70: _, 80: _, 90: _, 100: _, 110: _ },
  PAY_OK_REDUCED: { new: _, 10: _, 20: _, 21: _, 22: _, 23: _, 26: _, 27: _, 29: _, 30: _, 31: _, 40: _, 41: _, 43: '41', 50: _, 70: _, 80: _, 90: _, 100: _, 110: _ },
  PAY_OK_PARTIAL: { new: _, 10: _, 20: _, 21: _, 22: _, 23: _, 26: _, 27: _, 29: _, 30: _, 31: _, 40: _, 41: _, 43: '30', 50: _, 70: _, 80: _, 90: _, 100: _, 110: _ },
  PAY_OK_PARTIAL_OVERDUE: { new: _, 10: _, 20: _, 21: _, 22: _, 23: _, 26: _, 27: _, 29: _, 30: _, 31: _, 40: _, 41: _, 43: '50', 50: _, 70: _, 80: _, 90: _, 100: _, 110: _ },
  PAY_OK_PARTIAL_BAD: { new: _, 10: _, 20: _, 21: _, 22: _, 23: _, 26: _, 27: _, 29: _, 30: _, 31: _, 40: _, 41: _, 43: '90', 50: _, 70: _, 80: _, 90: _, 100: _, 110: _ },
  PAY_FAIL: { new: _, 10: _, 20: _, 21: _, 22: _, 23: _, 26: _, 27: _, 29: _, 30: _, 31: _, 40: _, 41: _, 43: '30', 50: _, 70: _, 80: _, 90: _, 100: _, 110: _ },
  PAY_FAIL_OVERDUE: { new: _, 10: _, 20: _, 21: _, 22: _, 23: _, 26: _, 27: _, 29: _, 30: _, 31: _, 40: _, 41: _, 43: '50', 50: _, 70: _, 80: _, 90: _, 100: _, 110: _ },
  PAY_FAIL_BAD: { new: _, 10: _, 20: _, 21: _, 22: _, 23: _, 26: _, 27: _, 29: _, 30: _, 31: _, 40: _, 41: _, 43: '90', 50: _, 70: _, 80: _, 90: _, 100: _, 110: _ },
  ROLLOVER_OK: { new: _, 10: _, 20: _, 21: _, 22: _, 23: _, 26: _, 27: _, 29: _, 30: _, 31: _, 40: _, 41: _, 43: '80', 50: _, 70: _, 80: _, 90: _, 100: _, 110: _ },
  DUE_PASSED: { new: _, 10: _, 20: _, 21: _, 22: _, 23: _, 26: _, 27: _, 29: _, 30: '50', 31: _, 40: _, 41: _, 43: _, 50: _, 70: _, 80: _, 90: _, 100: _, 110: _ },
  BECOME_BAD: { new: _, 10: _, 20: _, 21: _, 22: _, 23: _, 26: _, 27: _, 29: _, 30: _, 31: _, 40: _, 41: _, 43: _, 50: '90', 70: _, 80: _, 90: _, 100: _, 110: _ },
  CURE: { new: _, 10: _, 20: _, 21: _, 22: _, 23: _, 26: _, 27: _, 29: _, 30: _, 31: _, 40: _, 41: _, 43: _, 50: _, 70: _, 80: _, 90: '50', 100: _, 110: _ },
  OPS_WRITE_OFF: { new: _, 10: _, 20: _, 21: _, 22: _, 23: _, 26: _, 27: _, 29: _, 30: '100', 31: _, 40: _, 41: _, 43: _, 50: '100', 70: _, 80: _, 90: '100', 100: _, 110: _ },
  BATCH_WRITE_OFF: { new: _, 10: _, 20: _, 21: _, 22: _, 23: _, 26: _, 27: _, 29: _, 30: _, 31: _, 40: _, 41: _, 43: _, 50: '110', 70: _, 80: _, 90: '110', 100: _, 110: _ },
  REVERSE_PAYMENT: { new: _, 10: _, 20: _, 21: _, 22: _, 23: _, 26: _, 27: _, 29: _, 30: _, 31: _, 40: '30', 41: _, 43: _, 50: _, 70: _, 80: _, 90: _, 100: _, 110: _ },
  REVERSE_PAYMENT_OVERDUE: { new: _, 10: _, 20: _, 21: _, 22: _, 23: _, 26: _, 27: _, 29: _, 30: _, 31: _, 40: '50', 41: '50', 43: _, 50: _, 70: _, 80: _, 90: _, 100: _, 110: _ },
} satisfies LifecycleTable<OrderEventType | Branch, OrderState>

testLifecycle<OrderState, OrderEvent, OrderEventType | Branch>({
  lifecycle: orderLifecycle,
  samples,
  table,
  closed: { 21: [], 23: [], 27: [], 40: ['REVERSE_PAYMENT'], 41: ['REVERSE_PAYMENT'], 70: [], 80: [], 100: [], 110: [] },
})

describe('a guard refuses', () => {
  const refusals: [fact: string, state: OrderState, event: OrderEvent][] = [
    ['an application with KYC fields missing', 'new', { ...samples.SUBMIT, kycComplete: false }],
    ['an application beside an open order', 'new', { ...samples.SUBMIT, hasOpenOrder: true }],
    ['an application of a blacklisted customer', 'new', { ...samples.SUBMIT, isBlacklisted: true }],
    ['an automatic pass with a blocking rule hit', '10', { ...samples.AUTO_PASS, blockingRulesPassed: false }],
    ['an automatic pass that needs a person', '10', { ...samples.AUTO_PASS, needManual: true }],
    ['an automatic rejection without a rule hit', '10', { ...samples.AUTO_REJECT, blockingRuleHit: false }],
    ['an automatic rejection without a refusal code', '10', { ...samples.AUTO_REJECT, refusalCode: '' }],
    ['an automatic rejection without a cool-down date', '10', { ...samples.AUTO_REJECT, coolDownUntil: null }],
    ['a manual review nobody asked for', '10', { ...samples.AUTO_UNDECIDED, needManual: false }],
    ['a limit failure at the product minimum', '10', { ...samples.LIMIT_FAIL, approvedLimitPaise: 100_000 }],
    ['a review pass while the item is not passed', '22', { ...samples.REVIEW_PASS, reviewState: 'audited' }],
    ['a review pass with an old fencing token', '22', { ...samples.REVIEW_PASS, tokenCurrent: false }],
    ['a review rejection while the item is not failed', '22', { ...samples.REVIEW_REJECT, reviewState: 'passed' }],
    ['a review rejection without a reason', '22', { ...samples.REVIEW_REJECT, rejectCode: null }],
    ['a payout without a bound card', '20', { ...samples.DISBURSE, cardBound: false }],
    ['a payout to another name', '26', { ...samples.DISBURSE, nameSimilarity: 79.9 }],
    ['a payout before the KFS is accepted', '20', { ...samples.DISBURSE, kfsAccepted: false }],
    ['a payout without quota', '26', { ...samples.DISBURSE, quotaLeft: false }],
    ['a payout failure without a reason', '29', { ...samples.PAYOUT_FAIL, failReason: ' ' }],
    ['a fourth payout attempt to the same card', '31', { ...samples.RETRY_PAYOUT, attempts: 3 }],
    ['cancelling an order in review because an offer ran out', '10', { ...samples.CANCEL, withdrawn: false, offerExpired: true }],
    ['cancelling an order in manual review because an offer ran out', '22', { ...samples.CANCEL, withdrawn: false, offerExpired: true }],
    ['cancelling an offer that runs on and is not withdrawn', '20', { ...samples.CANCEL, withdrawn: false }],
    ['cancelling a payout that may have settled', '31', { ...samples.CANCEL_DISBURSEMENT, provenNotSettled: false }],
    ['a cooling-off exit after its last day', '30', { ...samples.COOLING_OFF_EXIT, insideCoolingOff: false }],
    ['a cooling-off exit one paisa short', '30', { ...samples.COOLING_OFF_EXIT, paidPaise: 100_899 }],
    ['a full repayment one paisa short', '43', { ...samples.PAY_OK_FULL, paidPaise: 99_999 }],
    ['a full repayment in which a reduction was used', '43', { ...samples.PAY_OK_FULL, reductionPaise: 1 }],
    ['a reduced repayment without a reduction', '43', { ...samples.PAY_OK_REDUCED, paidPaise: 100_000, reductionPaise: 0 }],
    ['a reduced repayment one paisa short', '43', { ...samples.PAY_OK_REDUCED, paidPaise: 89_999 }],
    ['a partial repayment of the whole amount', '43', { ...samples.PAY_OK_PARTIAL, paidPaise: 100_000 }],
    ['a partial repayment of the whole overdue amount', '43', { ...samples.PAY_OK_PARTIAL_OVERDUE, paidPaise: 100_000 }],
    ['a partial repayment of the whole bad debt', '43', { ...samples.PAY_OK_PARTIAL_BAD, paidPaise: 100_000 }],
    ['a partial repayment of nothing', '43', { ...samples.PAY_OK_PARTIAL, paidPaise: 0 }],
    ['a rollover paid by another repayment type', '43', { ...samples.ROLLOVER_OK, repaymentType: 'partial' }],
    ['a rollover one paisa short', '43', { ...samples.ROLLOVER_OK, paidPaise: 11_999 }],
    ['overdue on the due day', '30', { ...samples.DUE_PASSED, ...onTime }],
    ['overdue with nothing left to pay', '30', { ...samples.DUE_PASSED, balancePaise: 0 }],
    ['bad debt on overdue day 90', '50', { ...samples.BECOME_BAD, overdueDays: 90 }],
    ['a cure under a broken settlement plan', '90', { ...samples.CURE, settlementPlanCurrent: false }],
    ['a write-off without a reason', '30', { ...samples.OPS_WRITE_OFF, reason: ' ' }],
    ['a write-off above the cap of the role', '50', { ...samples.OPS_WRITE_OFF, outstandingPaise: 2_500_001 }],
    ['a batch write-off that nobody approved', '90', { ...samples.BATCH_WRITE_OFF, batchApproved: false }],
    ['a reversal without a cause', '40', { ...samples.REVERSE_PAYMENT, cause: null }],
    ['a reversal of a reduced order without a cause', '41', { ...samples.REVERSE_PAYMENT_OVERDUE, cause: null }],
    ['a reversal of a reduced order before its due day has passed', '41', { ...samples.REVERSE_PAYMENT, cause: 'bounced' }],
  ]
  test.each(refusals)('%s', (_fact, state, event) => expectRefused(orderLifecycle, state, event))
})

test('a re-bound card gives a payout another attempt', () => {
  expect(nextOrderStatus(31, { ...samples.RETRY_PAYOUT, attempts: 3, cardRebound: true })).toBe(29)
})

test('an offer not used in time is cancelled', () => {
  for (const status of [20, 26] as const) expect(nextOrderStatus(status, { ...samples.CANCEL, withdrawn: false, offerExpired: true })).toBe(70)
})

test('abnormal rule output alone sends an order to manual review', () => {
  expect(nextOrderStatus(10, { type: 'AUTO_UNDECIDED', needManual: false, outputAbnormal: true })).toBe(22)
})

test('an order that was not overdue before the payment is overdue after it when the due day has passed meanwhile', () => {
  expect(nextOrderStatus(43, { ...samples.PAY_FAIL, ...late, resumeStatus: 30 })).toBe(50)
  expect(nextOrderStatus(43, { ...samples.PAY_OK_PARTIAL, ...late, resumeStatus: 30 })).toBe(50)
})

test('bad debt stays bad debt after a payment whatever the due day', () => {
  expect(nextOrderStatus(43, { ...samples.PAY_FAIL, ...onTime, resumeStatus: 90 })).toBe(90)
  expect(nextOrderStatus(43, { ...samples.PAY_OK_PARTIAL, ...onTime, resumeStatus: 90 })).toBe(90)
})

test('the helpers speak in status numbers', () => {
  expect(nextOrderStatus('new', samples.SUBMIT)).toBe(10)
  expect(canOrder(30, samples.PAY_SUBMITTED)).toBe(true)
  expect(canOrder(40, samples.PAY_SUBMITTED)).toBe(false)
  expect(allowedOrderEvents(31)).toEqual(['RETRY_PAYOUT', 'CANCEL_DISBURSEMENT'])
  expect(isOrderClosed(41)).toBe(true)
  expect(isOrderClosed(43)).toBe(false)
  expect(() => nextOrderStatus(21, samples.DISBURSE)).toThrow('order in state 21 does not take DISBURSE; allowed: nothing')
})

test('the states are `new` and the nineteen statuses of the specification', () => {
  expect(orderLifecycle.states.toSorted()).toEqual(['new', ...ORDER_STATUSES.map(String)].toSorted())
  expect(orderLifecycle.states).toHaveLength(20)
})
