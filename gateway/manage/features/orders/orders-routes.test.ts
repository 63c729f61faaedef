import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SETUP_MENU } from '#shared/collection/setup-menu.ts'
import { WORK_MENU } from '#shared/collection/work-menu.ts'
import { inboundCancel } from '#shared/orders/inbound-api.ts'
import { cancelOrder, remarkOrder } from '#shared/orders/orders-api.ts'
import { orderDetail, orderTimeline } from '#shared/orders/order-detail-api.ts'
import { DISBURSEMENT_MENU } from '#shared/orders/disbursement-menu.ts'
import { ORDERS_MENU } from '#shared/orders/orders-menu.ts'
import { REPAYMENTS_MENU } from '#shared/repayments/repayments-menu.ts'
import { REVIEW_MENU } from '#shared/review/review-menu.ts'
import { liveRooms } from '#shared/session/session-api.ts'
import { makeCase } from '#tests/factories/cases.ts'
import { makeOrder } from '#tests/factories/orders.ts'
import { makeCollector, makeUnit } from '#tests/factories/units.ts'
import { machineOf } from '#tests/support/machine.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { ORDERS_AUDIENCE } from './orders-audience.ts'
import { ordersRoutes } from './orders-routes.ts'

let floor: Floor
let manager: Person
let service: Person
/** Orders whose review was ended in the transaction of the cancellation. */
const ended: string[] = []

beforeAll(async () => {
  floor = await testManage({
    parts: (context) => ({
      menus: [
        ...ORDERS_MENU,
        ...DISBURSEMENT_MENU,
        ...REPAYMENTS_MENU,
        ...REVIEW_MENU,
        ...SETUP_MENU,
        ...WORK_MENU,
      ],
      audiences: [ORDERS_AUDIENCE],
      routes: (base) =>
        ordersRoutes(base, context, {
          whenCancelled: [
            async (tx, orderId) => {
              const { rows } = await sql<{
                status: number
              }>`select o.status from loan_order o where o.id = ${orderId}`.execute(tx.db)
              if (rows[0]?.status === 70) ended.push(orderId)
            },
          ],
        }),
    }),
  })
  manager = await floor.signIn('manager')
  service = await floor.signIn('customer_service')
})
afterAll(() => floor.close())

async function newestSeq(): Promise<number> {
  return (await floor.events()).at(-1)?.seq ?? 0
}

test('10, 20, 22 and 26 can be cancelled, which ends the review and emits to all entitled', async () => {
  for (const status of [10, 20, 22, 26] as const) {
    const { orderId } = await makeOrder(floor, { status })
    const { order } = await service.call(orderDetail, { orderId })
    const before = await newestSeq()
    const row = await service.call(cancelOrder, {
      orderId,
      version: order.version,
      reason: 'Customer found a cheaper loan',
    })
    expect(row).toMatchObject({
      orderId,
      status: 70,
      closeType: 'notClosed',
      version: order.version + 1,
    })
    expect(row.closeTime).not.toBeNull()
    expect(ended.at(-1)).toBe(orderId)
    expect(await floor.events(before)).toMatchObject([
      {
        type: 'order.status.changed',
        data: { from: status, to: 70, cause: 'cancel', closeTime: row.closeTime },
      },
    ])
    expect((await service.call(orderTimeline, { orderId })).at(-1)).toMatchObject({
      from: status,
      to: 70,
      by: 'Customer service 1',
      cause: 'cancel',
      note: 'Customer found a cheaper loan',
    })
  }
})

test('other statuses cannot be cancelled; the refusal carries the fresh order', async () => {
  for (const status of [21, 23, 27, 29, 30, 31, 70] as const) {
    const { orderId } = await makeOrder(floor, { status })
    const { order } = await manager.call(orderDetail, { orderId })
    expect(
      await manager.refused(cancelOrder, {
        orderId,
        version: order.version,
        reason: 'No reason at all',
      }),
    ).toMatchObject({
      code: 409,
      problem: { id: 'O-STATE' },
      data: { orderId, status, version: order.version },
    })
  }
})

test('a repeated cancellation request gets an identical response and has one effect', async () => {
  const { orderId } = await makeOrder(floor)
  const key = { 'idempotency-key': randomUUID() }
  const input = { orderId, version: 1, reason: 'Customer withdrew' }
  const count = ended.length
  const answers = await Promise.all([1, 2, 3].map(() => service.send(cancelOrder, input, key)))
  expect(new Set(answers.map((answer) => answer.body)).size).toBe(1)
  expect(answers[0]?.json<{ code: number }>().code).toBe(200)
  expect(ended.length).toBe(count + 1)
  expect(
    await service.refused(cancelOrder, { ...input, reason: 'Another reason' }, key),
  ).toMatchObject({ problem: { id: 'G-IK' } })
})

