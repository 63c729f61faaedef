/**
 * A bad debt under a settlement plan: requested, approved by another person, kept to its end,
 * missed, paid late, reversed, written off.
 */
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { approvalDetail } from '#shared/approvals/approval-detail-api.ts'
import * as approvals from '#shared/approvals/approvals-api.ts'
import { SETUP_MENU } from '#shared/collection/setup-menu.ts'
import { addDays, istDay } from '#shared/kernel/time.ts'
import { orderDetail, orderTimeline } from '#shared/orders/order-detail-api.ts'
import { ORDERS_MENU } from '#shared/orders/orders-menu.ts'
import { inboundPayment } from '#shared/repayments/inbound-payment-api.ts'
import { launchReduction } from '#shared/repayments/reductions-api.ts'
import { quotePayment, reverseRecord } from '#shared/repayments/repayments-api.ts'
import { REPAYMENTS_MENU } from '#shared/repayments/repayments-menu.ts'
import { cureOrder } from '#shared/repayments/settlements-api.ts'
import { launchWriteOff, writeOffQuote } from '#shared/repayments/write-offs-api.ts'
import { brokenInvariants } from '#gateway/manage/db/check-invariants.ts'
import { approvalsRoutes } from '#gateway/manage/features/approvals/approvals-routes.ts'
import { casePaid, openDayCases } from '#gateway/manage/features/collection/public.ts'
import { ordersRoutes } from '#gateway/manage/features/orders/orders-routes.ts'
import { makeOrder, type MadeOrder } from '#tests/factories/orders.ts'
import { type TestClock, testClock } from '#tests/support/clock.ts'
import { type Machine, machineOf } from '#tests/support/machine.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { openDay } from '../open-day-job.ts'
import { repaymentsRoutes } from '../repayments-routes.ts'
import { reversalApproval } from '../reversal/request-reversal.ts'
import { cureApproval } from './cure-loan.ts'

/**
 * 10,000.00 and 150.00 interest, due on day 30; 10.00 of fine a day; a bad debt from the sixth
 * overdue day on, to keep the tests short.
 */
const DUE = 30
const BAD = DUE + 6
const FINE = 1_000
const OWED = 1_015_000 + 6 * FINE

let floor: Floor
let clock: TestClock
let manager: Person
let director: Person
let channel: Machine
let start: string
let serial = 0

// ledger rows cannot be deleted and days are opened once, so each test begins with a database of
// its own
beforeEach(async () => {
  floor = await testManage({
    parts: (context) => ({
      menus: [...ORDERS_MENU, ...REPAYMENTS_MENU, ...SETUP_MENU],
      schedules: [openDay([openDayCases])],
      routes: (base) => {
        ordersRoutes(base, context, { whenCancelled: [] })
        approvalsRoutes(base, context, {
          kinds: [cureApproval([openDayCases]), reversalApproval([casePaid])],
        })
        repaymentsRoutes(base, context, { whenPaid: [casePaid] })
      },
    }),
  })
  await sql`update sys_config set value = '6' where code = 'order.badDebtDays'`.execute(
    floor.database.kysely,
  )
  clock = await testClock(floor.database)
  start = istDay(Date.now())
  await clock.to('11:00', start)
  channel = await machineOf(floor, ['payment'])
})
afterEach(async () => {
  expect(await brokenInvariants(floor.database)).toEqual([])
  await floor.close()
})

const day = (n: number) => addDays(start, n)
/**
 * Opens the n-th day and sets the clock to eleven in the morning. Staff log in again, because a
 * session does not last for days.
 */
