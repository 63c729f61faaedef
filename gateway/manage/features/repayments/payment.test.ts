/** Payments as their channel reports them: the effect on loan, ledger and order, once each. */
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { addDays, istDay } from '#shared/kernel/time.ts'
import { orderDetail } from '#shared/orders/order-detail-api.ts'
import { ORDERS_MENU } from '#shared/orders/orders-menu.ts'
import { inboundPayment } from '#shared/repayments/inbound-payment-api.ts'
import { brokenInvariants } from '#gateway/manage/db/check-invariants.ts'
import { ordersRoutes } from '#gateway/manage/features/orders/orders-routes.ts'
import { makeOrder, type MadeOrder, type OrderGiven } from '#tests/factories/orders.ts'
import { type Machine, machineOf } from '#tests/support/machine.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { repaymentsRoutes } from './repayments-routes.ts'
import type { PaymentReport } from './receive-payment.ts'
import type { PaidOrder } from './paid-order.ts'

let floor: Floor
let manager: Person
let channel: Machine
let paidOrders: PaidOrder[] = []

beforeAll(async () => {
  floor = await testManage({
    parts: (context) => ({
      menus: [...ORDERS_MENU],
      routes: (base) => {
        ordersRoutes(base, context, { whenCancelled: [] })
        repaymentsRoutes(base, context, {
          whenPaid: [(_, paid) => Promise.resolve(void paidOrders.push(paid))],
        })
      },
    }),
  })
  manager = await floor.signIn('manager')
  channel = await machineOf(floor, ['payment'])
})
afterAll(() => floor.close())
afterEach(async () => {
  paidOrders = []
  expect(await brokenInvariants(floor.database)).toEqual([])
})

/**
 * A loan of 10,000.00 over three instalments of 30 days at 5 bp a day: interest 450.00, so each
 * owes 3,333.34 + 150.00 (the first has the odd paisa), 10,450.00 in all. Fine: 10 bp of the open
 * principal a day = 3.33.
 */
async function runningLoan(given: OrderGiven = {}): Promise<MadeOrder> {
  return makeOrder(floor, { status: 30, amount: 1_000_000, ...given })
}

/**
 * Simulates passed days: instalments fall due earlier, fines are charged to yesterday, the order
 * has the status of its days.
 */
async function letPass(
  order: MadeOrder,
  overdueDays: number,
  status: 30 | 50 | 90 = 50,
): Promise<void> {
  const db = floor.database.kysely
  const today = istDay(Date.now())
  await sql`
    update repay_plan p set due_at = ${today}::date - ${overdueDays}::int + (p.serial_no - 1) * 30
      where p.order_id = ${order.orderId}`.execute(db)
  await sql`
    update loan_order set disbursed_at = clock_timestamp() - make_interval(days => ${overdueDays + 30})
      where id = ${order.orderId}`.execute(db)
  for (const [from, to] of status === 90
    ? ([
        [30, 50],
        [50, 90],
      ] as const)
    : status === 50
      ? ([[30, 50]] as const)
      : []) {
    await sql`
      update loan_order set status = ${to}, version = version + 1 where id = ${order.orderId}`.execute(
      db,
    )
    await sql`
      insert into order_status_log (order_id, from_status, to_status, cause, by_name)
        values (${order.orderId}, ${from}::int, ${to}::int, 'duePassed', 'test')`.execute(db)
  }
  if (status !== 90) return
  await sql`
    insert into ledger_entry (txn_id, order_id, plan_id, account, debit, credit, kind, biz_date, written_in)
    select 'XB' || p.id, p.order_id, p.id, a.account, case
      when a.account = 'doubtfulPrincipal' then p.open_principal else 0 end, case
      when a.account = 'doubtfulPrincipal' then 0 else p.open_principal end, 'badDebt', ${today}::date, null
    from repay_plan p, (values ('doubtfulPrincipal'), ('principalReceivable')) as a (account)
      where p.order_id = ${order.orderId}`.execute(db)
}

let serial = 0
function paymentReport(
  order: { orderId: string },
  amount: number,
  more: Record<string, unknown> = {},
): PaymentReport & { utr: string } {
  serial += 1
  return {
    vendorOrderNo: `V${serial}`,
    orderId: order.orderId,
    amount,
    channel: 1,
    result: 'success' as const,
    utr: String(100_000_000_000 + serial),
    upi: 'asha.verma@ybl',
    bankCode: 'HDFC',
    ...more,
  }
}