test('a cancellation with an outdated version is refused with the fresh row', async () => {
  const { orderId } = await makeOrder(floor, { status: 20 })
  expect(
    await service.refused(cancelOrder, { orderId, version: 1, reason: 'Customer withdrew' }),
  ).toMatchObject({
    code: 409,
    problem: { id: 'G409', params: { userName: 'test' } },
    data: { status: 20, version: 2 },
  })
})

test('a cancellation needs the permission, an idempotency key and a reason', async () => {
  const { orderId } = await makeOrder(floor)
  const input = { orderId, version: 1, reason: 'Customer withdrew' }
  expect(await (await floor.signIn('director')).refused(cancelOrder, input)).toMatchObject({
    code: 403,
  })
  expect(await service.refused(cancelOrder, { ...input, reason: 'no' })).toMatchObject({
    code: 400,
    data: { fields: { reason: 'minLength' } },
  })
  expect(await service.refused(cancelOrder, { ...input, orderId: 'L-none' })).toMatchObject({
    problem: { id: 'G404' },
  })
  const answer = await floor.manage.app.inject({
    method: 'POST',
    url: '/api/manage/order/cancel',
    headers: { authorization: service.token },
    payload: input,
  })
  expect(answer.json<{ problem: { id: string } }>().problem.id).toBe('G-KEY')
})

test('the customer can withdraw once through the app', async () => {
  const machine = await machineOf(floor, ['application'])
  const { orderId } = await makeOrder(floor, { status: 26 })
  expect(
    await machine.call(inboundCancel, { orderId, reason: 'I changed my mind' }, { eventId: 'C-1' }),
  ).toEqual({ orderId, status: 70 })
  expect(
    await machine.call(inboundCancel, { orderId, reason: 'I changed my mind' }, { eventId: 'C-1' }),
  ).toEqual({ orderId, status: 70 })
  expect(ended.filter((id) => id === orderId)).toHaveLength(1)
  expect(
    await machine.refused(
      inboundCancel,
      { orderId, reason: 'I changed my mind' },
      { eventId: 'C-2' },
    ),
  ).toMatchObject({ problem: { id: 'O-STATE' } })
  expect(
    await machine.refused(inboundCancel, { orderId: 'L-none', reason: 'I changed my mind' }),
  ).toMatchObject({ problem: { id: 'G404' } })
})

test('the detail shows the whole history of a loan with masked values', async () => {
  const made = await makeOrder(floor, { status: 30, amount: 1_000_000 })
  const detail = await manager.call(orderDetail, { orderId: made.orderId })
  expect(detail.order).toMatchObject({ orderId: made.orderId, status: 30, outstanding: 1_045_000 })
  expect(detail.customer).toMatchObject({
    userId: made.customerId,
    phone: `XXXXXX${made.phone.slice(-4)}`,
    city: 'Pune',
    orderCount: 1,
    settlementCount: 0,
    blacklisted: false,
  })
  // 9,000.00 received, 3,483.34 and twice 3,483.33 repaid, 30 days apart: 7.8576 % per period,
  // × 365 / 30
  expect(detail.terms).toEqual({
    serviceRate: 1_000,
    dailyRate: 5,
    penalty: [{ dayFrom: 1, dayTo: null, rate: 10, capRatio: null }],
    periods: 3,
    daysPerPeriod: 30,
    coolingOffDays: 3,
    apr: 9_560,
    emi: null,
  })
  expect(
    detail.plans.map((plan) => [
      plan.serialNo,
      plan.principal,
      plan.interest,
      plan.amountDue,
      plan.outstanding,
      plan.paymentStatus,
    ]),
  ).toEqual([
    [1, 333_334, 15_000, 348_334, 348_334, 'unpaid'],
    [2, 333_333, 15_000, 348_333, 348_333, 'unpaid'],
    [3, 333_333, 15_000, 348_333, 348_333, 'unpaid'],
  ])
  expect(detail.plans.at(-1)?.dueTime).toBe(detail.order.dueTime)
  expect(detail.transfers).toMatchObject([
    {
      platformOrderNo: made.platformOrderNo,
      payState: 'success',
      amount: 900_000,
      attemptNo: 1,
      utr: '123456789012',
      transferType: 'IMPS',
    },
  ])
  expect(detail.transfers[0]?.account).toMatch(/^XXXXXX\d{4}$/)
  expect(detail.ledger.reduce((sum, entry) => sum + entry.debit - entry.credit, 0)).toBe(0)
})

