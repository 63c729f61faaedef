/**
 * Loans through their days, told of in and out of the order of value: the books follow from what
 * happened, and the difference is booked.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as approvals from '#shared/approvals/approvals-api.ts'
import { SETUP_MENU } from '#shared/collection/setup-menu.ts'
import { addDays, istDay } from '#shared/kernel/time.ts'
import { orderDetail } from '#shared/orders/order-detail-api.ts'
import { ORDERS_MENU } from '#shared/orders/orders-menu.ts'
import { inboundPayment } from '#shared/repayments/inbound-payment-api.ts'
import type { Penalty } from '#shared/repayments/overdue-fine.ts'
import * as reduce from '#shared/repayments/reductions-api.ts'
import * as api from '#shared/repayments/repayments-api.ts'
import { REPAYMENTS_MENU } from '#shared/repayments/repayments-menu.ts'
import { brokenInvariants } from '#gateway/manage/db/check-invariants.ts'
import { approvalsRoutes } from '#gateway/manage/features/approvals/approvals-routes.ts'
import { casePaid, openDayCases } from '#gateway/manage/features/collection/public.ts'
import { ordersRoutes } from '#gateway/manage/features/orders/orders-routes.ts'
import { makeOrder, type MadeOrder, makeProduct } from '#tests/factories/orders.ts'
import { type TestClock, testClock } from '#tests/support/clock.ts'
import { type Machine, machineOf } from '#tests/support/machine.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { openDay } from '../open-day-job.ts'
import { reduceExpire } from '../reductions/reduce-expire-job.ts'
import { repaymentsRoutes } from '../repayments-routes.ts'
import { reversalApproval } from '../reversal/request-reversal.ts'

/** Days between the instalments; the first is due that long after the disbursement. */
const PERIOD = 3
const ONE_PERCENT: Penalty = [{ dayFrom: 1, dayTo: null, rate: 100, capRatio: null }]
/** The cap of the second range is reached on overdue day 5: 20 + 20 + 20 + 20 + 10 bp. */
const CAPPED: Penalty = [
  { dayFrom: 1, dayTo: 2, rate: 20, capRatio: null },
  { dayFrom: 3, dayTo: 8, rate: 20, capRatio: 90 },
  { dayFrom: 9, dayTo: null, rate: 7, capRatio: 95 },
]

let floor: Floor
let clock: TestClock
let manager: Person
let other: Person
let channel: Machine
/** IST day on which the loans of a test are paid out. */
let begin = istDay(Date.now())
let today = begin
let serial = 0

beforeAll(async () => {
  floor = await testManage({
    parts: (context) => ({
      menus: [...ORDERS_MENU, ...REPAYMENTS_MENU, ...SETUP_MENU],
      routes: (base) => {
        ordersRoutes(base, context, { whenCancelled: [] })
        approvalsRoutes(base, context, { kinds: [reversalApproval([casePaid])] })
        repaymentsRoutes(base, context, { whenPaid: [casePaid] })
      },
    }),
  })
  clock = await testClock(floor.database)
  ;[manager, other, channel] = await Promise.all([
    floor.signIn('manager'),
    floor.signIn('director'),
    machineOf(floor, ['payment']),
  ])
  for (const [id, periods, penalty] of [
    ['PRH', 1, ONE_PERCENT],
    ['PRH2', 2, ONE_PERCENT],
    ['PRC', 1, CAPPED],
  ] as const) {
    await makeProduct(floor, { id, periods, daysPerPeriod: PERIOD, dailyRate: 0, serviceRate: 0 })
    await sql`update product set penalty = ${JSON.stringify(penalty)}::jsonb where id = ${id}`.execute(
      floor.database.kysely,
    )
  }
})
afterAll(() => floor.close())
beforeEach(async () => {
  begin = addDays(today, 1)
  await comes(-PERIOD)
})

