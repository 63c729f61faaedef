/** Payments booked by one person and confirmed by another: field rules, preview, effect, lists. */
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { addDays, istDay, istMidnight } from '#shared/kernel/time.ts'
import { orderDetail, orderTimeline } from '#shared/orders/order-detail-api.ts'
import { ORDERS_MENU } from '#shared/orders/orders-menu.ts'
import { inboundPayment } from '#shared/repayments/inbound-payment-api.ts'
import { exitCoolingOff } from '#shared/repayments/cooling-off-api.ts'
import * as api from '#shared/repayments/repayments-api.ts'
import { REPAYMENTS_MENU } from '#shared/repayments/repayments-menu.ts'
import { brokenInvariants } from '#gateway/manage/db/check-invariants.ts'
import { casePaid } from '#gateway/manage/features/collection/public.ts'
import { ordersRoutes } from '#gateway/manage/features/orders/orders-routes.ts'
import { type CaseGiven, makeCase } from '#tests/factories/cases.ts'
import { makeOrder } from '#tests/factories/orders.ts'
import { makeCollector, makeUnit } from '#tests/factories/units.ts'
import { machineOf } from '#tests/support/machine.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { repaymentsRoutes } from '../repayments-routes.ts'

let floor: Floor
let service: Person
let manager: Person
let other: Person
let holder: { userId: string; account: string }
let serial = 0
const today = istDay(Date.now())

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
  const unit = await makeUnit(floor, { weight: 100, inHouse: true })
  holder = await makeCollector(floor, unit, {
    account: 'collection_specialist',
    role: 'collection_specialist',
  })
  ;[service, manager, other] = await Promise.all([
    floor.signIn('customer_service'),
    floor.signIn('manager'),
    floor.signIn('manager2'),
  ])
})
afterAll(() => floor.close())
afterEach(async () => {
  await floor.settle()
  expect(await brokenInvariants(floor.database)).toEqual([])
})

/**
 * 10,000.00 in one instalment of principal 10,000.00 and interest; the fine is 10 bp a day = 10.00.
 */
const overdue = (given: Partial<CaseGiven> = {}) =>
  makeCase(floor, { overdueDays: 12, collectorId: holder.userId, ...given })
/** 10,450.00 in three instalments, disbursed just now. */
const running = () => makeOrder(floor, { status: 30, amount: 1_000_000 })
const orderOf = async (orderId: string) => (await manager.call(orderDetail, { orderId })).order
const noon = (day: string) => new Date(`${day}T12:00:00+05:30`).toISOString()
const now = () => new Date().toISOString()

async function form(
  orderId: string,
  repaymentType: 'full' | 'partial',
  amount: number,
  more: Record<string, unknown> = {},
) {
  serial += 1
  return {
    orderId,
    version: (await orderOf(orderId)).version,
    repaymentType,
    amount,
    utr: String(400_000_000_000 + serial),
    upi: 'asha.verma@ybl',
    channel: 2,
    bankCode: 'HDFC',
    payTime: now(),
    ...more,
  }
}
async function recordOf(recordId: string) {
  return (await manager.call(api.recordDetail, { recordId })).record
}
const confirm = async (person: Person, recordId: string, more: object = {}) =>
  person.call(api.confirmRecord, {
    recordId,
    version: (await recordOf(recordId)).version,
    result: 'success',
    ...more,
  })

