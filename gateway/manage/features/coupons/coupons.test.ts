/** Coupons: defined, granted, used by payments and applications, given back, expired, revoked. */
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { addDays, istDay } from '#shared/kernel/time.ts'
import * as api from '#shared/coupons/coupons-api.ts'
import { inboundApplication } from '#shared/orders/inbound-api.ts'
import { cancelOrder } from '#shared/orders/orders-api.ts'
import { orderDetail } from '#shared/orders/order-detail-api.ts'
import * as repay from '#shared/repayments/repayments-api.ts'
import { decideApproval } from '#shared/approvals/approvals-api.ts'
import { brokenInvariants } from '#gateway/manage/db/check-invariants.ts'
import { makeApplication } from '#tests/factories/applications.ts'
import { makeCase } from '#tests/factories/cases.ts'
import { makeOrder } from '#tests/factories/orders.ts'
import { machineOf, type Machine } from '#tests/support/machine.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { couponExpire } from './coupon-expire-job.ts'

let floor: Floor
let manager: Person
let director: Person
let service: Person
let app: Machine
let serial = 0
const today = istDay(Date.now())

beforeAll(async () => {
  floor = await testManage()
  ;[manager, director, service] = await Promise.all([
    floor.signIn('manager'),
    floor.signIn('director'),
    floor.signIn('customer_service'),
  ])
  app = await machineOf(floor, ['application'])
})
afterAll(() => floor.close())
afterEach(async () => {
  await floor.settle()
  expect(await brokenInvariants(floor.database)).toEqual([])
})

type Given = object
const couponOf = (given: object = {}) => {
  serial += 1
  return {
    name: `Coupon ${serial}`,
    type: 'reduction' as const,
    amountType: 'fixed' as const,
    preferentialType: 'overdueFine' as const,
    discountAmount: 5_000,
    minAmount: 0,
    validDays: 30,
    ...given,
  }
}
const add = async (given: Given = {}) =>
  (await manager.call(api.addCoupon, couponOf(given))).couponId
const grant = (couponId: string, ...userIds: string[]) =>
  manager.call(api.grantCoupon, { couponId, userIds })
const grantsOf = async (userId: string) => (await manager.call(api.listGrants, { userId })).rows
const lifeOf = (orderId: string) => manager.call(orderDetail, { orderId })
/** A loan of 10,000.00 with 150.00 of interest and 120.00 of fine, and a coupon of its borrower. */
async function overdueWith(given: Given = {}) {
  const made = await makeCase(floor, { overdueDays: 12 })
  const couponId = await add(given)
  await grant(couponId, made.customerId)
  const [row] = await grantsOf(made.customerId)
  return { ...made, couponId, grantId: row?.grantId ?? '' }
}
const OWED = 1_000_000 + 15_000 + 12_000

async function form(orderId: string, given: object) {
  serial += 1
  return {
    orderId,
    version: (await lifeOf(orderId)).order.version,
    repaymentType: 'full' as const,
    amount: OWED,
    utr: String(500_000_000_000 + serial),
    upi: '-',
    channel: 2,
    bankCode: 'HDFC',
    payTime: new Date().toISOString(),
    ...given,
  }
}
async function settle(recordId: string, result: 'success' | 'fail' = 'success') {
  const { record } = await manager.call(repay.recordDetail, { recordId })
  return manager.call(repay.confirmRecord, {
    recordId,
    version: record.version,
    result,
    ...(result === 'fail' ? { failReason: 'Never arrived' } : {}),
  })
}
async function reverse(recordId: string) {
  const { record } = await manager.call(repay.recordDetail, { recordId })
  const { approvalId } = await manager.call(repay.reverseRecord, {
    recordId,
    version: record.version,
    cause: 'bounced',
    reason: 'The bank took it back',
  })
  await director.call(decideApproval, { approvalId, version: 1, result: 'approved' })
}

test.each<[string, object, string, string | null]>([
  ['a fixed coupon has an amount', { discountAmount: undefined }, 'G-FIELD', 'discountAmount'],
  ['a coupon by share has a rate', { amountType: 'rate' }, 'G-FIELD', 'rate'],
  [
    'a coupon by share has no ratio',
    { amountType: 'rate', rate: 100, ratio: 100 },
    'G-FIELD',
    'ratio',
  ],
  [
    'the type follows from what it is for',
    { preferentialType: 'limit' },
    'G-FIELD',
    'preferentialType',
  ],
  ['a budget is no smaller than one coupon', { budget: 4_999 }, 'G-FIELD', 'budget'],
  ['a product must exist', { productIds: ['NONE'] }, 'G-FIELD', 'productIds'],
  ['validity ends after 365 days', { validDays: 366 }, 'Q-DATE', 'validDays'],
])('%s', async (_, given, id, field) => {
  const refusal = await manager.refused(api.addCoupon, couponOf(given))
  expect(refusal.problem?.id).toBe(id)
  expect(Object.keys((refusal.data as { fields: object }).fields)).toEqual([field])
})