/** The n-th overdue day of the first instalment begins: its day is opened, validities end. */
async function comes(overdueDay: number): Promise<void> {
  for (const last = addDays(begin, PERIOD + overdueDay); today < last;) {
    today = addDays(today, 1)
    await clock.to('11:00', today)
    await openDay([openDayCases]).run(floor.context)
    await reduceExpire([casePaid]).run(floor.context)
  }
  await floor.settle()
  expect(await brokenInvariants(floor.database)).toEqual([])
}

const loan = (amount: number, id = 'PRH') =>
  makeOrder(floor, { status: 30, amount, product: { id } })

/** 09:00 of the overdue day. */
async function pay({ orderId }: MadeOrder, amount: number, overdueDay: number): Promise<string> {
  serial += 1
  const { recordId } = await channel.call(inboundPayment, {
    vendorOrderNo: `V-H${serial}`,
    orderId,
    amount,
    channel: 1,
    result: 'success',
    utr: String(420_000_000_000 + serial),
    payTime: `${addDays(begin, PERIOD + overdueDay)}T09:00:00+05:30`,
  })
  return recordId
}

async function reverse(recordId: string): Promise<void> {
  const { record } = await manager.call(api.recordDetail, { recordId })
  const { approvalId } = await manager.call(api.reverseRecord, {
    recordId,
    version: record.version,
    cause: 'bounced',
    reason: 'The bank took it back',
  })
  await other.call(approvals.decideApproval, { approvalId, version: 1, result: 'approved' })
}

async function reduceFor({ orderId }: MadeOrder, overdueFine: number, days: number) {
  const { order, plans } = await manager.call(orderDetail, { orderId })
  const { reduceId } = await manager.call(reduce.launchReduction, {
    orderId,
    planId: plans[0]?.planId ?? '',
    version: order.version,
    reduceItems: { overdueFine, serviceFee: 0, interest: 0 },
    validUntil: addDays(today, days),
    reason: 'Pays the rest at once',
  })
  await other.call(reduce.decideReductions, { reduceIds: [reduceId], result: 'approved' })
  return reduceId
}

async function stateOf({ orderId }: MadeOrder) {
  const { order, plans, ledger } = await manager.call(orderDetail, { orderId })
  const corrected = ledger
    .filter(({ kind, account }) => kind === 'fineCorrection' && account === 'fineReceivable')
    .reduce((sum, { debit, credit }) => sum + debit - credit, 0)
  return {
    status: order.status,
    owed: order.outstanding,
    plans: plans.map(({ paymentStatus, overdueFine, paidAmount, outstanding }) => [
      paymentStatus,
      overdueFine,
      paidAmount,
      outstanding,
    ]),
    corrected,
  }
}

test('a payment reported late counts on its day, and the borrower owes the same as if it were in time', async () => {
  const [inTime, late] = [await loan(1_000_000), await loan(1_000_000)]
  await comes(5)
  await pay(inTime, 500_000, 5)
  await comes(10)
  await pay(late, 200_000, 10)
  await pay(inTime, 200_000, 10)
  await comes(11)
  // 5 × 100.00 and 4,500.00 on day 5; 5 × 55.00 and 1,725.00 on day 10; 37.75 on day 11
  expect(await stateOf(inTime)).toMatchObject({ owed: 381_275, corrected: 0 })
  const preview = await manager.call(api.previewPayment, {
    orderId: late.orderId,
    repaymentType: 'partial',
    amount: 500_000,
    payTime: `${addDays(begin, PERIOD + 5)}T09:00:00+05:30`,
  })
  const before = await stateOf(late)
  await pay(late, 500_000, 5)
  const after = await stateOf(late)
  expect({ ...after, corrected: 0 }).toEqual(await stateOf(inTime))
  // the preview showed what was booked then
  expect([before.owed, after.owed]).toEqual([preview.outstanding.before, preview.outstanding.after])
  expect(preview.plans.map(({ overdueFine, cleared }) => [overdueFine.after, cleared])).toEqual([
    [81_275, { principal: 450_000, interest: 0, serviceFee: 0, overdueFine: 50_000 }],
  ])
  // the 2,000.00 had cleared 1,000.00 of fine and 1,000.00 of principal
  expect(preview.recounted).toMatchObject([
    { serialNo: 1, change: { overdueFine: -72_500, principal: 72_500 }, credit: 0 },
  ])
})