test('one person books and another confirms: the order waits in between and the payment counts once', async () => {
  const { orderId } = await running()
  const { recordId } = await service.call(
    api.addRecord,
    await form(orderId, 'partial', 400_000, { remark: 'Told by phone' }),
  )
  expect(await orderOf(orderId)).toMatchObject({ status: 43, outstanding: 1_045_000 })
  expect(await recordOf(recordId)).toMatchObject({
    payState: 'inProgress',
    source: 'staff',
    upi: 'as***@ybl',
    remark: 'Told by phone',
    operatorId: service.userId,
    confirmTime: null,
  })
  expect(await confirm(manager, recordId)).toMatchObject({
    payState: 'success',
    confirmerId: manager.userId,
    confirmerName: 'Manager 1',
    surplus: 0,
  })
  expect(await orderOf(orderId)).toMatchObject({ status: 30, outstanding: 645_000 })
  // 3,483.34 settle the first instalment; of 516.66 the second takes 150.00 interest and 366.66
  // principal
  const { allocations } = await manager.call(api.recordDetail, { recordId })
  expect(
    allocations.map(({ serialNo, kind, principal, interest }) => [
      serialNo,
      kind,
      principal,
      interest,
    ]),
  ).toEqual([
    [1, 'repayment', 333_334, 15_000],
    [2, 'repayment', 36_666, 15_000],
  ])
  expect(
    await manager.refused(api.confirmRecord, {
      recordId,
      version: (await recordOf(recordId)).version,
      result: 'success',
    }),
  ).toMatchObject({ code: 409, problem: { id: 'M-STATE', params: { state: 'success' } } })
})

test('the person who booked a payment can neither confirm nor fail it', async () => {
  const { orderId } = await running()
  const { recordId } = await manager.call(api.addRecord, await form(orderId, 'full', 1_045_000))
  const { version } = await recordOf(recordId)
  for (const answer of [{ result: 'success' }, { result: 'fail', failReason: 'It never came' }])
    expect(
      await manager.refused(api.confirmRecord, { recordId, version, ...answer }),
    ).toMatchObject({ problem: { id: 'G-SELF' } })
  expect(
    await service.refused(api.confirmRecord, { recordId, version, result: 'success' }),
  ).toMatchObject({ code: 403 })
  expect(await confirm(other, recordId)).toMatchObject({ payState: 'success' })
  expect(await orderOf(orderId)).toMatchObject({
    status: 40,
    closeType: 'repaidClosed',
    outstanding: 0,
  })
})

test('a failed payment leaves the order unchanged and shows the reason', async () => {
  const { orderId } = await overdue()
  const { recordId } = await service.call(api.addRecord, await form(orderId, 'partial', 10_000))
  const { version } = await recordOf(recordId)
  expect(
    await manager.refused(api.confirmRecord, { recordId, version, result: 'fail' }),
  ).toMatchObject({ data: { fields: { failReason: 'required' } } })
  const before = (await floor.events()).at(-1)?.seq ?? 0
  expect(
    await confirm(manager, recordId, { result: 'fail', failReason: 'Not on the statement' }),
  ).toMatchObject({ payState: 'fail', failReason: 'Not on the statement' })
  expect(await orderOf(orderId)).toMatchObject({ status: 50 })
  expect(
    (await manager.call(orderTimeline, { orderId }))
      .slice(-2)
      .map(({ from, to, cause }) => [from, to, cause]),
  ).toEqual([
    [50, 43, 'paySubmitted'],
    [43, 50, 'payFail'],
  ])
  // the person who booked it is notified
  expect(
    (await floor.events(before))
      .filter((event) => event.type === 'notification.changed')
      .map(({ rooms, data }) => [rooms, data.titleKey]),
  ).toEqual([[[`user:${service.userId}`], 'repayments:notification.failed']])
})

test('amounts follow their rules on the day of the payment', async () => {
  const { orderId, outstanding } = await overdue()
  // twelve days of 10.00 are not charged yet; two days ago there were ten of them
  const due = (day: string) => outstanding + (12 - (day === today ? 0 : 2)) * 1_000
  const before = addDays(today, -2)
  for (const [day, payTime] of [
    [today, now()],
    [before, noon(before)],
  ] as const) {
    expect(
      (await service.call(api.quotePayment, { orderId, type: 'full', payTime })).amountDue,
    ).toBe(due(day))
    for (const [type, amount, rule] of [
      ['full', due(day) - 1, 'equal'],
      ['full', due(day) + 1, 'equal'],
      ['partial', due(day), 'less'],
      ['partial', due(day) + 1, 'less'],
    ] as const) {
      expect(
        await service.refused(api.addRecord, await form(orderId, type, amount, { payTime })),
      ).toMatchObject({
        code: 400,
        problem: { id: 'M-AMT', params: { rule, amount: due(day) } },
        data: { fields: { amount: `repayments:fault.amount.${rule}` } },
      })
    }
  }
  const { recordId } = await service.call(
    api.addRecord,
    await form(orderId, 'full', due(before), { payTime: noon(before) }),
  )
  await confirm(manager, recordId)
  expect(await orderOf(orderId)).toMatchObject({ status: 40, outstanding: 0 })
})