async function dayComes(n: number): Promise<void> {
  await clock.to('00:05', day(n))
  await openDay([openDayCases]).run(floor.context)
  await floor.settle()
  await clock.to('11:00', day(n))
  ;[manager, director] = await Promise.all([floor.signIn('manager'), floor.signIn('director')])
}
/** @param given of three instalments unless its product says otherwise */
async function badDebt(
  given: Parameters<typeof makeOrder>[1] = {
    status: 30,
    amount: 1_000_000,
    product: { id: 'PRC', periods: 1, daysPerPeriod: 30 },
  },
): Promise<MadeOrder> {
  const order = await makeOrder(floor, given)
  await dayComes(DUE)
  await dayComes(BAD)
  // the class of a bad debt; its ninety days are shortened here
  await sql`update loan_order set rbi_class = 'npa' where id = ${order.orderId}`.execute(
    floor.database.kysely,
  )
  return order
}
const lifeOf = async ({ orderId }: MadeOrder) => manager.call(orderDetail, { orderId })
async function caseOf({ orderId }: MadeOrder) {
  const { rows } = await sql<{
    stage: string
    days: number
    outstanding: number
    state: string
  }>`
    select c.stage_id as stage, c.overdue_days as days, c.outstanding, c.state
    from collection_case c
    where c.order_id = ${orderId}`.execute(floor.database.kysely)
  return rows[0]
}
/** In two parts, the first on the n-th day. */
const parts = (n: number, first = 400_000, owed = OWED) => [
  { dueTime: day(n), amount: first },
  { dueTime: day(n + 10), amount: owed - first },
]
const form = async (order: MadeOrder, more: object = {}) => ({
  orderId: order.orderId,
  version: (await lifeOf(order)).order.version,
  plan: parts(BAD + 10),
  reason: 'Salary comes on the tenth',
  ...more,
})
const ask = async (order: MadeOrder, more: object = {}) =>
  (await manager.call(cureOrder, await form(order, more))).approvalId
const decide = (person: Person, approvalId: string) =>
  person.call(approvals.decideApproval, { approvalId, version: 1, result: 'approved' })
const refusedDecision = (person: Person, approvalId: string) =>
  person.refused(approvals.decideApproval, { approvalId, version: 1, result: 'approved' })
async function cured(order: MadeOrder, more: object = {}): Promise<void> {
  await decide(director, await ask(order, more))
}
async function pay(
  { orderId }: MadeOrder,
  amount: number,
  more: Record<string, unknown> = {},
): Promise<string> {
  serial += 1
  return (
    await channel.call(inboundPayment, {
      vendorOrderNo: `V-C${serial}`,
      orderId,
      amount,
      channel: 1,
      result: 'success',
      utr: String(730_000_000_000 + serial),
      ...more,
    })
  ).recordId
}

test('a cure approved a day later reverses the fine of that day and keeps the asset class', async () => {
  const order = await badDebt()
  expect((await lifeOf(order)).order).toMatchObject({
    status: 90,
    outstanding: OWED,
    overdueDays: 6,
  })
  const asked = await form(order)
  const first = await manager.call(cureOrder, asked, { 'idempotency-key': 'cure-once-0001' })
  expect(await manager.call(cureOrder, asked, { 'idempotency-key': 'cure-once-0001' })).toEqual(
    first,
  )
  expect(await manager.refused(cureOrder, asked)).toMatchObject({
    code: 409,
    problem: { id: 'A-OPEN' },
  })
  const { approvalId } = first
  expect((await lifeOf(order)).order.status).toBe(90)
  await dayComes(BAD + 1)
  expect((await lifeOf(order)).order).toMatchObject({ status: 90, outstanding: OWED + FINE })
  expect(await director.call(approvalDetail, { approvalId })).toMatchObject({
    approval: { kind: 'cure', amount: OWED, mayDecide: true },
    orders: [{ orderId: order.orderId }],
    plan: parts(BAD + 10),
  })
  expect(await refusedDecision(manager, approvalId)).toMatchObject({ problem: { id: 'G-SELF' } })
  expect(await refusedDecision(await floor.signIn('customer_service'), approvalId)).toMatchObject({
    problem: { id: 'G404' },
  })
  const before = (await floor.events()).at(-1)?.seq ?? 0
  await decide(director, approvalId)
  expect(await refusedDecision(director, approvalId)).toMatchObject({
    code: 409,
    problem: { id: 'A-STATE' },
  })

  const life = await lifeOf(order)
  expect(life).toMatchObject({
    order: { status: 50, outstanding: OWED, overdueDays: 0, rbiClass: 'npa' },
    plans: [{ overdueFine: 6 * FINE, overdueDays: 7, paymentStatus: 'overdue' }],
    settlement: {
      approvalId,
      state: 'current',
      asOf: day(BAD),
      total: OWED,
      paid: 0,
      rows: parts(BAD + 10),
      endTime: null,
    },
  })
  expect(await caseOf(order)).toEqual({
    stage: 'T0',
    days: 0,
    outstanding: OWED,
    state: 'unallocated',
  })
  expect((await manager.call(orderTimeline, { orderId: order.orderId })).at(-1)).toMatchObject({
    from: 90,
    to: 50,
    cause: 'cure',
    note: 'Salary comes on the tenth',
  })
  expect(
    life.ledger
      .filter(({ kind }) => kind === 'cure')
      .map(({ account, debit, credit }) => [account, debit - credit]),
  ).toEqual([
    ['principalReceivable', 1_000_000],
    ['doubtfulPrincipal', -1_000_000],
  ])
  expect((await floor.events(before)).map(({ type }) => type)).toEqual(
    expect.arrayContaining([
      'approval.changed',
      'plan.changed',
      'order.status.changed',
      'case.stage.moved',
    ]),
  )
  expect(
    (await floor.events(before)).find(({ type }) => type === 'order.status.changed')?.data,
  ).toMatchObject({ from: 90, to: 50, outstanding: OWED, cause: 'cure' })
})