test('the detail lists the actions that the status allows and the caller may perform', async () => {
  const reviewing = await makeOrder(floor, { status: 22 })
  const running = await makeOrder(floor, { status: 30 })
  expect((await manager.call(orderDetail, { orderId: reviewing.orderId })).allowed).toEqual([
    'CANCEL',
  ])
  expect(
    (await (await floor.signIn('director')).call(orderDetail, { orderId: reviewing.orderId }))
      .allowed,
  ).toEqual([])
  expect(
    (await manager.call(orderDetail, { orderId: running.orderId })).allowed.toSorted(),
  ).toEqual(['COOLING_OFF_EXIT', 'OPS_WRITE_OFF', 'PAY_SUBMITTED'])
  expect(
    (await service.call(orderDetail, { orderId: running.orderId })).allowed.toSorted(),
  ).toEqual(['COOLING_OFF_EXIT', 'PAY_SUBMITTED'])
  await sql`
    update loan_order set cooling_off_until = clock_timestamp() - interval '1 minute'
      where id = ${running.orderId}`.execute(floor.database.kysely)
  expect((await service.call(orderDetail, { orderId: running.orderId })).allowed).toEqual([
    'PAY_SUBMITTED',
  ])
  const failed = await makeOrder(floor, { status: 31 })
  expect((await manager.call(orderDetail, { orderId: failed.orderId })).allowed.toSorted()).toEqual(
    ['CANCEL_DISBURSEMENT', 'RETRY_PAYOUT'],
  )
  expect((await service.call(orderDetail, { orderId: failed.orderId })).allowed).toEqual([])
})

test('the detail names the newest case of the order to users who may open it', async () => {
  const unit = await makeUnit(floor, { weight: 100, inHouse: true })
  const { userId, account } = await makeCollector(floor, unit)
  const { orderId, caseId } = await makeCase(floor, { overdueDays: 12, collectorId: userId })
  const collector = await floor.signIn(account)
  const caseOf = async (person: Person, id: string) =>
    (await person.call(orderDetail, { orderId: id })).caseId
  expect([
    await caseOf(manager, orderId),
    await caseOf(service, orderId),
    await caseOf(collector, orderId),
  ]).toEqual([caseId, caseId, caseId])
  expect(await caseOf(manager, (await makeOrder(floor, { status: 30 })).orderId)).toBeNull()
  // users without a case screen do not see the case
  await sql`
    delete from sys_role_menu x using sys_role g where g.id = x.role_id
      and g.unique_mark = 'customer_service' and x.menu_id in ('M_pedding_list', 'M_peded_list')`.execute(
    floor.database.kysely,
  )
  expect(await caseOf(await floor.signIn('customer_service'), orderId)).toBeNull()
})

test('a note appears in the detail, is emitted, and does not change the version', async () => {
  const { orderId } = await makeOrder(floor)
  const before = await newestSeq()
  await service.call(remarkOrder, { orderId, remark: 'Called: salary on the 1st' })
  const detail = await service.call(orderDetail, { orderId })
  expect(detail.remarks).toMatchObject([
    { by: 'Customer service 1', remark: 'Called: salary on the 1st' },
  ])
  expect(detail.order.version).toBe(1)
  expect(await floor.events(before)).toMatchObject([
    {
      type: 'order.updated',
      rooms: [`order:${orderId}`, 'scope:all'],
      data: { orderId, fields: ['remarks'] },
    },
  ])
  expect(await service.refused(remarkOrder, { orderId: 'L-none', remark: 'x' })).toMatchObject({
    problem: { id: 'G404' },
  })
})

test('an order outside the caller’s scope is answered like a missing one on every route', async () => {
  const { orderId } = await makeOrder(floor, { status: 22 })
  const reviewer = await floor.signIn('reviewer')
  for (const call of [orderDetail, orderTimeline] as const) {
    expect(await reviewer.refused(call, { orderId })).toEqual(
      await reviewer.refused(call, { orderId: 'L-none' }),
    )
  }
  expect(await reviewer.call(liveRooms, { watch: `order:${orderId}` })).toMatchObject({
    refused: [`order:${orderId}`],
  })
  const shown = await manager.call(liveRooms, { watch: `order:${orderId},order:L-none` })
  expect(shown.refused).toEqual(['order:L-none'])
  expect(shown.rooms).toContain(`order:${orderId}`)
})

test('the timeline lists the steps in order', async () => {
  const { orderId } = await makeOrder(floor, { status: 31 })
  const timeline = await manager.call(orderTimeline, { orderId })
  expect(timeline.map((step) => [step.from, step.to, step.cause])).toEqual([
    [null, 10, 'submit'],
    [10, 20, 'test'],
    [20, 29, 'payoutDispatch'],
    [29, 31, 'payoutFail'],
  ])
})