test('time, UPI and UTR are validated with field errors', async () => {
  const { orderId } = await running()
  const refusedFields = async (more: Record<string, unknown>) =>
    (
      (await service.refused(api.addRecord, await form(orderId, 'partial', 1_000, more))).data as {
        fields: unknown
      }
    ).fields
  expect(await refusedFields({ payTime: new Date(Date.now() + 60_000).toISOString() })).toEqual({
    payTime: 'repayments:fault.future',
  })
  expect(await refusedFields({ payTime: noon(addDays(today, -3)) })).toEqual({
    payTime: 'repayments:fault.beforeDisbursement',
  })
  expect(await refusedFields({ channel: 1, upi: '-' })).toEqual({ upi: 'repayments:fault.upi' })
  // cash requires its receipt, as a proof
  expect(await refusedFields({ channel: 3, upi: '-' })).toEqual({
    channel: 'repayments:fault.offline',
  })
  for (const [field, value] of [
    ['utr', '12345'],
    ['upi', 'nobody'],
    ['channel', 5],
    ['bankCode', 'hdfc'],
    ['amount', 0],
  ] as const)
    expect(await refusedFields({ [field]: value })).toHaveProperty(field)
  expect((await orderOf(orderId)).status).toBe(30)
})

test('a UTR is booked once, the refusal names where, and two bookings at once give one', async () => {
  const [first, second, third] = [await running(), await running(), await running()]
  const booked = await form(first.orderId, 'partial', 50_000, { utr: 'HDFC000000123456' })
  const { recordId } = await service.call(api.addRecord, booked)
  for (const utr of ['HDFC000000123456', 'hdfc000000123456']) {
    expect(
      await service.refused(api.addRecord, await form(second.orderId, 'partial', 60_000, { utr })),
    ).toMatchObject({
      code: 400,
      problem: { id: 'M-UTR', params: { orderId: first.orderId } },
      data: { orderId: first.orderId, recordId },
    })
  }
  const both = await Promise.all(
    [second, third].map(
      async ({ orderId }) =>
        (
          await service.send(
            api.addRecord,
            await form(orderId, 'partial', 60_000, { utr: '777777777777' }),
          )
        ).json<{ code: number }>().code,
    ),
  )
  expect(both.toSorted()).toEqual([200, 400])
})

test('one payment at a time, with the current version of the order, and a repeated request counts once', async () => {
  const { orderId } = await running()
  const stale = await form(orderId, 'partial', 10_000)
  const key = { 'idempotency-key': 'same-request-1' }
  const answers = await Promise.all([1, 2, 3].map(() => service.call(api.addRecord, stale, key)))
  expect(new Set(answers.map(({ recordId }) => recordId)).size).toBe(1)
  expect(
    await service.refused(api.addRecord, await form(orderId, 'partial', 10_000)),
  ).toMatchObject({ code: 409, problem: { id: 'M-OPEN' } })
  await confirm(manager, answers[0]?.recordId ?? '')
  expect(await service.refused(api.addRecord, { ...stale, utr: '888888888888' })).toMatchObject({
    code: 409,
    problem: { id: 'G409' },
  })
  const closed = await makeOrder(floor, { status: 70 })
  expect(
    await service.refused(api.addRecord, await form(closed.orderId, 'partial', 10_000)),
  ).toMatchObject({ problem: { id: 'O-STATE' } })
})

