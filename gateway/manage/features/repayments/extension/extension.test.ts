/**
 * An extension from its quote to the following order: booked by one person, confirmed by another,
 * with the ledger of both orders and the end of the case.
 */
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { addDays, istDay } from '#shared/kernel/time.ts'
import { orderDetail, orderTimeline } from '#shared/orders/order-detail-api.ts'
import { ORDERS_MENU } from '#shared/orders/orders-menu.ts'
import * as api from '#shared/repayments/repayments-api.ts'
import { launchReduction } from '#shared/repayments/reductions-api.ts'
import { REPAYMENTS_MENU } from '#shared/repayments/repayments-menu.ts'
import { launchWriteOff, listWriteOffs } from '#shared/repayments/write-offs-api.ts'
import { brokenInvariants } from '#gateway/manage/db/check-invariants.ts'
import { casePaid } from '#gateway/manage/features/collection/public.ts'
import { ordersRoutes } from '#gateway/manage/features/orders/orders-routes.ts'
import { type CaseGiven, makeCase } from '#tests/factories/cases.ts'
import { makeOrder, makeProduct } from '#tests/factories/orders.ts'
import { makeCollector, makeUnit } from '#tests/factories/units.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { repaymentsRoutes } from '../repayments-routes.ts'

let floor: Floor
let service: Person
let manager: Person
let holder: { userId: string; account: string }
let serial = 0
const today = istDay(Date.now())
const now = () => new Date().toISOString()
const TERMS = { enabled: true, days: 30, feeType: 'rate', fee: 400, commission: 60, maxTimes: 2 }

beforeAll(async () => {
  floor = await testManage({
    parts: (context) => ({
      menus: [...ORDERS_MENU, ...REPAYMENTS_MENU],
      routes: (base) => {
        ordersRoutes(base, context, { whenCancelled: [] })
        repaymentsRoutes(base, context, { whenPaid: [casePaid] })
      },
    }),
  })
  await makeProduct(floor, { id: 'PRC', periods: 1, daysPerPeriod: 30 })
  await sql`update product set extend = ${JSON.stringify(TERMS)}::jsonb where id = 'PRC'`.execute(
    floor.database.kysely,
  )
  const unit = await makeUnit(floor, { weight: 100, inHouse: true })
  holder = await makeCollector(floor, unit, {
    account: 'collection_specialist',
    role: 'collection_specialist',
  })
  ;[service, manager] = await Promise.all([
    floor.signIn('customer_service'),
    floor.signIn('manager'),
  ])
})
afterAll(() => floor.close())
afterEach(async () => {
  await floor.settle()
  expect(await brokenInvariants(floor.database)).toEqual([])
})

/**
 * Principal 10,000.00, interest 150.00, twelve days of 10.00: an extension costs 400.00 and 120.00.
 */
const overdue = (given: Partial<CaseGiven> = {}) =>
  makeCase(floor, { overdueDays: 12, collectorId: holder.userId, ...given })
const detailOf = (orderId: string) => manager.call(orderDetail, { orderId })
async function form(orderId: string, amount: number, more: Record<string, unknown> = {}) {
  serial += 1
  return {
    orderId,
    version: (await detailOf(orderId)).order.version,
    repaymentType: 'rollover' as const,
    amount,
    utr: String(700_000_000_000 + serial),
    upi: 'asha.verma@ybl',
    channel: 2,
    bankCode: 'HDFC',
    payTime: now(),
    ...more,
  }
}
const recordOf = async (recordId: string) =>
  (await manager.call(api.recordDetail, { recordId })).record
const confirm = async (recordId: string) =>
  manager.call(api.confirmRecord, {
    recordId,
    version: (await recordOf(recordId)).version,
    result: 'success',
  })
async function extend(orderId: string): Promise<string> {
  const { amountDue } = await service.call(api.quotePayment, { orderId, type: 'rollover' })
  const { recordId } = await service.call(api.addRecord, await form(orderId, amountDue))
  await confirm(recordId)
  return (await detailOf(orderId)).extension?.newOrderId ?? ''
}