async function loanOf(order: MadeOrder) {
  const { order: row, plans, ledger } = await manager.call(orderDetail, { orderId: order.orderId })
  return { row, plans, ledger }
}
async function recordOf(recordId: string): Promise<Record<string, unknown>> {
  const { rows } = await sql<Record<string, unknown>>`
    select r.order_id, r.told_order_id, r.plan_id, r.repayment_type, r.amount, r.surplus, r.utr,
      r.upi_masked, r.pay_state, r.flag, r.fail_reason, r.source from repay_record r
      where r.id = ${recordId}`.execute(floor.database.kysely)
  return rows[0] ?? {}
}
function booked(
  ledger: { kind: string; account: string; debit: number; credit: number }[],
  kind: string,
): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const entry of ledger)
    if (entry.kind === kind)
      sums[entry.account] = (sums[entry.account] ?? 0) + entry.debit - entry.credit
  return sums
}

test('a payment in full closes the loan: plans, ledger, order and one event for each', async () => {
  const order = await runningLoan()
  const before = (await floor.events()).at(-1)?.seq ?? 0
  const report = paymentReport(order, 1_045_000)
  const answer = await channel.call(inboundPayment, report)
  expect(answer).toEqual({
    recordId: expect.stringMatching(/^RR\d+$/) as string,
    orderId: order.orderId,
    status: 40,
    payState: 'success',
    applied: true,
  })
  const { row, plans, ledger } = await loanOf(order)
  expect(row).toMatchObject({
    status: 40,
    closeType: 'repaidClosed',
    outstanding: 0,
    overdueDays: 0,
    rbiClass: 'standard',
  })
  expect(
    plans.map(({ paymentStatus, paidAmount, outstanding }) => [
      paymentStatus,
      paidAmount,
      outstanding,
    ]),
  ).toEqual([
    ['paid', 348_334, 0],
    ['paid', 348_333, 0],
    ['paid', 348_333, 0],
  ])
  expect(booked(ledger, 'repayment')).toEqual({
    cashClearing: 1_045_000,
    interestReceivable: -45_000,
    principalReceivable: -1_000_000,
  })
  expect(await recordOf(answer.recordId)).toMatchObject({
    repayment_type: 'full',
    surplus: 0,
    utr: report.utr,
    upi_masked: 'as***@ybl',
    source: 'callback',
    flag: null,
  })
  const events = await floor.events(before)
  expect(events.map((event) => event.type)).toEqual([
    'order.status.changed',
    'order.status.changed',
    'plan.changed',
    'plan.changed',
    'plan.changed',
    'customer.changed',
    'repayment.changed',
  ])
  expect(
    events
      .filter((event) => event.type === 'order.status.changed')
      .map(({ data }) => [data.from, data.to, data.cause]),
  ).toEqual([
    [30, 43, 'paySubmitted'],
    [43, 40, 'payOkFull'],
  ])
  expect(events.at(-1)).toMatchObject({
    rooms: [`order:${order.orderId}`, 'scope:all', 'board:all'],
    data: {
      recordId: answer.recordId,
      orderId: order.orderId,
      amount: 1_045_000,
      payState: 'success',
      reversed: false,
      channel: 1,
    },
  })
  expect(paidOrders).toMatchObject([
    {
      orderId: order.orderId,
      customerId: order.customerId,
      amount: 1_045_000,
      from: 30,
      to: 40,
      outstanding: 0,
    },
  ])
  expect(JSON.stringify(events)).not.toContain('asha.verma')
})

test('a partial payment clears the oldest instalment first, interest before principal', async () => {
  const order = await runningLoan()
  // 4,000.00: 3,483.34 settle the first instalment (150.00 + 3,333.34); of 516.66 the second takes
  // 150.00 interest and 366.66 principal
  expect(await channel.call(inboundPayment, paymentReport(order, 400_000))).toMatchObject({
    status: 30,
  })
  const { row, plans, ledger } = await loanOf(order)
  expect(row).toMatchObject({ status: 30, outstanding: 645_000 })
  expect(
    plans.map(({ paymentStatus, paidAmount, outstanding }) => [
      paymentStatus,
      paidAmount,
      outstanding,
    ]),
  ).toEqual([
    ['paid', 348_334, 0],
    ['partlyPaid', 51_666, 296_667],
    ['unpaid', 0, 348_333],
  ])
  expect(booked(ledger, 'repayment')).toEqual({
    cashClearing: 400_000,
    interestReceivable: -30_000,
    principalReceivable: -370_000,
  })
  expect(paidOrders).toMatchObject([{ amount: 400_000, from: 30, to: 30, outstanding: 645_000 }])
})