test('the preview of a late payment matches its effect and changes nothing', async () => {
  const day = addDays(today, -1)
  const made = await overdue({
    state: 'promised',
    ptpAmount: 20_000,
    ptpTime: istMidnight(today).toISOString(),
  })
  await sql`
    update collection_case set ptp_made_at = clock_timestamp() - interval '3 days' where id = ${made.caseId}`.execute(
    floor.database.kysely,
  )
  const rows = async () =>
    (
      await sql`
        select (select count(*)::int from repay_record) as records, (select count(*)::int
          from ledger_entry) as entries, (select count(*)::int
          from operate_log) as logs, (select count(*)::int from outbox_event) as events`.execute(
        floor.database.kysely,
      )
    ).rows[0]
  const before = await rows()
  const payTime = noon(day)
  const preview = await service.call(api.previewPayment, {
    orderId: made.orderId,
    repaymentType: 'partial',
    amount: 20_000,
    payTime,
  })
  // yesterday eleven days of 10.00 were due: 110.00 of the 200.00 are fine; the day since is
  // charged when the day is opened
  expect(preview).toMatchObject({
    valueDay: day,
    due: made.outstanding + 11_000,
    surplus: 0,
    status: { before: 50, after: 50 },
    overdueDays: { before: 12, after: 12 },
    outstanding: { before: made.outstanding, after: made.outstanding + 11_000 - 20_000 },
    plans: [
      {
        overdueFine: { before: 0, after: 11_000 },
        cleared: { overdueFine: 11_000, interest: 9_000, principal: 0, serviceFee: 0 },
      },
    ],
    case: { caseId: made.caseId, promise: { before: 'open', after: 'keptPart' } },
  })
  expect(await rows()).toEqual(before)
  // a refused preview shows the reason and is not logged
  expect(
    await service.refused(api.previewPayment, {
      orderId: made.orderId,
      repaymentType: 'full',
      amount: 20_000,
      payTime,
    }),
  ).toMatchObject({ problem: { id: 'M-AMT' } })
  expect(await rows()).toEqual(before)
  const { recordId } = await service.call(
    api.addRecord,
    await form(made.orderId, 'partial', 20_000, { payTime }),
  )
  const again = await manager.call(api.previewConfirmation, { recordId })
  expect({ ...again, status: { ...again.status, before: 50 } }).toMatchObject({
    status: preview.status,
    outstanding: preview.outstanding,
    case: preview.case,
  })
  await confirm(manager, recordId)
  const { order, plans } = await manager.call(orderDetail, { orderId: made.orderId })
  expect([order.status, order.outstanding, plans[0]?.overdueFine]).toEqual([
    preview.status.after,
    preview.outstanding.after,
    preview.plans[0]?.overdueFine.after,
  ])
})

test('the preview of a payment in full closes the case', async () => {
  const made = await overdue()
  const preview = await service.call(api.previewPayment, {
    orderId: made.orderId,
    repaymentType: 'full',
    amount: made.outstanding + 12_000,
    payTime: now(),
  })
  expect(preview).toMatchObject({
    status: { before: 50, after: 40 },
    outstanding: { after: 0 },
    case: { stage: { after: null } },
  })
  expect(preview.plans.map(({ paymentStatus }) => paymentStatus.after)).toEqual(['paid'])
})

test('a cooling-off exit costs principal and interest of the days used, without penalty', async () => {
  const { orderId } = await running()
  const quote = await service.call(api.quotePayment, { orderId, type: 'coolingOff' })
  // on the day of the loan no day is used yet
  expect(quote).toMatchObject({
    amountDue: 1_000_000,
    coolingOff: { daysUsed: 0, principal: 1_000_000, proportionateCharge: 0 },
  })
  const { repaymentType: _, ...fields } = await form(orderId, 'full', 1_000_000)
  expect(await service.refused(exitCoolingOff, { ...fields, amount: 1_045_000 })).toMatchObject({
    problem: { id: 'M-AMT', params: { rule: 'equal', amount: 1_000_000 } },
  })
  const { recordId } = await service.call(exitCoolingOff, fields)
  // the order keeps its status until the money arrives, and accepts no other payment meanwhile
  expect((await orderOf(orderId)).status).toBe(30)
  expect(
    await service.refused(api.addRecord, await form(orderId, 'partial', 10_000)),
  ).toMatchObject({ problem: { id: 'M-OPEN' } })
  await confirm(manager, recordId)
  const { order, plans, ledger } = await manager.call(orderDetail, { orderId })
  expect(order).toMatchObject({ status: 40, outstanding: 0, closeType: 'repaidClosed' })
  expect(plans.every((plan) => plan.paymentStatus === 'paid' && plan.outstanding === 0)).toBe(true)
  const given = ledger
    .filter((entry) => entry.kind === 'coolingOffWaiver')
    .map(({ account, debit, credit }) => [account, debit - credit])
  expect(given.filter(([account]) => account === 'interestIncome')).toEqual([
    ['interestIncome', 45_000],
  ])
  expect((await manager.call(orderTimeline, { orderId })).at(-1)).toMatchObject({
    from: 30,
    to: 40,
    cause: 'coolingOffExit',
  })
})