test('the days between a payment and its reversal are fined on the whole principal', async () => {
  const made = await loan(150_000)
  await comes(0)
  const recordId = await pay(made, 75_000, 0)
  await comes(12)
  expect((await stateOf(made)).plans).toEqual([['overdue', 9_000, 75_000, 84_000]])
  await reverse(recordId)
  // 15.00 a day
  expect(await stateOf(made)).toEqual({
    status: 50,
    owed: 168_000,
    plans: [['overdue', 18_000, 0, 168_000]],
    corrected: 9_000,
  })
})

test('after a reversal later payments clear what the payment had cleared', async () => {
  const made = await loan(200_000, 'PRH2')
  await comes(-2)
  const first = await pay(made, 100_000, -2)
  await comes(-1)
  await pay(made, 100_000, -1)
  expect((await stateOf(made)).status).toBe(40)
  await comes(2)
  await reverse(first)
  expect(await stateOf(made)).toMatchObject({
    status: 30,
    plans: [
      ['paid', 0, 100_000, 0],
      ['unpaid', 0, 0, 100_000],
    ],
  })
})

test('days without fines are charged on the principal of each day when the reduction lapses', async () => {
  const made = await loan(1_000_000)
  await comes(1)
  await reduceFor(made, 1_000, 5)
  await comes(3)
  // 90.00 of fine, the rest of it is to be waived, and 6,000.00 of principal
  await pay(made, 609_000, 3)
  await comes(6)
  expect((await stateOf(made)).plans).toEqual([['overdue', 10_000, 609_000, 401_000]])
  await comes(7)
  // 2 × 100.00 and 3 × 40.00 stood still; 40.00 of day 7
  expect((await stateOf(made)).plans).toEqual([
    ['overdue', 10_000 + 32_000 + 4_000, 609_000, 437_000],
  ])
})

test('capped fines do not drift by a paisa, and a day without a charge counts as charged', async () => {
  const made = [await loan(333_337, 'PRC'), await loan(333_337, 'PRC'), await loan(333_337, 'PRC')]
  const [inTime, late, reversed] = made as [MadeOrder, MadeOrder, MadeOrder]
  await comes(2)
  await pay(inTime, 10_001, 2)
  await comes(4)
  await pay(inTime, 20_003, 4)
  const bounced = await pay(reversed, 150_000, 4)
  await comes(6)
  // nothing is charged any more: the cap is reached
  await pay(late, 20_003, 4)
  await pay(late, 10_001, 2)
  await reverse(bounced)
  await pay(reversed, 20_003, 4)
  await pay(reversed, 10_001, 2)
  const { plans } = await stateOf(inTime)
  for (const one of [late, reversed]) expect((await stateOf(one)).plans).toEqual(plans)
  expect(await brokenInvariants(floor.database)).toEqual([])
  // a reduction that ends beyond the cap charges nothing, and its days count as charged
  const reduceId = await reduceFor(late, 100, 3)
  await comes(8)
  const { version } = (await manager.call(reduce.listReductions, { reduceId })).rows[0] as {
    version: number
  }
  await other.call(reduce.revokeReduction, { reduceId, version, reason: 'Not kept' })
  expect((await stateOf(late)).plans).toEqual(plans)
  expect(await brokenInvariants(floor.database)).toEqual([])
  await comes(10)
})