test('a kept plan charges no fines, each row falls due in turn, and the last one repays the order', async () => {
  const order = await badDebt()
  await cured(order)
  await dayComes(BAD + 10)
  expect((await lifeOf(order)).order).toMatchObject({
    status: 50,
    outstanding: OWED,
    overdueDays: 0,
    rbiClass: 'npa',
  })
  await pay(order, 400_000)
  await dayComes(BAD + 15)
  expect(await lifeOf(order)).toMatchObject({
    order: { status: 50, outstanding: OWED - 400_000, overdueDays: 0, rbiClass: 'npa' },
    settlement: { state: 'current', paid: 400_000 },
  })
  // on every day of the plan the settling amount is the agreed one
  expect(
    (await manager.call(quotePayment, { orderId: order.orderId, type: 'full' })).amountDue,
  ).toBe(OWED - 400_000)
  await dayComes(BAD + 20)
  await pay(order, OWED - 400_000)
  expect(await lifeOf(order)).toMatchObject({
    order: { status: 40, outstanding: 0, rbiClass: 'standard' },
    settlement: { state: 'kept', paid: OWED },
  })
  expect((await caseOf(order))?.state).toBe('closed')
})

test('a missed row ends the plan the day after: a bad debt again, with its own days and the fines since', async () => {
  const order = await badDebt()
  await cured(order)
  await dayComes(BAD + 10)
  await pay(order, 399_999)
  expect((await lifeOf(order)).order).toMatchObject({ status: 50, overdueDays: 0 })
  const before = (await floor.events()).at(-1)?.seq ?? 0
  await dayComes(BAD + 11)
  const life = await lifeOf(order)
  // ten days on the 10,000.00 they began with; 3,999.99 cleared 60.00 fine, 150.00 interest and
  // 3,789.99 principal: the last day is 6.21 on the remaining 6,210.01
  const again = OWED - 399_999 + 10 * 1_000 + 621
  expect(life).toMatchObject({
    order: { status: 90, overdueDays: 17, rbiClass: 'npa', outstanding: again },
    settlement: { state: 'broken', paid: 399_999 },
  })
  expect(
    life.ledger
      .filter(({ kind, day: on }) => kind === 'badDebt' && on === day(BAD + 11))
      .map(({ account, debit, credit }) => [account, debit - credit]),
  ).toEqual([
    ['doubtfulPrincipal', 621_001],
    ['principalReceivable', -621_001],
  ])
  expect((await manager.call(orderTimeline, { orderId: order.orderId })).at(-1)).toMatchObject({
    from: 50,
    to: 90,
    cause: 'settlementBroken',
  })
  expect(await caseOf(order)).toMatchObject({ days: 17, outstanding: again })
  expect((await floor.events(before)).map(({ type }) => type)).toEqual(
    expect.arrayContaining(['order.status.changed', 'plan.changed', 'case.stage.moved']),
  )
  // it can be cured again
  await cured(order, { plan: [{ dueTime: day(BAD + 40), amount: again }] })
  expect(await lifeOf(order)).toMatchObject({
    order: { status: 50, overdueDays: 0 },
    settlement: { state: 'current', total: again },
  })
})