test('an exit that failed or comes after the period changes nothing', async () => {
  const { orderId } = await running()
  const { repaymentType: _, ...fields } = await form(orderId, 'full', 1_000_000)
  const { recordId } = await service.call(exitCoolingOff, fields)
  await confirm(manager, recordId, { result: 'fail', failReason: 'Not on the statement' })
  expect(await orderOf(orderId)).toMatchObject({ status: 30, outstanding: 1_045_000 })
  await sql`
    update loan_order set cooling_off_until = clock_timestamp() - interval '1 hour' where id = ${orderId}`.execute(
    floor.database.kysely,
  )
  expect(await service.refused(api.quotePayment, { orderId, type: 'coolingOff' })).toMatchObject({
    problem: { id: 'O-RULE', params: { reason: 'coolingOffOver' } },
  })
  expect(
    await service.refused(exitCoolingOff, {
      ...fields,
      version: (await orderOf(orderId)).version,
      utr: '999999999991',
      payTime: now(),
    }),
  ).toMatchObject({ problem: { id: 'O-RULE' } })
})

test('instalments are found by each filter, soonest due first', async () => {
  const made = await overdue()
  const all = await manager.call(api.listPlans, {})
  const open = all.rows.filter((row) => row.outstanding > 0)
  expect(all.rows.slice(0, open.length)).toEqual(open)
  expect(open.map((row) => row.dueTime)).toEqual(open.map((row) => row.dueTime).toSorted())
  const [row] = (await manager.call(api.listPlans, { orderId: made.orderId })).rows
  expect(row).toMatchObject({
    orderId: made.orderId,
    serialNo: 1,
    overdueDays: 12,
    paymentStatus: 'overdue',
    dueTime: addDays(today, -12),
    phone: expect.stringMatching(/^XXXXXX\d{4}$/) as string,
  })
  const found = async (input: object) =>
    (await manager.call(api.listPlans, { ...input, pageSize: 200 })).rows.some(
      ({ planId }) => planId === row?.planId,
    )
  const phone =
    (
      await sql<{
        id: string
      }>`select o.customer_id as id from loan_order o where o.id = ${made.orderId}`.execute(
        floor.database.kysely,
      )
    ).rows[0]?.id ?? ''
  for (const input of [
    { planId: row?.planId },
    { userId: phone },
    { userName: row?.userName.toLowerCase() },
    { paymentStatus: 'overdue,paid' },
    { overdueFrom: 12, overdueTo: 12 },
    { dueTimeFrom: noon(addDays(today, -12)), dueTimeTo: noon(addDays(today, -12)) },
    { appId: 'A1' },
  ])
    expect(await found(input), JSON.stringify(input)).toBe(true)
  for (const input of [
    { paymentStatus: 'paid' },
    { overdueFrom: 13 },
    { dueTimeTo: noon(addDays(today, -13)) },
    { productId: 'NONE' },
  ])
    expect(await found(input), JSON.stringify(input)).toBe(false)
  const due = (await manager.call(api.listPlans, { sort: 'dueTime:desc' })).rows.map(
    ({ dueTime }) => dueTime,
  )
  expect(due).toEqual(due.toSorted().toReversed())
  expect(await manager.refused(api.listPlans, { sort: 'phone:asc' })).toMatchObject({
    data: { fields: { sort: 'unknown' } },
  })
})