test('a confirmed extension ends the old order, and a new one carries the open amounts', async () => {
  const { orderId, caseId } = await overdue({ state: 'promised', ptpAmount: 500_000 })
  const quote = await service.call(api.quotePayment, { orderId, type: 'rollover' })
  expect(quote).toMatchObject({
    amountDue: 52_000,
    components: { principal: 0, overdueFine: 12_000 },
    rollover: {
      fee: 40_000,
      commission: 6_000,
      overdueFine: 12_000,
      carried: 1_015_000,
      days: 30,
      newDueTime: addDays(today, 30),
      serialNo: 1,
      maxTimes: 2,
    },
  })
  for (const amount of [51_999, 52_001])
    expect(await service.refused(api.addRecord, await form(orderId, amount))).toMatchObject({
      code: 400,
      problem: { id: 'M-AMT', params: { rule: 'equal', amount: 52_000 } },
    })
  expect(
    await service.call(api.previewPayment, {
      orderId,
      repaymentType: 'rollover',
      amount: 52_000,
      payTime: now(),
    }),
  ).toMatchObject({
    due: 52_000,
    status: { before: 50, after: 80 },
    outstanding: { after: 0 },
    successor: { amount: 1_000_000, outstanding: 1_015_000, dueTime: addDays(today, 30) },
    case: { stage: { after: null }, promise: { after: 'cancelled' } },
    plans: [
      {
        paymentStatus: { after: 'rolledOver' },
        cleared: { principal: 0, interest: 0, overdueFine: 12_000 },
      },
    ],
  })
  const booked = await form(orderId, 52_000)
  const { recordId } = await service.call(api.addRecord, booked, {
    'idempotency-key': 'book-once-0001',
  })
  expect(
    await service.call(api.addRecord, booked, { 'idempotency-key': 'book-once-0001' }),
  ).toEqual({ recordId })
  expect((await detailOf(orderId)).order.status).toBe(43)
  const before = (await floor.events()).at(-1)?.seq ?? 0
  expect(await confirm(recordId)).toMatchObject({ payState: 'success', repaymentType: 'rollover' })

  const old = await detailOf(orderId)
  const newOrderId = old.extension?.newOrderId as string
  expect(old).toMatchObject({
    order: { status: 80, closeType: 'extensionClosed', outstanding: 0 },
    extension: { fee: 40_000, commission: 6_000, days: 30 },
    fromOrderId: null,
    extensionNo: null,
    plans: [{ paymentStatus: 'rolledOver', paidAmount: 12_000, outstanding: 0 }],
  })
  const next = await detailOf(newOrderId)
  expect(next).toMatchObject({
    order: {
      status: 30,
      tags: ['extension'],
      amount: 1_000_000,
      arrivalAmount: 1_000_000,
      serviceCharge: 0,
      interest: 15_000,
      outstanding: 1_015_000,
      tenureDays: 30,
      term: 1,
      dueTime: addDays(today, 30),
      userId: old.order.userId,
      coolingOffUntil: null,
      overdueDays: 0,
      rbiClass: 'standard',
    },
    fromOrderId: orderId,
    extensionNo: 1,
    extension: null,
    plans: [
      {
        principal: 1_000_000,
        interest: 15_000,
        overdueFine: 0,
        outstanding: 1_015_000,
        paymentStatus: 'unpaid',
      },
    ],
    terms: { serviceRate: 0, dailyRate: 0, periods: 1, daysPerPeriod: 30 },
  })
  expect(
    (await manager.call(orderTimeline, { orderId: newOrderId })).map(
      ({ from, to, cause, note }) => [from, to, cause, note],
    ),
  ).toEqual([[null, 30, 'extension', orderId]])
  expect(
    old.ledger
      .filter(({ kind }) => kind === 'rollover')
      .map(({ account, debit, credit }) => [account, debit - credit]),
  ).toEqual([
    ['cashClearing', 52_000],
    ['extensionFeeIncome', -34_000],
    ['commissionPayable', -6_000],
    ['fineReceivable', -12_000],
    ['principalReceivable', -1_000_000],
    ['interestReceivable', -15_000],
  ])
  expect(next.ledger.map(({ account, debit }) => [account, debit])).toEqual([
    ['principalReceivable', 1_000_000],
    ['interestReceivable', 15_000],
  ])
  const events = await floor.events(before)
  expect(
    events.filter(({ type }) => type === 'order.created').map(({ data, rooms }) => [data, rooms]),
  ).toEqual([
    [
      {
        orderId: newOrderId,
        userId: old.order.userId,
        status: 30,
        tags: ['extension'],
        amount: 1_000_000,
      },
      ['scope:all'],
    ],
  ])
  expect(events.map(({ type }) => type)).toEqual(
    expect.arrayContaining([
      'repayment.changed',
      'plan.changed',
      'order.status.changed',
      'case.ended',
      'case.ptp.changed',
    ]),
  )
  const { rows } = await sql`
      select c.state, c.end_reason, c.ptp_state, b.amount, b.fees, b.extension, b.commission
        from collection_case c join recovery_bill b on b.case_id = c.id where c.id = ${caseId}`.execute(
    floor.database.kysely,
  )
  expect(rows).toEqual([
    {
      state: 'closed',
      end_reason: 'extended',
      ptp_state: 'cancelled',
      amount: 52_000,
      fees: 52_000,
      extension: true,
      commission: 6_000,
    },
  ])
  const { allocations } = await manager.call(api.recordDetail, { recordId })
  expect(allocations).toEqual([
    expect.objectContaining({ kind: 'rollover', principal: 0, interest: 0, overdueFine: 12_000 }),
  ])
})

