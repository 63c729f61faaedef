import { expect, test } from 'vitest'
import type { LiveEvent } from '#shared/kernel/live.ts'
import type { OrderDetail, OrderTimeline } from '../order-types.ts'
import {
  applyToDetail,
  applyToTimeline,
  concernsOrder,
  ORDER_DETAIL_EVENTS,
  withOrder,
} from './detail-apply.ts'

const T = '2026-11-20T06:00:00.000Z'
const DETAIL: OrderDetail = {
  order: {
    orderId: 'A',
    userId: 'CA',
    userName: 'Priya Sharma',
    phone: 'XXXXXX3210',
    appId: 'AP1',
    appName: 'RupeeNest',
    productId: 'PR1',
    productName: 'Quick 7',
    channelId: 'CH1',
    channelName: 'Organic',
    amount: 800_000,
    arrivalAmount: 780_000,
    serviceCharge: 20_000,
    interest: 5_040,
    contractAmount: 805_040,
    tenureDays: 7,
    term: 1,
    dueTime: null,
    closeTime: null,
    closeType: 'notClosed',
    status: 26,
    tags: ['firstLoan'],
    couponIds: [],
    couponNames: [],
    failReason: null,
    overdueDays: 0,
    reviewId: 'RA',
    outstanding: 0,
    rbiClass: 'standard',
    kfsVersion: 'KFS-3',
    kfsAcceptTime: T,
    coolingOffUntil: null,
    createTime: T,
    disburseTime: null,
    approval: null,
    version: 4,
  },
  customer: {
    userId: 'CA',
    name: 'Priya Sharma',
    phone: 'XXXXXX3210',
    city: 'Pune',
    postcode: '411001',
    customerClass: 'new',
    certified: true,
    blacklisted: false,
    orderCount: 1,
    settlementCount: 0,
  },
  terms: {
    serviceRate: 250,
    dailyRate: 9,
    penalty: [{ dayFrom: 1, dayTo: null, rate: 15, capRatio: null }],
    periods: 1,
    daysPerPeriod: 7,
    coolingOffDays: 1,
    emi: null,
    apr: 17_500,
  },
  plans: [
    {
      planId: 'P1',
      orderId: 'A',
      serialNo: 1,
      dueTime: '2026-12-01',
      amountDue: 805_040,
      principal: 800_000,
      interest: 5_040,
      serviceFee: 0,
      bounceCharge: 0,
      kind: 'instalment',
      overdueFine: 0,
      reducedFees: 0,
      paidAmount: 0,
      outstanding: 805_040,
      paymentStatus: 'unpaid',
      overdueDays: 0,
      actualRepaymentTime: null,
      version: 1,
    },
  ],
  transfers: [
    {
      transferId: 'T1',
      orderId: 'A',
      platformOrderNo: 'A-1',
      vendorOrderNo: null,
      vendorCode: 'sandbox',
      payeeName: 'PRIYA SHARMA',
      transferType: 'IMPS',
      account: 'XXXXXX1234',
      amount: 780_000,
      payState: 'inProgress',
      attemptNo: 1,
      failTime: null,
      failReason: null,
      waitReason: null,
      handlingMethod: null,
      utr: null,
      createTime: T,
      finishTime: null,
      conflict: null,
      conflictTime: null,
      conflictOutcome: null,
      strayOpen: 0,
      lostTime: null,
      lateTime: null,
      version: 1,
    },
  ],
  ledger: [],
  extension: null,
  settlement: null,
  fromOrderId: null,
  extensionNo: null,
  remarks: [],
  closeAmountType: null,
  refusal: null,
  caseId: null,
  withheld: [],
  allowed: ['CANCEL'],
}
const event = (
  type: string,
  version: number | undefined,
  data: Record<string, unknown>,
  time = T,
): LiveEvent => ({
  seq: 1,
  id: 'e',
  type,
  subject: 'order:A',
  time,
  actor: { userId: 'ben', userName: 'Ben' },
  data: { orderId: 'A', ...data },
  ...(version === undefined ? {} : { version }),
})
const moved = (version: number, from: number, to: number, more: Record<string, unknown> = {}) =>
  event('order.status.changed', version, {
    userId: 'CA',
    from,
    to,
    tags: ['firstLoan'],
    outstanding: 0,
    closeType: 'notClosed',
    closeTime: null,
    dueTime: null,
    disburseTime: null,
    failReason: null,
    cause: 'cancel',
    ...more,
  })