test('a late payment carries the fine of each day, and the fine is paid first', async () => {
  const order = await runningLoan()
  await letPass(order, 10)
  // ten days of 3.33 = 33.30; 100.00 pay the fine and 66.70 of the interest
  expect(await channel.call(inboundPayment, paymentReport(order, 10_000))).toMatchObject({
    status: 50,
  })
  const { row, plans, ledger } = await loanOf(order)
  expect(row).toMatchObject({ status: 50, outstanding: 1_045_000 + 3_330 - 10_000 })
  expect(plans[0]).toMatchObject({
    overdueFine: 3_330,
    paidAmount: 10_000,
    outstanding: 348_334 + 3_330 - 10_000,
  })
  expect(booked(ledger, 'overdueFine')).toEqual({ fineReceivable: 3_330, fineIncome: -3_330 })
  expect(booked(ledger, 'repayment')).toEqual({
    cashClearing: 10_000,
    fineReceivable: -3_330,
    interestReceivable: -6_670,
  })
})

test('an overdue order whose arrears are paid is running again', async () => {
  const order = await runningLoan()
  await letPass(order, 3)
  // 9.99 fine + 3,483.34
  expect(await channel.call(inboundPayment, paymentReport(order, 348_334 + 999))).toMatchObject({
    status: 30,
  })
  const { row, plans } = await loanOf(order)
  expect(row).toMatchObject({ status: 30, overdueDays: 0, outstanding: 696_666 })
  expect(plans[0]).toMatchObject({ paymentStatus: 'paid', overdueDays: 3 })
  expect(paidOrders).toMatchObject([{ from: 50, to: 30 }])
})

test('a payment made in time carries no fine for the days it took to arrive', async () => {
  const order = await runningLoan()
  await letPass(order, 5)
  // part of the money arrives today: fines are charged to today (16.65) and paid, with 3.35 of the
  // interest
  await channel.call(inboundPayment, paymentReport(order, 2_000))
  expect((await loanOf(order)).plans[0]).toMatchObject({
    overdueFine: 1_665,
    outstanding: 348_334 + 1_665 - 2_000,
  })
  const late = await runningLoan()
  await letPass(late, 5)
  // reported only today, paid on the due day: only the instalment is owed
  const payTime = `${addDays(istDay(Date.now()), -5)}T12:00:00+05:30`
  expect(
    await channel.call(inboundPayment, paymentReport(late, 348_334, { payTime })),
  ).toMatchObject({
    status: 30,
  })
  const { plans } = await loanOf(late)
  expect(plans[0]).toMatchObject({
    paymentStatus: 'paid',
    overdueFine: 0,
    overdueDays: 0,
    actualRepaymentTime: new Date(payTime).toISOString(),
  })
})