test('amounts are fixed once a coupon was granted; a customer keeps the terms of the grant', async () => {
  const { customerId } = await makeOrder(floor, { status: 30, amount: 1_000_000 })
  const couponId = await add({ minAmount: 100 })
  const edit = (version: number, more: object) => ({
    couponId,
    version,
    name: `Renamed ${couponId}`,
    minAmount: 900,
    validDays: 5,
    ...more,
  })
  expect(await manager.call(api.editCoupon, edit(1, { discountAmount: 6_000 }))).toMatchObject({
    discountAmount: 6_000,
    minAmount: 900,
  })
  await grant(couponId, customerId)
  expect(await manager.refused(api.editCoupon, edit(2, { discountAmount: 7_000 }))).toMatchObject({
    problem: { id: 'Q-LOCK' },
  })
  await manager.call(api.editCoupon, edit(2, { minAmount: 5_000 }))
  expect(await grantsOf(customerId)).toMatchObject([{ minAmount: 900, discountAmount: 6_000 }])
  expect(await manager.refused(api.editCoupon, edit(2, {}))).toMatchObject({ code: 409 })
})

test('a customer holds one unused coupon of a kind, also when two are granted at once', async () => {
  const { customerId } = await makeOrder(floor, { status: 30, amount: 1_000_000 })
  const [one, two, other] = [await add(), await add(), await add({ preferentialType: 'interest' })]
  const answers = await Promise.all([one, two].map((id) => grant(id, customerId)))
  expect(answers.flatMap(({ ok }) => ok)).toEqual([customerId])
  expect(answers.flatMap(({ failed }) => failed)).toMatchObject([{ problem: 'Q-HAS' }])
  expect((await grant(other, customerId)).ok).toEqual([customerId])
  await manager.call(api.setCouponStatus, { couponIds: [other], state: 'disabled' })
  expect((await grant(other, customerId)).failed).toMatchObject([{ problem: 'Q-OFF' }])
  const grantId = (await grantsOf(customerId))[0]?.grantId ?? ''
  const reason = 'Granted by mistake'
  expect((await manager.call(api.revokeGrants, { grantIds: [grantId], reason })).ok).toEqual([
    grantId,
  ])
  expect(await grantsOf(customerId)).toMatchObject([
    { state: 'revoked', revokeReason: reason },
    { state: 'unused' },
  ])
})

test('a budget is never exceeded, and those who may grant are notified at 80 per cent', async () => {
  const people = await Promise.all(
    Array.from({ length: 6 }, () => makeOrder(floor, { status: 30, amount: 1_000_000 })),
  )
  const ids = people.map(({ customerId }) => customerId)
  const couponId = await add({ budget: 25_000 })
  const { ok, failed } = await grant(couponId, ...ids)
  expect([ok.length, failed]).toMatchObject([5, [{ problem: 'Q-BUDGET', params: { amount: 0 } }]])
  const notifications = await sql<{ title_key: string; params: object }>`
    select n.title_key, n.params from notification n
    where n.user_id = ${manager.userId} and n.title_key = 'coupons:notification.budget'`.execute(
    floor.database.kysely,
  )
  expect(notifications.rows).toMatchObject([{ params: { percent: 80 } }])
  const [row] = (await manager.call(api.listCoupons, { couponId })).rows
  expect(row).toMatchObject({ granted: 5, committed: 25_000, used: 0 })
})

test('a list names who would be given the coupon, and why the others not', async () => {
  const [one, two] = await Promise.all(
    [1, 2].map(() => makeOrder(floor, { status: 30, amount: 1_000_000 })),
  )
  const [free, holding] = [one?.customerId ?? '', two?.customerId ?? '']
  const couponId = await add()
  await grant(couponId, holding)
  const list = `User ID\n${free}\n${holding}, ${free}\nC99999999 C1x`
  expect(await manager.call(api.previewGrant, { couponId, list })).toMatchObject({
    userIds: [free],
    worth: 5_000,
    left: null,
    excluded: [
      { userId: holding, why: 'hasUnused' },
      { userId: 'C99999999', why: 'unknown' },
      { userId: 'C1x', why: 'unreadable' },
      { userId: free, why: 'repeated' },
    ],
  })
})