test('a missed plan ends with its day, however late the next one is opened: money of that day owes fines', async () => {
  const order = await badDebt()
  await cured(order)
  // the opening of the day after the missed row comes a day late
  await dayComes(BAD + 12)
  expect((await lifeOf(order)).settlement).toMatchObject({
    state: 'broken',
    endTime: new Date(`${day(BAD + 11)}T00:00:00+05:30`).toISOString(),
  })
  await pay(order, OWED + 11 * FINE, { payTime: `${day(BAD + 11)}T12:00:00+05:30` })
  expect(await lifeOf(order)).toMatchObject({
    order: { status: 40, outstanding: 0 },
    plans: [{ overdueFine: 17 * FINE, outstanding: 0 }],
  })
})

test('a payment in progress keeps the settlement plan running until it arrives', async () => {
  const order = await badDebt()
  await cured(order)
  await dayComes(BAD + 10)
  const report = {
    vendorOrderNo: 'V-LATE',
    orderId: order.orderId,
    amount: 400_000,
    channel: 1,
    utr: '740000000001',
  }
  await channel.call(inboundPayment, { ...report, result: 'processing' })
  await dayComes(BAD + 12)
  expect(await lifeOf(order)).toMatchObject({
    order: { status: 43, overdueDays: 2, outstanding: OWED, rbiClass: 'npa' },
    settlement: { state: 'current' },
  })
  await channel.call(inboundPayment, { ...report, result: 'success' })
  await dayComes(BAD + 13)
  expect(await lifeOf(order)).toMatchObject({
    order: { status: 50, overdueDays: 0 },
    settlement: { state: 'current', paid: 400_000 },
  })
})

test('paid arrears end the plan early and restore the original terms and class', async () => {
  // three instalments of at most 3,333.34 and 150.00: one is overdue, the plan covers all of them
  const owed = 1_045_000 + 6 * 333
  const order = await badDebt({ status: 30, amount: 1_000_000 })
  expect((await lifeOf(order)).order).toMatchObject({ status: 90, outstanding: owed })
  await cured(order, { plan: parts(BAD + 10, 400_000, owed) })
  await pay(order, 400_000)
  expect(await lifeOf(order)).toMatchObject({
    order: { status: 30, outstanding: owed - 400_000, rbiClass: 'npa' },
    settlement: { state: 'kept', paid: 400_000 },
  })
  await dayComes(BAD + 1)
  expect((await lifeOf(order)).order).toMatchObject({
    status: 30,
    overdueDays: 0,
    rbiClass: 'standard',
  })
})

test('a wrong plan, status or version is refused, and so is a user without the permission', async () => {
  const order = await badDebt()
  const fault = async (plan: object[]) =>
    (
      (await manager.refused(cureOrder, await form(order, { plan }))).data as {
        fields?: Record<string, string>
      } | null
    )?.fields?.plan
  expect(await fault(parts(BAD - 1))).toBe('repayments:fault.settlement.past')
  expect(await fault(parts(BAD + 10, 400_000, OWED - 1))).toBe('repayments:fault.settlement.notDue')
  expect(await fault([...parts(BAD + 10)].toReversed())).toBe(
    'repayments:fault.settlement.notInOrder',
  )
  expect(await fault(parts(BAD + 367))).toBe('repayments:fault.settlement.tooFar')
  expect(await manager.refused(cureOrder, await form(order, { plan: [] }))).toMatchObject({
    code: 400,
  })
  expect(
    await manager.refused(
      cureOrder,
      await form(order, {
        plan: Array.from({ length: 13 }, (_, i) => ({ dueTime: day(BAD + i), amount: 1 })),
      }),
    ),
  ).toMatchObject({ code: 400 })
  expect(await manager.refused(cureOrder, await form(order, { reason: 'no' }))).toMatchObject({
    code: 400,
  })
  expect(await manager.refused(cureOrder, await form(order, { version: 1 }))).toMatchObject({
    code: 409,
    problem: { id: 'G409' },
  })
  expect(
    await manager.refused(cureOrder, { ...(await form(order)), orderId: 'L404' }),
  ).toMatchObject({ problem: { id: 'G404' } })
  for (const account of ['director', 'customer_service'])
    expect(await (await floor.signIn(account)).refused(cureOrder, await form(order))).toMatchObject(
      { code: 403 },
    )
  const sound = await makeOrder(floor, { status: 30, amount: 1_000_000 })
  expect(await manager.refused(cureOrder, await form(sound))).toMatchObject({
    code: 409,
    problem: { id: 'O-STATE' },
  })
  const { order: row, plans } = await lifeOf(order)
  await manager.call(launchReduction, {
    orderId: order.orderId,
    planId: plans[0]?.planId ?? '',
    version: row.version,
    reduceItems: { overdueFine: 100, serviceFee: 0, interest: 0 },
    validUntil: day(BAD),
    reason: 'Pays the rest at once',
  })
  expect(await manager.refused(cureOrder, await form(order))).toMatchObject({
    code: 409,
    problem: { id: 'M-OPEN' },
  })
})

