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
    'a new application can pass automatically or manually',
    10,
    [10],
    [10, 20, 22, 26, 29, 30, 43, 40],
    [20, 22],
  ],
  [
    'an order in manual review has no automatic path',
    22,
    [10, 22],
    [10, 22, 26, 29, 30, 43, 40],
    [26],
  ],
  ['an automatic pass leads to the payout', 20, [10, 20], [10, 20, 29, 30, 43, 40], [29]],
  [
    'a failed payout comes after its attempt, and the next attempt follows',
    31,
    [10, 20, 29, 31],
    [10, 20, 29, 31, 30, 43, 40],
    [29],
  ],
  [
    'the second attempt comes after the failure',
    29,
    [10, 20, 29, 31, 29],
    [10, 20, 31, 29, 30, 43, 40],
    [30],
  ],
  [
    'overdue appears once it is reached',
    50,
    [10, 22, 26, 29, 30, 50],
    [10, 22, 26, 29, 30, 50, 43, 40],
    [43],
  ],
  [
    'a partial payment returns to overdue',
    50,
    [10, 20, 29, 30, 50, 43, 50],
    [10, 20, 29, 30, 43, 50, 40],
    [43],
  ],
  ['a repaid order has no next status', 40, [10, 20, 29, 30, 43, 40], [10, 20, 29, 30, 43, 40], []],
  ['a cancelled order ends where it was cancelled', 70, [10, 22, 70], [10, 22, 70], []],
  ['a successor order starts awaiting repayment', 30, [30], [30, 43, 40], [43]],
  ['the current status is shown before the timeline contains it', 70, [10, 22], [10, 22, 70], []],
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

test('every step of the main path is a transition of the lifecycle', () => {
  for (const from of ORDER_STATUSES) {
    const reached = STEPS.filter((event) => canOrder(from, event)).map((event) =>
      nextOrderStatus(from, event),
    )
    for (const to of MAIN_NEXT[from])
      expect({ from, to, reached }).toEqual({ from, to, reached: expect.arrayContaining([to]) })
  }
})

test('a strip shows each status once and includes the current one', () => {
  for (const status of ORDER_STATUSES) {
    const { states } = stripOf(status, [10, 22, 26, 29, 31, 29, 30, 50, 43, 50])
    expect(new Set(states).size).toBe(states.length)
    expect(states).toContain(status)
  }
})