test('a coupon reduces the fine of a repayment, and is unused again when that is reversed', async () => {
  const { orderId, customerId, grantId } = await overdueWith()
  const quote = await manager.call(repay.quotePayment, { orderId, type: 'full' })
  expect(quote).toMatchObject({
    amountDue: OWED,
    coupons: [{ grantId, discount: 5_000, due: OWED - 5_000 }],
  })
  const paid = { amount: OWED - 5_000, couponGrantId: grantId }
  const preview = await service.call(repay.previewPayment, {
    orderId,
    repaymentType: 'full',
    payTime: new Date().toISOString(),
    ...paid,
  })
  expect(preview).toMatchObject({
    couponed: 5_000,
    status: { after: 40 },
    outstanding: { after: 0 },
  })
  expect(await grantsOf(customerId)).toMatchObject([{ state: 'unused', amount: 0 }])

  const after = (await floor.events()).at(-1)?.seq ?? 0
  const { recordId } = await service.call(repay.addRecord, await form(orderId, paid))
  expect(await grantsOf(customerId)).toMatchObject([
    { state: 'used', orderId, recordId, amount: 0 },
  ])
  await settle(recordId)
  expect(await lifeOf(orderId)).toMatchObject({
    order: { status: 40, outstanding: 0 },
    plans: [{ reducedFees: 5_000, paidAmount: OWED - 5_000 }],
  })
  expect(await grantsOf(customerId)).toMatchObject([{ state: 'used', amount: 5_000 }])
  const granted = (await floor.events(after)).filter(({ type }) => type === 'coupon.granted')
  expect(granted.map(({ data, rooms }) => [data.state, data.amount, rooms])).toEqual([
    ['used', 0, ['menu:coupon_list', `customer:${customerId}`, `order:${orderId}`]],
    ['used', 5_000, ['menu:coupon_list', `customer:${customerId}`, `order:${orderId}`]],
  ])

  await reverse(recordId)
  expect(await lifeOf(orderId)).toMatchObject({
    order: { status: 50, outstanding: OWED },
    plans: [{ reducedFees: 0, paidAmount: 0, overdueFine: 12_000 }],
  })
  expect(await grantsOf(customerId)).toMatchObject([
    { state: 'unused', orderId: null, recordId: null, amount: 0 },
  ])
  const again = await service.call(repay.addRecord, await form(orderId, paid))
  await settle(again.recordId)
  expect((await lifeOf(orderId)).order.status).toBe(40)
})

test('a loan settled with a coupon is owed again when earlier money bounces; the coupon comes to more', async () => {
  const { orderId, customerId, grantId } = await overdueWith()
  const pay = async (given: object) => {
    const { recordId } = await service.call(repay.addRecord, await form(orderId, given))
    await settle(recordId)
    return recordId
  }
  const coupon = async () => (await grantsOf(customerId))[0]
  const first = await pay({ repaymentType: 'partial', amount: 10_000 })
  // 20.00 of fine are left, of which the coupon gives up all
  const full = { amount: OWED - 12_000, couponGrantId: grantId }
  const second = await pay(full)
  expect((await lifeOf(orderId)).order.status).toBe(40)
  expect(await coupon()).toMatchObject({ state: 'used', amount: 2_000 })

  await reverse(first)
  expect(await lifeOf(orderId)).toMatchObject({
    order: { status: 50, closeTime: null, outstanding: 7_000 },
    plans: [{ reducedFees: 5_000, paidAmount: OWED - 12_000, overdueFine: 12_000 }],
  })
  expect(await coupon()).toMatchObject({ state: 'used', recordId: second, amount: 5_000 })
  const third = await pay({ repaymentType: 'full', amount: 7_000 })
  expect((await lifeOf(orderId)).order).toMatchObject({ status: 40, outstanding: 0 })
  await floor.settle()
  expect(await brokenInvariants(floor.database)).toEqual([])

  await reverse(second)
  expect(await lifeOf(orderId)).toMatchObject({
    order: { status: 50, outstanding: OWED - 7_000 },
    plans: [{ reducedFees: 0, paidAmount: 7_000 }],
  })
  expect(await coupon()).toMatchObject({ state: 'unused', recordId: null, amount: 0 })
  const fourth = await pay({ ...full, amount: OWED - 12_000 })
  const { order, ledger } = await lifeOf(orderId)
  expect(order).toMatchObject({ status: 40, outstanding: 0 })
  expect(await coupon()).toMatchObject({ state: 'used', recordId: fourth, amount: 5_000 })
  const sumOf = (account: string) =>
    ledger
      .filter((entry) => entry.account === account)
      .reduce((sum, { debit, credit }) => sum + debit - credit, 0)
  expect([sumOf('couponExpense'), sumOf('cashClearing')]).toEqual([5_000, OWED - 5_000])
  expect(new Set([first, second, third, fourth]).size).toBe(4)
})