test('fines charged after the day of the payment are reversed', async () => {
  const order = await runningLoan()
  await letPass(order, 5)
  const today = istDay(Date.now())
  // the last five days were opened: 16.65 charged
  await sql`
    with fined as (update repay_plan
      set overdue_fine = 1665, open_fine = 1665, outstanding = outstanding + 1665, fine_to = ${today}::date,
      overdue_days = 5, payment_status = 'overdue' where order_id = ${order.orderId} and serial_no = 1
      returning id)
    insert into ledger_entry (txn_id, order_id, plan_id, account, debit, credit, kind, biz_date, written_in)
    select 'XF' || f.id, ${order.orderId}, f.id, a.account, case when a.account = 'fineReceivable' then 1665
      else 0 end, case when a.account = 'fineReceivable' then 0
      else 1665 end, 'overdueFine', ${today}::date, null
      from fined f, (values ('fineReceivable'), ('fineIncome')) as a (account)`.execute(
    floor.database.kysely,
  )
  await sql`update loan_order set outstanding = outstanding + 1665 where id = ${order.orderId}`.execute(
    floor.database.kysely,
  )
  // 1,000.00 of three days after the due day: 9.99 fine of that day, 150.00 interest, 840.01
  // principal; two days since then are fined again on 2,493.33: 2 × 2.49 = 4.98 instead of 6.66
  const payTime = `${addDays(today, -2)}T09:00:00+05:30`
  expect(
    await channel.call(inboundPayment, paymentReport(order, 100_000, { payTime })),
  ).toMatchObject({
    status: 50,
  })
  const { plans, ledger } = await loanOf(order)
  expect(booked(ledger, 'repayment')).toEqual({
    cashClearing: 100_000,
    fineReceivable: -999,
    interestReceivable: -15_000,
    principalReceivable: -84_001,
  })
  expect(booked(ledger, 'fineCorrection')).toEqual({ fineReceivable: -168, fineIncome: 168 })
  expect(plans[0]).toMatchObject({
    overdueFine: 1_665 - 168,
    paidAmount: 100_000,
    outstanding: 348_334 - 84_001 - 15_000 + 498,
  })
})

test('for a bad debt the principal is cleared first, and the status stays', async () => {
  const order = await runningLoan()
  await letPass(order, 95, 90)
  expect(await channel.call(inboundPayment, paymentReport(order, 100_000))).toMatchObject({
    status: 90,
  })
  const { ledger } = await loanOf(order)
  expect(booked(ledger, 'repayment')).toEqual({
    cashClearing: 100_000,
    doubtfulPrincipal: -100_000,
  })
  expect(paidOrders).toMatchObject([{ from: 90, to: 90 }])
})

test('a payment in progress keeps the order in 43 until its result, and a failed one restores the status', async () => {
  const order = await runningLoan()
  const report = paymentReport(order, 1_045_000)
  const before = (await floor.events()).at(-1)?.seq ?? 0
  const submitted = await channel.call(inboundPayment, { ...report, result: 'processing' })
  expect(submitted).toMatchObject({ status: 43, payState: 'inProgress', applied: true })
  expect((await loanOf(order)).plans.map((plan) => plan.paymentStatus)).toEqual([
    'processing',
    'unpaid',
    'unpaid',
  ])
  expect((await floor.events(before)).map((event) => event.type)).toEqual([
    'plan.changed',
    'repayment.changed',
    'order.status.changed',
  ])
  expect(await channel.call(inboundPayment, { ...report, result: 'processing' })).toMatchObject({
    status: 43,
    applied: false,
  })
  expect(
    await channel.call(inboundPayment, {
      ...report,
      result: 'fail',
      failReason: 'Insufficient balance',
    }),
  ).toMatchObject({ status: 30, payState: 'fail', applied: true })
  expect((await loanOf(order)).plans.map((plan) => plan.paymentStatus)).toEqual([
    'unpaid',
    'unpaid',
    'unpaid',
  ])
  expect(await recordOf(submitted.recordId)).toMatchObject({
    pay_state: 'fail',
    fail_reason: 'Insufficient balance',
  })
  expect(paidOrders).toEqual([])
  // the payment arrived after the failure was reported
  expect(await channel.call(inboundPayment, report)).toMatchObject({
    recordId: submitted.recordId,
    status: 40,
    payState: 'success',
    applied: true,
  })
})

test('with several payments in progress the order waits for the last of them', async () => {
  const order = await runningLoan()
  const [first, second] = [paymentReport(order, 100_000), paymentReport(order, 200_000)]
  await channel.call(inboundPayment, { ...first, result: 'processing' })
  await channel.call(inboundPayment, { ...second, result: 'processing' })
  expect(await channel.call(inboundPayment, first)).toMatchObject({
    status: 43,
    payState: 'success',
  })
  expect((await loanOf(order)).row).toMatchObject({ status: 43, outstanding: 945_000 })
  expect(
    await channel.call(inboundPayment, { ...second, result: 'fail', failReason: 'Timeout' }),
  ).toMatchObject({ status: 30 })
  expect(paidOrders).toMatchObject([{ amount: 100_000, from: 30, to: 30 }])
})

