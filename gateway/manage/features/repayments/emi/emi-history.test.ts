/** What the second implementation of EMI loans found: each case once, on a clock of its own. */
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import * as approvals from '#shared/approvals/approvals-api.ts'
import { addDays, istDay } from '#shared/kernel/time.ts'
import { orderDetail } from '#shared/orders/order-detail-api.ts'
import { saveEmiConfig } from '#shared/products/emi-api.ts'
import { editPenalty, listProducts, setProductStatus } from '#shared/products/products-api.ts'
import { exitCoolingOff } from '#shared/repayments/cooling-off-api.ts'
import { inboundPayment } from '#shared/repayments/inbound-payment-api.ts'
import * as reduce from '#shared/repayments/reductions-api.ts'
import * as api from '#shared/repayments/repayments-api.ts'
import { cureOrder } from '#shared/repayments/settlements-api.ts'
import { launchWriteOff } from '#shared/repayments/write-offs-api.ts'
import { brokenInvariants } from '#gateway/manage/db/check-invariants.ts'
import { openDayCases } from '#gateway/manage/features/collection/public.ts'
import { makeOrder, makeProduct } from '#tests/factories/orders.ts'
import { type TestClock, testClock } from '#tests/support/clock.ts'
import { type Machine, machineOf } from '#tests/support/machine.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { openDays } from '../open-day.ts'

const BOUNCE = 25_000
const BAD_DEBT_DAYS = 10

let floor: Floor
let clock: TestClock
let manager: Person
let manager2: Person
let director: Person
let channel: Machine
let productId: string
let today: string
let sent = 0
beforeAll(async () => {
  floor = await testManage()
  clock = await testClock(floor.database)
  await sql`
    update sys_config set value = ${String(BAD_DEBT_DAYS)}
      where code = 'order.badDebtDays'`.execute(floor.database.kysely)
  // sessions outlast the months that pass
  await sql`
    update sys_config set value = '50000000' where code in ('session.idleMinutes',
      'session.idleMinutesAdmin', 'session.absoluteHours', 'session.renewMinutes')`.execute(
    floor.database.kysely,
  )
  // columns with defaults keep the real clock, which must not be ahead
  today = addDays(istDay(new Date()), 1)
  await clock.to('10:00', today)
  await makeProduct(floor)
  const admin = await floor.signIn('administrator')
  manager = await floor.signIn('manager')
  manager2 = await floor.signIn('manager2')
  director = await floor.signIn('director')
  channel = await machineOf(floor, ['payment'])
  await admin.call(saveEmiConfig, {
    appId: 'A1',
    version: 0,
    value: {
      minAmount: 500_000,
      maxAmount: 5_000_000,
      instalments: [3],
      annualRate: 2_400,
      processingFee: 200,
      dueDay: Number(today.slice(8)) > 28 ? 1 : Number(today.slice(8)),
      graceDays: 0,
      bounceCharge: BOUNCE,
      prepayment: 'fewerInstalments',
      coolingOffDays: 3,
    },
  })
  const { rows } = await manager.call(listProducts, { pageSize: 200 })
  const product = rows.find(({ kind }) => kind === 'emi')
  productId = product?.productId ?? ''
  const { version } = await manager.call(setProductStatus, {
    productId,
    version: product?.version ?? 0,
    status: 'enabled',
  })
  await manager.call(editPenalty, {
    productId,
    version,
    penalty: [{ dayFrom: 1, dayTo: null, rate: 10, capRatio: null }],
  })
  await openDays(floor.context, today, [openDayCases])
})
afterAll(() => floor.close())
afterEach(async () => {
  await floor.settle()
  expect(await brokenInvariants(floor.database)).toEqual([])
})

const detail = (orderId: string) => manager.call(orderDetail, { orderId })
async function loan(): Promise<string> {
  const product = { id: productId }
  return (await makeOrder(floor, { status: 30, product, amount: 900_000 })).orderId
}
async function dayComes(day: string): Promise<void> {
  today = day
  await clock.to('12:00', today)
  await openDays(floor.context, today, [openDayCases])
}
async function report(orderId: string, amount: number, more: object = {}): Promise<string> {
  sent += 1
  const { recordId } = await channel.call(inboundPayment, {
    vendorOrderNo: `V${sent}`,
    orderId,
    amount,
    utr: String(500_000_000_000 + sent),
    channel: 2,
    result: 'success',
    ...more,
  })
  return recordId
}
async function reverse(recordId: string): Promise<void> {
  const { record } = await manager.call(api.recordDetail, { recordId })
  const form = { recordId, version: record.version, cause: 'bounced' as const }
  const asked = await manager.call(api.reverseRecord, { ...form, reason: 'The bank took it back' })
  await director.call(approvals.decideApproval, {
    approvalId: asked.approvalId,
    version: 1,
    result: 'approved',
  })
}

