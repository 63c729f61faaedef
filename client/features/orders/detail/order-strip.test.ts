import { expect, test } from 'vitest'
import { canOrder, type OrderEvent } from '#shared/orders/order-lifecycle.ts'
import { nextOrderStatus } from '#shared/orders/order-lifecycle.ts'
import { ORDER_STATUSES, type OrderStatus } from '#shared/orders/order-statuses.ts'
import { MAIN_NEXT, stripOf } from './order-strip.ts'

test.each<
  [
    fact: string,
    current: OrderStatus,
    visited: OrderStatus[],
    states: OrderStatus[],
    next: OrderStatus[],
  ]
>([
  [
    'a new application may pass at once or by hand',
    10,
    [10],
    [10, 20, 22, 26, 29, 30, 43, 40],
    [20, 22],
  ],
  ['once at the desk the automatic way is gone', 22, [10, 22], [10, 22, 26, 29, 30, 43, 40], [26]],
  ['an automatic pass goes on to the payout', 20, [10, 20], [10, 20, 29, 30, 43, 40], [29]],
  [
    'a failed payout stands after the try, which is the next again',
    31,
    [10, 20, 29, 31],
    [10, 20, 29, 31, 30, 43, 40],
    [29],
  ],
  [
    'the second try stands after the failure',
    29,
    [10, 20, 29, 31, 29],
    [10, 20, 31, 29, 30, 43, 40],
    [30],
  ],
  [
    'overdue appears when it is reached',
    50,
    [10, 22, 26, 29, 30, 50],
    [10, 22, 26, 29, 30, 50, 43, 40],
    [43],
  ],
  [
    'a part payment goes back to overdue',
    50,
    [10, 20, 29, 30, 50, 43, 50],
    [10, 20, 29, 30, 43, 50, 40],
    [43],
  ],
  ['a repaid order has no way on', 40, [10, 20, 29, 30, 43, 40], [10, 20, 29, 30, 43, 40], []],
  ['a cancelled order ends where it was cancelled', 70, [10, 22, 70], [10, 22, 70], []],
  ['an extension begins with its repayment', 30, [30], [30, 43, 40], [43]],
  ['the present status is lit before the timeline has it', 70, [10, 22], [10, 22, 70], []],
])('%s', (_, current, visited, states, next) => {
  expect(stripOf(current, visited)).toEqual({ states, next })
})

const due = { today: '2026-11-20', dueDay: '2026-11-20' }
const STEPS: OrderEvent[] = [
  { type: 'AUTO_PASS', blockingRulesPassed: true, needManual: false },
  { type: 'AUTO_UNDECIDED', needManual: true, outputAbnormal: false },
  { type: 'REVIEW_PASS', reviewState: 'passed', tokenCurrent: true },
  {
    type: 'DISBURSE',
    cardBound: true,
    nameSimilarity: 90,
    nameThreshold: 80,
    kfsAccepted: true,
    quotaLeft: true,
  },
  { type: 'PAYOUT_OK' },
  { type: 'RETRY_PAYOUT', attempts: 1, maxAttempts: 3, cardRebound: false },
  { type: 'PAY_SUBMITTED' },
  { type: 'PAY_OK_FULL', paidPaise: 1, duePaise: 1, reductionPaise: 0 },
  { type: 'PAY_FAIL', ...due, resumeStatus: 30 },
]

test('every step of the main way is a transition of the lifecycle', () => {
  for (const from of ORDER_STATUSES) {
    const reached = STEPS.filter((event) => canOrder(from, event)).map((event) =>
      nextOrderStatus(from, event),
    )
    for (const to of MAIN_NEXT[from])
      expect({ from, to, reached }).toEqual({ from, to, reached: expect.arrayContaining([to]) })
  }
})

test('a strip shows each status once, with the present one in it', () => {
  for (const status of ORDER_STATUSES) {
    const { states } = stripOf(status, [10, 22, 26, 29, 31, 29, 30, 50, 43, 50])
    expect(new Set(states).size).toBe(states.length)
    expect(states).toContain(status)
  }
})