test('a payment in full of an earlier day is what was owed then, whatever came since', async () => {
  const { orderId } = await loan(1_000_000)
  await comes(5)
  await pay({ orderId } as MadeOrder, 200_000, 4)
  // two days of one per cent; what was paid on the fourth is the customer's then
  const payTime = `${addDays(begin, PERIOD + 2)}T09:00:00+05:30`
  const quote = await manager.call(api.quotePayment, { orderId, type: 'full', payTime })
  expect(quote).toMatchObject({ amountDue: 1_020_000, reduction: 0 })
  serial += 1
  const { recordId } = await manager.call(api.addRecord, {
    orderId,
    version: quote.version,
    repaymentType: 'full',
    amount: quote.amountDue,
    utr: String(420_000_000_000 + serial),
    upi: '-',
    channel: 2,
    bankCode: 'HDFC',
    payTime,
  })
  const second = await floor.signIn('manager2')
  await second.call(api.confirmRecord, { recordId, version: 1, result: 'success' })
  const { order, ledger } = await manager.call(orderDetail, { orderId })
  expect(order).toMatchObject({ status: 40, outstanding: 0 })
  const credit = ledger
    .filter(({ account }) => account === 'customerCredit')
    .reduce((sum, entry) => sum + entry.credit - entry.debit, 0)
  expect(credit).toBe(200_000)
  await floor.settle()
  expect(await brokenInvariants(floor.database)).toEqual([])
})

test('a reduction that has expired since settles the loan with money of its days', async () => {
  const made = await loan(1_000_000)
  const { orderId } = made
  await comes(3)
  const reduceId = await reduceFor(made, 20_000, 1)
  await comes(6)
  const found = async () => (await manager.call(reduce.listReductions, { reduceId })).rows[0]
  expect(await found()).toMatchObject({ state: 'lapsed', cause: 'expired' })
  // three days of one per cent, and the days of the reduction stand still
  const full = { orderId, type: 'full' as const }
  const day = (n: number) => `${addDays(begin, PERIOD + n)}T12:00:00+05:30`
  expect(await manager.call(api.quotePayment, { ...full, payTime: day(4) })).toMatchObject({
    amountDue: 1_010_000,
    reduction: 20_000,
  })
  expect(await manager.call(api.quotePayment, { ...full, payTime: day(5) })).toMatchObject({
    amountDue: 1_050_000,
    reduction: 0,
  })
  await pay(made, 1_010_000, 4)
  expect(await stateOf(made)).toMatchObject({ status: 41, owed: 0 })
  expect(await found()).toMatchObject({ state: 'used' })
  expect(await brokenInvariants(floor.database)).toEqual([])
})

test('a payment keeps what a reduction of its time set aside when another reduction is undone', async () => {
  const made = await loan(1_000_000)
  await comes(3)
  await reduceFor(made, 20_000, 1)
  await pay(made, 500_000, 3)
  await comes(6)
  // 100.00 of the fine and 4,900.00 are paid; 51.00 for each day since, for the first one lapsed
  const { corrected: _, ...before } = await stateOf(made)
  expect(before).toMatchObject({ status: 50, owed: 510_000 + 20_000 + 3 * 5_100 })
  const reduceId = await reduceFor(made, 25_000, 0)
  const early = await pay(made, 1_000_000, 2)
  expect(await stateOf(made)).toMatchObject({ status: 41, owed: 0 })
  await reverse(early)
  expect(await stateOf(made)).toMatchObject(before)
  expect((await manager.call(reduce.listReductions, { reduceId })).rows[0]).toMatchObject({
    cause: 'reversed',
  })
  expect(await brokenInvariants(floor.database)).toEqual([])
})

test('a payment that counts for nothing any more takes its recovery bill along when it bounces', async () => {
  const made = await loan(1_000_000)
  await comes(5)
  const paid = await pay(made, 1_050_000, 5)
  expect(await stateOf(made)).toMatchObject({ status: 40 })
  // told late: the loan was repaid three days before, and the other money is the customer's
  await pay(made, 1_020_000, 2)
  await reverse(paid)
  expect(await stateOf(made)).toMatchObject({ status: 40, owed: 0 })
  const { rows } = await sql<{ left: number }>`
    select sum(b.amount)::bigint as left from recovery_bill b where b.record_id = ${paid}`.execute(
    floor.database.kysely,
  )
  expect(rows).toEqual([{ left: 0 }])
  expect(await brokenInvariants(floor.database)).toEqual([])
})