test('a returned debit costs the bounce charge once, and the money that comes after all takes it back', async () => {
  const orderId = await loan()
  const before = await detail(orderId)
  const debit = { vendorOrderNo: 'MANDATE', utr: undefined, result: 'fail', bounced: true }
  for (let n = 0; n < 2; n += 1) await report(orderId, 300_000, debit)
  const bounced = await detail(orderId)
  expect(bounced.order.outstanding).toBe(before.order.outstanding + BOUNCE)
  expect(bounced.plans.map((plan) => plan.bounceCharge)).toEqual([BOUNCE, 0, 0])
  expect(
    bounced.ledger
      .filter(({ kind }) => kind === 'bounceCharge')
      .map(({ account, debit: paise, credit }) => [account, paise - credit]),
  ).toEqual([
    ['serviceReceivable', BOUNCE],
    ['serviceIncome', -BOUNCE],
  ])
  const { rows } = await manager.call(api.listRecords, { orderId })
  expect(rows).toMatchObject([{ payState: 'fail', bounceCharge: BOUNCE }])
  // the charge is paid before the principal, and stays with what is due next when the plan changes
  await report(orderId, 400_000, { ahead: 'lowerInstalments' })
  const changed = (await detail(orderId)).plans
  expect(changed.find((plan) => plan.bounceCharge > 0)).toMatchObject({ paidAmount: 0 })
  const quote = await manager.call(api.quotePayment, { orderId, type: 'full' })
  expect(quote).toMatchObject({ amountDue: 500_000 + BOUNCE, components: { serviceFee: BOUNCE } })
  await report(orderId, 300_000, { vendorOrderNo: 'MANDATE' })
  const arrived = await detail(orderId)
  expect(arrived.plans.every((plan) => plan.bounceCharge === 0)).toBe(true)
  expect((await manager.call(api.listRecords, { orderId })).rows).toMatchObject([
    { bounceCharge: 0 },
    { bounceCharge: 0 },
  ])
})

test('a failure that is no bounce, and one of a loan that ended, cost nothing', async () => {
  const orderId = await loan()
  const { order } = await detail(orderId)
  await report(orderId, 300_000, { result: 'fail', utr: undefined })
  expect((await detail(orderId)).order.outstanding).toBe(order.outstanding)
  await report(orderId, 900_000)
  await report(orderId, 300_000, { result: 'fail', utr: undefined, bounced: true })
  expect((await detail(orderId)).order).toMatchObject({ status: 40, outstanding: 0 })
})

test('an earlier day is quoted without the interest of the months to come', async () => {
  const orderId = await loan()
  const paidOn = today
  await dayComes(addDays(today, 2))
  await report(orderId, 100_000)
  const quote = await manager.call(api.quotePayment, {
    orderId,
    type: 'full',
    payTime: `${paidOn}T23:00:00+05:30`,
  })
  expect(quote).toMatchObject({ amountDue: 900_000, components: { interest: 0 } })
})

test('an earlier day is quoted the same after money was paid ahead on a later one', async () => {
  const orderId = await loan()
  await dayComes(addDays(today, 12))
  const asked = { orderId, type: 'full', payTime: `${today}T11:00:00+05:30` } as const
  const { amountDue, components } = await manager.call(api.quotePayment, asked)
  expect(components.interest).toBeGreaterThan(0)
  await dayComes(addDays(today, 7))
  await report(orderId, 400_000, { ahead: 'lowerInstalments' })
  expect(await manager.call(api.quotePayment, asked)).toMatchObject({ amountDue, components })
})

test('rows of a plan say what they are, and what is no longer needed is not overdue', async () => {
  const orderId = await loan()
  await report(orderId, 100_000, { ahead: 'fewerInstalments' })
  const { plans } = await detail(orderId)
  expect(plans.map(({ kind }) => kind).toSorted()).toEqual([
    'instalment',
    'instalment',
    'instalment',
    'prepayment',
  ])
  await report(orderId, 800_000)
  const last = (await detail(orderId)).plans[2]?.dueTime ?? ''
  await dayComes(addDays(last, 3))
  // told late, so that the repaid loan is folded again
  await report(orderId, 10_000, { payTime: `${addDays(today, -1)}T11:00:00+05:30` })
  expect((await detail(orderId)).order).toMatchObject({ status: 40, overdueDays: 0 })
})