test('a collector sees only the payments of their own cases', async () => {
  const [own, strange] = [await overdue(), await running()]
  const specialist = await floor.signIn(holder.account)
  const ids = (await specialist.call(api.listPlans, { pageSize: 200 })).rows.map(
    ({ orderId }) => orderId,
  )
  expect(ids).toContain(own.orderId)
  expect(ids).not.toContain(strange.orderId)
  const [plan] = (await manager.call(api.listPlans, { orderId: strange.orderId })).rows
  const { recordId } = await service.call(
    api.addRecord,
    await form(strange.orderId, 'partial', 10_000),
  )
  for (const [call, input] of [
    [api.planDetail, { planId: plan?.planId }],
    [api.quotePayment, { orderId: strange.orderId, type: 'full' }],
    [api.recordDetail, { recordId }],
  ] as const) {
    expect(await specialist.refused(call, input), call.path).toMatchObject({
      problem: { id: 'G404' },
    })
  }
  expect((await specialist.call(api.listRecords, { recordId })).rows).toEqual([])
})

test('a payment for an unknown order comes first, cannot be confirmed, and can be failed', async () => {
  const { orderId } = await running()
  await service.call(api.addRecord, await form(orderId, 'partial', 10_000))
  const channel = await machineOf(floor, ['payment'])
  const payment = await channel.call(inboundPayment, {
    vendorOrderNo: 'V-lost',
    orderId: 'L404',
    amount: 77_700,
    channel: 1,
    result: 'success',
    utr: '555555555555',
    payTime: '2026-01-01T06:00:00Z',
  })
  const [first] = (await manager.call(api.listRecords, {})).rows
  expect(first).toMatchObject({
    recordId: payment.recordId,
    orderId: null,
    toldOrderId: 'L404',
    flag: 'unknownOrder',
    payState: 'inProgress',
    userName: null,
  })
  expect(
    await manager.refused(api.confirmRecord, {
      recordId: payment.recordId,
      version: first?.version,
      result: 'success',
    }),
  ).toMatchObject({ problem: { id: 'O-RULE', params: { reason: 'unknownOrder' } } })
  expect(
    await confirm(manager, payment.recordId, {
      result: 'fail',
      failReason: 'Sent back to the payer',
    }),
  ).toMatchObject({ payState: 'fail' })
  const by = async (input: object) =>
    (await manager.call(api.listRecords, input)).rows.map(({ recordId }) => recordId)
  expect(await by({ orderId: 'L404' })).toEqual([payment.recordId])
  expect(
    await by({
      source: 'callback',
      payState: 'fail',
      channel: 1,
      payTimeTo: '2026-01-02T00:00:00Z',
    }),
  ).toEqual([payment.recordId])
  expect(await by({ payState: 'success', recordId: payment.recordId })).toEqual([])
})

test('the detail of an instalment shows its fines by day and what each payment cleared', async () => {
  const made = await overdue()
  const { recordId } = await service.call(
    api.addRecord,
    await form(made.orderId, 'partial', 15_000),
  )
  await confirm(manager, recordId)
  const [row] = (await manager.call(api.listPlans, { orderId: made.orderId })).rows
  const detail = await manager.call(api.planDetail, { planId: row?.planId ?? '' })
  // 150.00: twelve days of 10.00 fine, 30.00 interest
  expect(detail.fines).toEqual([{ date: today, fine: 12_000 }])
  expect(detail.allocations).toEqual([
    {
      recordId,
      kind: 'repayment',
      principal: 0,
      interest: 3_000,
      serviceFee: 0,
      overdueFine: 12_000,
    },
  ])
  expect(detail.records).toMatchObject([{ recordId, payState: 'success' }])
  expect(
    detail.open.principal + detail.open.interest + detail.open.serviceFee + detail.open.overdueFine,
  ).toBe(detail.plan.outstanding)
  expect(detail).toMatchObject({
    order: {
      orderId: made.orderId,
      status: 50,
      penalty: [{ dayFrom: 1, dayTo: null, rate: 10, capRatio: null }],
    },
    siblings: [{ planId: row?.planId }],
  })
})