test('a loan is extended at most twice, and the last order is paid like any other', async () => {
  const { orderId } = await overdue()
  const first = await extend(orderId)
  const second = await extend(first)
  expect(await detailOf(second)).toMatchObject({
    fromOrderId: first,
    extensionNo: 2,
    order: { dueTime: addDays(today, 60) },
  })
  expect(
    await service.refused(api.quotePayment, { orderId: second, type: 'rollover' }),
  ).toMatchObject({ problem: { id: 'O-RULE', params: { reason: 'extensionTimes' } } })
  expect(await service.refused(api.addRecord, await form(second, 40_000))).toMatchObject({
    problem: { id: 'O-RULE' },
  })
  expect(
    await service.refused(api.quotePayment, { orderId: second, type: 'coolingOff' }),
  ).toMatchObject({ problem: { id: 'O-RULE' } })
  const { recordId } = await service.call(api.addRecord, {
    ...(await form(second, 1_015_000)),
    repaymentType: 'full',
  })
  await confirm(recordId)
  expect((await detailOf(second)).order).toMatchObject({ status: 40, closeType: 'repaidClosed' })
})

test('a payment of an earlier day pays the fines of that day, and the fines charged since are reversed', async () => {
  const { orderId } = await overdue()
  const payTime = new Date(`${addDays(today, -2)}T12:00:00+05:30`).toISOString()
  expect(
    await service.call(api.quotePayment, { orderId, type: 'rollover', payTime }),
  ).toMatchObject({ amountDue: 50_000, rollover: { newDueTime: addDays(today, 30) } })
  const { recordId } = await service.call(api.addRecord, await form(orderId, 50_000, { payTime }))
  await confirm(recordId)
  expect((await detailOf(orderId)).plans).toMatchObject([
    { overdueFine: 10_000, paidAmount: 10_000, overdueDays: 10 },
  ])
})