test('a loan is called in once: neither late money nor a bounced payment moves the day', async () => {
  const orderId = await loan()
  const due = (await detail(orderId)).plans[0]?.dueTime ?? ''
  const called = addDays(due, BAD_DEBT_DAYS)
  await dayComes(called)
  const bad = await detail(orderId)
  expect(bad.order.status).toBe(90)
  expect(bad.plans.find(({ kind }) => kind === 'calledIn')).toMatchObject({ dueTime: called })
  await dayComes(addDays(called, 5))
  const paid = await report(orderId, bad.order.outstanding + 100_000)
  expect((await detail(orderId)).order.status).toBe(40)
  await reverse(paid)
  await dayComes(addDays(called, 6))
  const again = await detail(orderId)
  expect(again.order.status).toBe(90)
  expect(again.plans.find(({ kind }) => kind === 'calledIn')).toMatchObject({ dueTime: called })
  // money of a day before prevents the bad debt: what ended the loan then is no call-in
  const payTime = `${addDays(called, -1)}T11:00:00+05:30`
  const early = await report(orderId, 2_000_000, { payTime })
  const ended = await detail(orderId)
  expect(ended.order.status).toBe(40)
  expect(ended.plans.some(({ kind }) => kind === 'calledIn')).toBe(false)
  await reverse(early)
  expect((await detail(orderId)).plans.every(({ kind }) => kind === 'instalment')).toBe(false)
})

test('late money that prevents the bad debt takes the call-in back, with the fines on it', async () => {
  const orderId = await loan()
  const first = (await detail(orderId)).plans[0]
  const due = first?.dueTime ?? ''
  await dayComes(addDays(due, BAD_DEBT_DAYS + 3))
  const called = (await detail(orderId)).plans.find(({ kind }) => kind === 'calledIn')
  expect(called?.overdueFine).toBeGreaterThan(0)
  await report(orderId, first?.amountDue ?? 0, { payTime: `${due}T11:00:00+05:30` })
  const { order, plans } = await detail(orderId)
  expect(order).toMatchObject({ status: 30, overdueDays: 0 })
  expect(order.outstanding).toBe(plans.reduce((sum, plan) => sum + plan.outstanding, 0))
  expect(plans.reduce((sum, plan) => sum + plan.overdueFine, 0)).toBe(0)
})

test.each([
  { daysLate: 0, status: 30 },
  { daysLate: 3, status: 50 },
])(
  'a loan that was a bad debt only by a payment is none without it ($daysLate days late then)',
  async ({ daysLate, status }) => {
    const orderId = await loan()
    const [first, second] = (await detail(orderId)).plans
    const [due, next] = [String(first?.dueTime).slice(0, 10), String(second?.dueTime).slice(0, 10)]
    const paidOut = today
    await dayComes(addDays(due, -2))
    await report(orderId, (first?.principal ?? 0) + (first?.interest ?? 0))
    // money of before, told late, pays ahead: the first instalment is dearer by it, and not whole
    await dayComes(addDays(due, 1))
    const payTime = `${addDays(paidOut, 5)}T06:00:00.000Z`
    const ahead = await report(orderId, 150_000, { payTime, ahead: 'fewerInstalments' })
    await dayComes(daysLate === 0 ? addDays(due, BAD_DEBT_DAYS) : addDays(next, daysLate))
    expect((await detail(orderId)).order.status).toBe(90)
    await reverse(ahead)
    expect((await detail(orderId)).order).toMatchObject({ status, overdueDays: daysLate })
    const { rows } = await sql<{ doubtful: number }>`
      select coalesce(sum(e.debit - e.credit), 0)::int as doubtful from ledger_entry e
      where e.order_id = ${orderId} and e.account = 'doubtfulPrincipal'`.execute(
      floor.database.kysely,
    )
    expect(rows).toEqual([{ doubtful: 0 }])
  },
)

test('a settlement plan that fails charges its days, also when nothing is left to call in', async () => {
  const orderId = await loan()
  const { plans } = await detail(orderId)
  for (const { dueTime, amountDue } of plans.slice(0, 2)) {
    await dayComes(dueTime)
    await report(orderId, amountDue)
  }
  const { dueTime = '', amountDue = 0, principal = 0 } = plans[2] ?? {}
  await dayComes(addDays(dueTime, BAD_DEBT_DAYS))
  const bad = await detail(orderId)
  expect(bad.order.status).toBe(90)
  const { approvalId } = await manager.call(cureOrder, {
    orderId,
    version: bad.order.version,
    plan: [{ dueTime: addDays(today, 2), amount: bad.order.outstanding }],
    reason: 'Pays within two days',
  })
  await director.call(approvals.decideApproval, { approvalId, version: 1, result: 'approved' })
  await dayComes(addDays(today, 2))
  expect((await detail(orderId)).order).toMatchObject({
    status: 50,
    outstanding: bad.order.outstanding,
  })
  await dayComes(addDays(today, 1))
  const fine = (BAD_DEBT_DAYS + 3) * Math.floor((principal * 10 + 5_000) / 10_000)
  const failed = await detail(orderId)
  expect(failed.order).toMatchObject({ status: 90, outstanding: amountDue + fine })
  expect(failed.plans[2]).toMatchObject({ overdueFine: fine, outstanding: amountDue + fine })
})