test('more than is owed becomes the customer’s credit', async () => {
  const order = await runningLoan()
  const { recordId } = await channel.call(inboundPayment, paymentReport(order, 1_045_001))
  const { row, ledger } = await loanOf(order)
  expect(row).toMatchObject({ status: 40, outstanding: 0 })
  expect(booked(ledger, 'surplus')).toEqual({ cashClearing: 1, customerCredit: -1 })
  expect(await recordOf(recordId)).toMatchObject({
    repayment_type: 'full',
    surplus: 1,
    flag: 'surplus',
  })
  expect(paidOrders).toMatchObject([{ amount: 1_045_000 }])
  // and so does a payment that arrives when the loan is closed
  const after = await channel.call(inboundPayment, paymentReport(order, 5_000))
  expect(after).toMatchObject({ status: 40, payState: 'success', applied: true })
  expect(await recordOf(after.recordId)).toMatchObject({ surplus: 5_000, flag: 'surplus' })
  expect(booked((await loanOf(order)).ledger, 'surplus')).toEqual({
    cashClearing: 5_001,
    customerCredit: -5_001,
  })
})

test('a payment for an unknown order is parked and never booked', async () => {
  const parked = await channel.call(inboundPayment, paymentReport({ orderId: 'L-nobody' }, 5_000))
  expect(parked).toMatchObject({
    orderId: null,
    status: null,
    payState: 'inProgress',
    applied: true,
  })
  expect(await recordOf(parked.recordId)).toMatchObject({
    order_id: null,
    told_order_id: 'L-nobody',
    flag: 'unknownOrder',
  })
  const early = await makeOrder(floor, { status: 20 })
  const waiting = await channel.call(inboundPayment, paymentReport(early, 5_000))
  expect(waiting).toMatchObject({ orderId: early.orderId, status: 20, payState: 'inProgress' })
  expect(await recordOf(waiting.recordId)).toMatchObject({ flag: 'notPayable' })
})

test('money that its channel told as failed is parked when it arrives and no order can take it', async () => {
  const early = await makeOrder(floor, { status: 20 })
  for (const [order, flag] of [
    [{ orderId: 'L-nobody' }, 'unknownOrder'],
    [early, 'notPayable'],
  ] as const) {
    const report = paymentReport(order, 5_000)
    const failed = await channel.call(inboundPayment, { ...report, result: 'fail' })
    expect(failed.payState).toBe('fail')
    expect(await channel.call(inboundPayment, report)).toMatchObject({
      recordId: failed.recordId,
      payState: 'inProgress',
      applied: true,
    })
    expect(await recordOf(failed.recordId)).toMatchObject({
      pay_state: 'inProgress',
      fail_reason: null,
      flag,
      utr: report.utr,
    })
  }
})

test('the same payment has one effect, however often, at once, or under whichever number it is reported', async () => {
  const order = await runningLoan()
  const report = paymentReport(order, 300_000)
  const answers = await Promise.all(
    ['A', 'B', 'C'].map((n) =>
      channel.call(inboundPayment, report, { eventId: `${report.vendorOrderNo}-${n}` }),
    ),
  )
  expect(answers.map((answer) => answer.applied).toSorted()).toEqual([false, false, true])
  expect(new Set(answers.map((answer) => answer.recordId)).size).toBe(1)
  // the same event again: an identical answer; the same money under another number: the same record
  expect(
    await channel.call(inboundPayment, report, { eventId: `${report.vendorOrderNo}-A` }),
  ).toEqual(answers[0])
  expect(
    await channel.call(inboundPayment, {
      ...report,
      vendorOrderNo: `${report.vendorOrderNo}-again`,
    }),
  ).toMatchObject({ recordId: answers[0]?.recordId, applied: false })
  expect((await loanOf(order)).row).toMatchObject({ status: 30, outstanding: 745_000 })
  expect(paidOrders).toHaveLength(1)
})