test('a status change patches the order and removes the actions the new status does not allow', () => {
  const after = applyToDetail(DETAIL, moved(5, 26, 70, { closeTime: T }))
  expect(after).toEqual({
    ...DETAIL,
    order: { ...DETAIL.order, status: 70, closeTime: T, version: 5 },
    allowed: [],
  })
})

test('a status change with an older version is ignored', () => {
  expect(applyToDetail(DETAIL, moved(4, 22, 26))).toBe(DETAIL)
})

test('a payout result patches its transfer', () => {
  const failed = event('payout.changed', 2, {
    transferId: 'T1',
    payState: 'fail',
    attemptNo: 1,
    failReason: 'Account closed',
    handlingMethod: null,
  })
  expect(applyToDetail(DETAIL, failed).transfers).toEqual([
    { ...DETAIL.transfers[0], payState: 'fail', failReason: 'Account closed', version: 2 },
  ])
  expect(
    applyToDetail(
      applyToDetail(DETAIL, failed),
      event('payout.changed', 1, {
        transferId: 'T1',
        payState: 'inProgress',
        attemptNo: 1,
        failReason: null,
        handlingMethod: null,
      }),
    ).transfers[0]?.payState,
  ).toBe('fail')
})

test('a plan event patches the plan', () => {
  const overdue = event('plan.changed', 2, {
    planId: 'P1',
    paymentStatus: 'overdue',
    outstanding: 806_000,
    overdueDays: 1,
  })
  expect(applyToDetail(DETAIL, overdue).plans).toEqual([
    {
      ...DETAIL.plans[0],
      paymentStatus: 'overdue',
      outstanding: 806_000,
      overdueDays: 1,
      version: 2,
    },
  ])
})

test('events without data leave the order unchanged until the refetch', () => {
  expect(applyToDetail(DETAIL, event('order.updated', undefined, { fields: ['remarks'] }))).toBe(
    DETAIL,
  )
})

test('a fetched row replaces the shown one unless it is older', () => {
  expect(withOrder(DETAIL, { ...DETAIL.order, status: 29, version: 5 })).toMatchObject({
    order: { status: 29 },
    allowed: [],
  })
  expect(withOrder(DETAIL, { ...DETAIL.order, status: 22, version: 3 })).toBe(DETAIL)
})

test('a status change adds exactly one line to the timeline', () => {
  const before: OrderTimeline = [
    { time: T, from: null, to: 10, by: 'Customer app', cause: 'submit', note: null },
  ]
  const change = { ...moved(5, 26, 70), time: '2026-11-20T08:00:00.000Z' }
  const after = applyToTimeline(before, change)
  expect(after).toEqual([
    ...before,
    { time: '2026-11-20T08:00:00.000Z', from: 26, to: 70, by: 'Ben', cause: 'cancel', note: null },
  ])
  expect(applyToTimeline(after, change)).toBe(after)
})

test('the same change at another time adds another line', () => {
  const once = applyToTimeline([], { ...moved(5, 29, 31), time: '2026-11-20T08:00:00.000Z' })
  expect(
    applyToTimeline(once, { ...moved(7, 29, 31), time: '2026-11-20T09:00:00.000Z' }),
  ).toHaveLength(2)
})

test('events of other orders are ignored', () => {
  expect(concernsOrder(moved(5, 26, 70), 'A', null)).toBe(true)
  expect(concernsOrder(moved(5, 26, 70), 'B', null)).toBe(false)
  expect([...ORDER_DETAIL_EVENTS].toSorted()).toEqual([
    'case.allocated',
    'case.created',
    'cases.allocated',
    'cases.recalled',
    'order.status.changed',
    'order.updated',
    'payout.changed',
    'plan.changed',
    'review.state.changed',
  ])
})

test('events of its review and its case are relevant, also when the event names many cases', () => {
  expect(
    concernsOrder(
      event('review.state.changed', 3, { reviewId: 'RA', from: 'toAudit', to: 'underReview' }),
      'A',
      null,
    ),
  ).toBe(true)
  expect(concernsOrder(event('case.allocated', 2, { caseId: 'CA1', to: 'ben' }), 'A', null)).toBe(
    true,
  )
  const many = event('cases.allocated', undefined, { orderId: undefined, caseIds: ['CA1', 'CA2'] })
  expect([
    concernsOrder(many, 'A', 'CA2'),
    concernsOrder(many, 'A', 'CA3'),
    concernsOrder(many, 'A', null),
  ]).toEqual([true, false, false])
  // their data is not shown here: it arrives with the refetch
  expect(applyToDetail(DETAIL, event('case.allocated', 2, { caseId: 'CA1', to: 'ben' }))).toBe(
    DETAIL,
  )
})