test('the day of a call-in is kept while late money leaves nothing to call in', async () => {
  const orderId = await loan()
  // longer than a month: the second instalment is due before the loan is called in
  await sql`
    update loan_order set product_snapshot = jsonb_set(product_snapshot, '{emi,badDebtDays}', '40')
      where id = ${orderId}`.execute(floor.database.kysely)
  const { plans } = await detail(orderId)
  const [first, second] = plans
  const called = addDays(first?.dueTime ?? '', 40)
  await dayComes(called)
  const row = async () => (await detail(orderId)).plans.find(({ kind }) => kind === 'calledIn')
  expect(await row()).toMatchObject({ dueTime: called })
  await dayComes(addDays(second?.dueTime ?? '', 41))
  // enough for the first, and ahead so that the plan ends with the second
  const amount = (first?.amountDue ?? 0) + 450_000
  const payTime = `${addDays(first?.dueTime ?? '', 3)}T11:00:00+05:30`
  const late = await report(orderId, amount, { payTime, ahead: 'fewerInstalments' })
  expect((await detail(orderId)).order.status).toBe(90)
  expect(await row()).toMatchObject({ paymentStatus: 'dropped' })
  await reverse(late)
  expect(await row()).toMatchObject({ dueTime: called, paymentStatus: 'overdue' })
})

test('a reduction takes the interest up to today, and settles with all that is not due', async () => {
  const orderId = await loan()
  const due = (await detail(orderId)).plans[0]?.dueTime ?? ''
  await dayComes(addDays(due, 5))
  const limit = await manager.call(reduce.reductionLimit, { orderId })
  const quote = await manager.call(api.quotePayment, { orderId, type: 'full' })
  expect(limit).toMatchObject({
    due: quote.amountDue,
    open: { interest: quote.components.interest },
  })
  const { overdueFine, interest } = limit.open
  const { reduceId } = await manager.call(reduce.launchReduction, {
    orderId,
    planId: limit.planId ?? '',
    version: limit.version,
    reduceItems: { overdueFine, serviceFee: 0, interest: Math.floor(interest / 4) },
    validUntil: today,
    reason: 'Pays all of it today',
  })
  await director.call(reduce.decideReductions, { reduceIds: [reduceId], result: 'approved' })
  const reduced = overdueFine + Math.floor(interest / 4)
  await report(orderId, limit.due - reduced)
  const { order, plans } = await detail(orderId)
  expect(order).toMatchObject({ status: 41, outstanding: 0 })
  expect(plans.reduce((sum, plan) => sum + plan.reducedFees, 0)).toBe(reduced)
})

test('an exit in the cooling-off and a write-off close every row of the plan', async () => {
  const exited = await loan()
  const form = {
    orderId: exited,
    version: (await detail(exited)).order.version,
    amount: 900_000,
    utr: '590000000001',
    upi: '-',
    channel: 2 as const,
    bankCode: 'HDFC',
    payTime: `${today}T12:30:00+05:30`,
  }
  await clock.to('13:00', today)
  const { recordId } = await manager.call(exitCoolingOff, form)
  await manager2.call(api.confirmRecord, { recordId, version: 1, result: 'success' })
  expect((await detail(exited)).order).toMatchObject({ status: 40, outstanding: 0 })

  const given = await loan()
  await report(given, 100_000, { ahead: 'lowerInstalments' })
  const { order } = await detail(given)
  await director.call(launchWriteOff, {
    orderId: given,
    version: order.version,
    type: 'operational',
    repaymentDate: today,
    amount: order.outstanding,
    reason: 'Borrower cannot be found',
  })
  const { order: ended, plans } = await detail(given)
  expect(ended).toMatchObject({ status: 100, outstanding: 0 })
  expect(plans.map(({ paymentStatus }) => paymentStatus).toSorted()).toEqual([
    'paid',
    'writtenOff',
    'writtenOff',
    'writtenOff',
  ])
})