test('an extension needs an offer and one instalment, and no bad debt or reduction', async () => {
  const reason = async (orderId: string) =>
    (await service.refused(api.quotePayment, { orderId, type: 'rollover' })).problem?.params.reason
  expect(await reason((await makeOrder(floor, { status: 30, amount: 1_000_000 })).orderId)).toBe(
    'extensionOff',
  )
  const bad = await overdue({ overdueDays: 95 })
  await sql`
    update loan_order set status = 90, rbi_class = 'npa', resume_status = null where id = ${bad.orderId}`.execute(
    floor.database.kysely,
  )
  expect(await reason(bad.orderId)).toBe('badDebt')
  await sql`update loan_order set status = 50, rbi_class = 'sma2' where id = ${bad.orderId}`.execute(
    floor.database.kysely,
  )
  const { orderId } = await overdue()
  const { order, plans } = await detailOf(orderId)
  await manager.call(launchReduction, {
    orderId,
    planId: plans[0]?.planId ?? '',
    version: order.version,
    reduceItems: { interest: 0, serviceFee: 0, overdueFine: 100 },
    validUntil: today,
    reason: 'Pays the rest at once',
  })
  expect(await reason(orderId)).toBe('reductionOpen')
  expect(await service.refused(api.addRecord, await form(orderId, 52_000))).toMatchObject({
    problem: { id: 'O-RULE', params: { reason: 'reductionOpen' } },
  })
})

test('the payment of an extension that bounces is owed beside the loans, a failed one changes nothing', async () => {
  const { orderId } = await overdue()
  const { recordId } = await service.call(api.addRecord, await form(orderId, 52_000))
  await manager.call(api.confirmRecord, {
    recordId,
    version: (await recordOf(recordId)).version,
    result: 'fail',
    failReason: 'Not on the statement',
  })
  expect((await detailOf(orderId)).order.status).toBe(50)
  const again = (await service.call(api.addRecord, await form(orderId, 52_000))).recordId
  await confirm(again)
  const { plans } = await detailOf(orderId)
  await manager.call(api.reverseRecord, {
    recordId: again,
    version: (await recordOf(again)).version,
    cause: 'bounced',
    reason: 'The bank took it back',
  })
  const after = await detailOf(orderId)
  expect(after.order.status).toBe(80)
  expect(after.plans).toEqual(plans)
})

test('a write-off of the kind extension waits for its payment and ends as an extension', async () => {
  const { orderId } = await overdue()
  const { repaymentType: _type, payTime: _time, ...paid } = await form(orderId, 52_000)
  const { writeOffId, recordId } = await manager.call(launchWriteOff, {
    ...paid,
    type: 'rollover',
    repaymentDate: today,
  })
  expect(
    await manager.refused(api.confirmRecord, {
      recordId: recordId as string,
      version: 1,
      result: 'success',
    }),
  ).toMatchObject({ problem: { id: 'G-SELF' } })
  const other = await floor.signIn('manager2')
  await other.call(api.confirmRecord, {
    recordId: recordId as string,
    version: (await recordOf(recordId as string)).version,
    result: 'success',
  })
  expect((await manager.call(listWriteOffs, { writeOffId })).rows).toMatchObject([
    { type: 'rollover', state: 'done', resultStatus: 80, amount: 52_000 },
  ])
  expect((await detailOf(orderId)).extension).not.toBeNull()
})

test('a quote needs the scope of the order and the right to book', async () => {
  const { orderId } = await overdue()
  const { orderId: foreign } = await overdue({
    collectorId: (
      await makeCollector(floor, await makeUnit(floor, { weight: 0 }), { account: 'collector9' })
    ).userId,
  })
  const collector = await floor.signIn(holder.account)
  expect((await collector.call(api.quotePayment, { orderId, type: 'rollover' })).amountDue).toBe(
    52_000,
  )
  expect(
    await collector.refused(api.quotePayment, { orderId: foreign, type: 'rollover' }),
  ).toMatchObject({ problem: { id: 'G404' } })
  expect(await collector.refused(api.addRecord, await form(orderId, 52_000))).toMatchObject({
    code: 403,
  })
})