test('a payment in part uses a coupon of interest; the coupon is given back when the payment fails', async () => {
  const { orderId, customerId, grantId } = await overdueWith({
    preferentialType: 'interest',
    amountType: 'rate',
    rate: 5_000,
    discountAmount: undefined,
  })
  const paid = { repaymentType: 'partial', amount: 10_000, couponGrantId: grantId }
  const failed = await service.call(repay.addRecord, await form(orderId, paid))
  await settle(failed.recordId, 'fail')
  expect(await grantsOf(customerId)).toMatchObject([{ state: 'unused' }])
  const { recordId } = await service.call(repay.addRecord, await form(orderId, paid))
  await settle(recordId)
  expect(await lifeOf(orderId)).toMatchObject({
    order: { status: 50, outstanding: OWED - 10_000 - 7_500 },
    plans: [{ reducedFees: 7_500, paidAmount: 10_000 }],
  })
  expect((await manager.refused(repay.addRecord, await form(orderId, paid))).problem).toMatchObject(
    { id: 'Q-STATE' },
  )
})

test.each<[string, object, object, string]>([
  [
    'below its minimum',
    { minAmount: 20_000 },
    { repaymentType: 'partial', amount: 10_000 },
    'minimum',
  ],
  ['that reduces nothing', { preferentialType: 'serviceFee' }, { amount: OWED }, 'nothing'],
  [
    'before it was granted',
    {},
    { amount: OWED, payTime: `${addDays(today, -1)}T06:30:00.000Z` },
    'notYet',
  ],
  [
    'that raises a limit',
    { type: 'raiseLimit', preferentialType: 'limit' },
    { amount: OWED },
    'otherKind',
  ],
])('a coupon is refused for a payment %s', async (_, given, payment, reason) => {
  const { orderId, grantId } = await overdueWith(given)
  expect(
    (
      await manager.refused(
        repay.addRecord,
        await form(orderId, { ...payment, couponGrantId: grantId }),
      )
    ).problem,
  ).toEqual({ id: 'Q-FIT', params: { reason } })
})

test('unused coupons expire on the day after their last; their budget may be granted again', async () => {
  const { customerId, couponId, grantId } = await overdueWith({ budget: 5_000 })
  await sql`
    update coupon_grant set granted_on = granted_on - 31, valid_until = valid_until - 31
      where id = ${grantId}`.execute(floor.database.kysely)
  expect(await couponExpire.run(floor.context)).toEqual({ expired: 1 })
  expect(await couponExpire.run(floor.context)).toEqual({ expired: 0 })
  expect(await grantsOf(customerId)).toMatchObject([{ state: 'expired' }])
  expect((await grant(couponId, customerId)).ok).toEqual([customerId])
  const reason = 'Granted by mistake'
  expect(
    (await manager.call(api.revokeGrants, { grantIds: [grantId], reason })).failed,
  ).toMatchObject([{ problem: 'Q-STATE' }])
})

test('a coupon raises the limit of an application, and is given back when no loan follows', async () => {
  await makeOrder(floor, { status: 30, amount: 1_000_000 })
  const { rows } = await sql<{ most: number }>`
    select p.max_amount as most from product p where p.id = 'PR1'`.execute(floor.database.kysely)
  const most = rows[0]?.most ?? 0
  const first = await app.call(inboundApplication, makeApplication(1))
  const cancel = async (orderId: string) =>
    manager.call(cancelOrder, {
      orderId,
      version: (await lifeOf(orderId)).order.version,
      reason: 'The customer withdrew it',
    })
  await cancel(first.orderId)
  const couponId = await add({
    type: 'raiseLimit',
    preferentialType: 'limit',
    discountAmount: 50_000,
  })
  await grant(couponId, first.userId)
  const grantId = (await grantsOf(first.userId))[0]?.grantId ?? ''
  const apply = { amount: most + 50_000, couponGrantId: grantId }
  const { orderId } = await app.call(inboundApplication, makeApplication(1, apply))
  expect(await grantsOf(first.userId)).toMatchObject([{ state: 'used', orderId, amount: 50_000 }])
  await cancel(orderId)
  expect(await grantsOf(first.userId)).toMatchObject([{ state: 'unused', orderId: null }])
  expect(
    (await app.refused(inboundApplication, makeApplication(1, { ...apply, amount: most + 50_001 })))
      .problem,
  ).toMatchObject({ id: 'O-RULE', params: { reason: 'amountOutsideProduct' } })
})