test('a UTR that pays another order, or another amount, is refused', async () => {
  const [order, other] = [await runningLoan(), await runningLoan()]
  const report = paymentReport(order, 300_000)
  await channel.call(inboundPayment, report)
  expect(
    await channel.refused(inboundPayment, paymentReport(other, 300_000, { utr: report.utr })),
  ).toMatchObject({ code: 400, problem: { id: 'M-UTR', params: { orderId: order.orderId } } })
  expect(
    await channel.refused(inboundPayment, paymentReport(order, 300_001, { utr: report.utr })),
  ).toMatchObject({ problem: { id: 'M-UTR' } })
  expect(await channel.refused(inboundPayment, { ...report, amount: 1 })).toMatchObject({
    problem: { id: 'O-RULE', params: { reason: 'amount' } },
  })
  expect(
    await channel.refused(inboundPayment, { ...report, orderId: other.orderId }),
  ).toMatchObject({
    problem: { id: 'O-RULE', params: { reason: 'vendorOrderNo' } },
  })
  expect(await channel.refused(inboundPayment, { ...report, utr: '999999999999' })).toMatchObject({
    problem: { id: 'O-RULE', params: { reason: 'utr' } },
  })
  expect((await loanOf(order)).row.outstanding).toBe(745_000)
  expect((await loanOf(other)).row.outstanding).toBe(1_045_000)
})

test('a result that contradicts a received payment changes nothing and is logged', async () => {
  const order = await runningLoan()
  const report = paymentReport(order, 300_000)
  const { recordId } = await channel.call(inboundPayment, report)
  expect(
    await channel.call(inboundPayment, { ...report, result: 'fail', failReason: 'Reversed' }),
  ).toMatchObject({ status: 30, payState: 'success', applied: false })
  const { rows } = await sql<{
    n: number
  }>`
    select count(*)::int as n
    from operate_log l
    where l.action = 'payment.conflict'
      and l.target_id = ${recordId}`.execute(floor.database.kysely)
  expect(rows[0]?.n).toBe(1)
  // it is marked until somebody decides; a repeated report has no further effect
  const markedAt = async () =>
    (
      await sql<{ at: string }>`
        select r.conflict_at as at from repay_record r where r.id = ${recordId}
          and r.conflict_ended_at is null`.execute(floor.database.kysely)
    ).rows[0]?.at
  const first = await markedAt()
  expect(first).toBeDefined()
  await channel.call(inboundPayment, { ...report, result: 'fail', failReason: 'Reversed' })
  expect(await markedAt()).toBe(first)
})

test('payments reported out of value order are counted in value order, and the difference is booked', async () => {
  const [inOrder, inverted] = [await runningLoan(), await runningLoan()]
  const days = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString()
  for (const order of [inOrder, inverted]) await letPass(order, 12)
  const pays = [
    { amount: 200_000, payTime: days(7) },
    { amount: 100_000, payTime: days(0) },
  ]
  for (const { amount, payTime } of pays)
    await channel.call(inboundPayment, paymentReport(inOrder, amount, { payTime }))
  for (const { amount, payTime } of pays.toReversed())
    await channel.call(inboundPayment, paymentReport(inverted, amount, { payTime }))
  const owed = async (order: MadeOrder) => {
    const { row, plans } = await loanOf(order)
    const parts = plans.map(({ outstanding, paidAmount, overdueFine }) => [
      outstanding,
      paidAmount,
      overdueFine,
    ])
    return [row.outstanding, row.status, parts]
  }
  expect(await owed(inverted)).toEqual(await owed(inOrder))
})

test('a success without UTR, a future time and a time before the loan get field errors', async () => {
  const order = await runningLoan()
  const { utr, ...without } = paymentReport(order, 1_000)
  expect(utr).toBeDefined()
  expect(await channel.refused(inboundPayment, without)).toMatchObject({
    problem: { id: 'G-FIELD' },
    data: { fields: { utr: 'required' } },
  })
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
  expect(
    await channel.refused(inboundPayment, paymentReport(order, 1_000, { payTime: tomorrow })),
  ).toMatchObject({ data: { fields: { payTime: 'future' } } })
  expect(
    await channel.refused(
      inboundPayment,
      paymentReport(order, 1_000, { payTime: '2020-01-01T00:00:00Z' }),
    ),
  ).toMatchObject({ data: { fields: { payTime: 'beforeDisbursement' } } })
  for (const wrong of [
    { amount: 0 },
    { amount: -5 },
    { amount: 0.5 },
    { utr: '123' },
    { channel: 5 },
    { upi: 'nobody' },
    { bankCode: 'hdfc' },
  ]) {
    expect(await channel.refused(inboundPayment, paymentReport(order, 1_000, wrong))).toMatchObject(
      {
        problem: { id: 'G-FIELD' },
      },
    )
  }
  expect((await loanOf(order)).row.outstanding).toBe(1_045_000)
})