test('an order written off under its plan owes no fine of the days of the plan', async () => {
  const order = await badDebt()
  await cured(order)
  await dayComes(BAD + 3)
  expect(await manager.call(writeOffQuote, { orderId: order.orderId })).toMatchObject({
    outstanding: OWED,
    due: OWED,
  })
  await manager.call(launchWriteOff, {
    orderId: order.orderId,
    version: (await lifeOf(order)).order.version,
    type: 'operational',
    repaymentDate: day(BAD + 3),
    amount: OWED,
    reason: 'Borrower cannot be found',
  })
  expect(await lifeOf(order)).toMatchObject({
    order: { status: 100, outstanding: 0 },
    plans: [{ overdueFine: 6 * FINE }],
    settlement: { state: 'ended', paid: 0 },
  })
})

test('a changed debt, a due row or a changed order refuses the approval, and the request stays pending', async () => {
  const order = await badDebt()
  const approvalId = await ask(order, { plan: parts(BAD) })
  const paid = await pay(order, 1_000)
  expect(await refusedDecision(director, approvalId)).toMatchObject({
    problem: { id: 'O-RULE', params: { reason: 'settlementSum' } },
  })
  await channel.call(inboundPayment, {
    vendorOrderNo: 'V-WAY',
    orderId: order.orderId,
    amount: 1_000,
    channel: 1,
    utr: '740000000002',
    result: 'processing',
  })
  expect(await refusedDecision(director, approvalId)).toMatchObject({ problem: { id: 'M-OPEN' } })
  await channel.call(inboundPayment, {
    vendorOrderNo: 'V-WAY',
    orderId: order.orderId,
    amount: 1_000,
    channel: 1,
    utr: '740000000002',
    result: 'fail',
    failReason: 'No balance',
  })
  await dayComes(BAD + 1)
  expect(await refusedDecision(director, approvalId)).toMatchObject({
    problem: { id: 'O-RULE', params: { reason: 'settlementOverdue' } },
  })
  expect((await director.call(approvalDetail, { approvalId })).approval.state).toBe('pending')
  expect(await lifeOf(order)).toMatchObject({ order: { status: 90 }, settlement: null })
  expect(paid).toBeTruthy()
})

test('a running plan excludes other agreements and ends with a write-off', async () => {
  const order = await badDebt()
  await cured(order)
  const { order: row, plans } = await lifeOf(order)
  expect(
    await manager.refused(launchReduction, {
      orderId: order.orderId,
      planId: plans[0]?.planId ?? '',
      version: row.version,
      reduceItems: { overdueFine: 100, serviceFee: 0, interest: 0 },
      validUntil: day(BAD),
      reason: 'Pays the rest at once',
    }),
  ).toMatchObject({ problem: { id: 'O-RULE', params: { reason: 'settlementRuns' } } })
  expect(
    await manager.refused(quotePayment, { orderId: order.orderId, type: 'rollover' }),
  ).toMatchObject({ problem: { id: 'O-RULE', params: { reason: 'settlementRuns' } } })
  const recordId = await pay(order, 400_000)
  expect((await lifeOf(order)).settlement?.paid).toBe(400_000)
  const { approvalId } = await manager.call(reverseRecord, {
    recordId,
    version: 1,
    cause: 'bounced',
    reason: 'The bank took it back',
  })
  await decide(director, approvalId)
  expect(await lifeOf(order)).toMatchObject({
    order: { status: 50, outstanding: OWED, overdueDays: 0, rbiClass: 'npa' },
    settlement: { state: 'current', paid: 0 },
  })
  await manager.call(launchWriteOff, {
    orderId: order.orderId,
    version: (await lifeOf(order)).order.version,
    type: 'operational',
    repaymentDate: day(BAD),
    amount: OWED,
    reason: 'Borrower cannot be found',
  })
  expect(await lifeOf(order)).toMatchObject({
    order: { status: 100, outstanding: 0 },
    settlement: { state: 'ended', paid: 0 },
  })
})