test('a payment interrupted halfway leaves nothing and can be repeated', async () => {
  const order = await runningLoan()
  const report = paymentReport(order, 400_000)
  const stands = async () => {
    const { rows } = await sql`
      select o.status, o.outstanding, (select count(*)::int from repay_record r
        where r.order_id = o.id) as records, (select count(*)::int from ledger_entry e
        where e.order_id = o.id) as entries, (select sum(p.version)::int from repay_plan p
        where p.order_id = o.id) as versions
      from loan_order o where o.id = ${order.orderId}`.execute(floor.database.kysely)
    return rows[0]
  }
  const before = await stands()
  await sql`
    create function die() returns trigger language plpgsql as $$ begin raise exception
      'the process died here'; end $$`.execute(floor.database.kysely)
  for (const [table, when] of [
    ['repay_record', 'insert'],
    ['ledger_entry', 'insert'],
    ['repay_plan', 'update'],
    ['order_status_log', 'insert'],
    ['outbox_event', 'insert'],
    ['operate_log', 'insert'],
    ['inbound_event', 'insert'],
  ] as const) {
    await sql`
      create trigger killed after ${sql.raw(when)} on ${sql.table(table)} for each row execute function
        die()`.execute(floor.database.kysely)
    expect(
      (await channel.send(inboundPayment, report, { eventId: 'KILLED' })).json<{ code: number }>()
        .code,
      table,
    ).toBe(500)
    await sql`drop trigger killed on ${sql.table(table)}`.execute(floor.database.kysely)
    expect(await stands(), table).toEqual(before)
  }
  expect(await channel.call(inboundPayment, report, { eventId: 'KILLED' })).toMatchObject({
    status: 30,
    applied: true,
  })
  expect((await loanOf(order)).row.outstanding).toBe(645_000)
})

test('a written-off loan with a claim is recovered up to the claim', async () => {
  const order = await runningLoan()
  const db = floor.database.kysely
  // as a batch write-off leaves it
  await sql`
    insert into ledger_entry (txn_id, order_id, plan_id, account, debit, credit, kind, biz_date, written_in)
    select 'XW' || ${order.orderId}, ${order.orderId}, l.plan_id, l.account, l.debit, l.credit,
      'batchWriteOff', current_date, null from (
      select null as plan_id, 'writeOffExpense' as account, 1045000::bigint as debit, 0::bigint as credit
      union all select null, 'recoveryClaim', 1045000, 0
      union all select null, 'recoveryContra', 0, 1045000
      union all select p.id, 'principalReceivable', 0, p.open_principal from repay_plan p
        where p.order_id = ${order.orderId}
      union all select p.id, 'interestReceivable', 0, p.open_interest from repay_plan p
        where p.order_id = ${order.orderId}
    ) l`.execute(db)
  await sql`
    update repay_plan set waived = outstanding, outstanding = 0, open_principal = 0, open_interest = 0,
      payment_status = 'writtenOff' where order_id = ${order.orderId}`.execute(db)
  await sql`
    update loan_order set status = 110, close_type = 'writeOffClosed', closed_at = clock_timestamp(),
      outstanding = 0, version = version + 1 where id = ${order.orderId}`.execute(db)
  await sql`
    insert into order_status_log (order_id, from_status, to_status, cause, by_name)
      values (${order.orderId}, 30, 110, 'batchWriteOff', 'test')`.execute(db)
  const first = await channel.call(inboundPayment, paymentReport(order, 1_000_000))
  expect(first).toMatchObject({ status: 110, payState: 'success' })
  expect(await recordOf(first.recordId)).toMatchObject({ flag: 'recovery', surplus: 0 })
  const second = await channel.call(inboundPayment, paymentReport(order, 50_000))
  expect(await recordOf(second.recordId)).toMatchObject({ flag: 'surplus', surplus: 5_000 })
  const { ledger } = await loanOf(order)
  expect(booked(ledger, 'recovery')).toEqual({
    cashClearing: 1_045_000,
    recoveryIncome: -1_045_000,
    recoveryContra: 1_045_000,
    recoveryClaim: -1_045_000,
  })
  expect(booked(ledger, 'surplus')).toEqual({ cashClearing: 5_000, customerCredit: -5_000 })
  expect(paidOrders).toEqual([])
})
