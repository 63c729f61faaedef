import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { approvalDetail } from '#shared/approvals/approval-detail-api.ts'
import { decideApproval, listApprovals } from '#shared/approvals/approvals-api.ts'
import * as api from '#shared/orders/disbursement-api.ts'
import { DISBURSEMENT_MENU } from '#shared/orders/disbursement-menu.ts'
import { inboundPayout } from '#shared/orders/inbound-api.ts'
import { orderDetail } from '#shared/orders/order-detail-api.ts'
import { ORDERS_MENU } from '#shared/orders/orders-menu.ts'
import { makeOrder, type OrderGiven } from '#tests/factories/orders.ts'
import { machineOf } from '#tests/support/machine.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { approvalsRoutes } from '#gateway/manage/features/approvals/approvals-routes.ts'
import { ordersRoutes } from '../orders-routes.ts'
import { disbursementRoutes } from './disbursement-routes.ts'
import { redisburseApproval } from './resend-payout.ts'
import { transferNotPaidApproval, transferPaidApproval } from './resolve-conflict.ts'
import { cancelDisbursementJob, redisburseJob } from './retry-payouts.ts'

let floor: Floor
let manager: Person
let service: Person
let director: Person
beforeAll(async () => {
  floor = await testManage({
    parts: (context) => ({
      menus: [...ORDERS_MENU, ...DISBURSEMENT_MENU],
      jobTypes: [redisburseJob, cancelDisbursementJob],
      routes: (base) => {
        ordersRoutes(base, context, { whenCancelled: [] })
        disbursementRoutes(base, context)
        approvalsRoutes(base, context, {
          kinds: [redisburseApproval, transferPaidApproval, transferNotPaidApproval],
        })
      },
    }),
  })
  ;[manager, service, director] = await Promise.all([
    floor.signIn('manager'),
    floor.signIn('customer_service'),
    floor.signIn('director'),
  ])
})
afterAll(() => floor.close())

/** @param cardBound, blacklisted state after the failure */
async function failed({ cardBound = true, blacklisted = false, ...given }: OrderGiven = {}) {
  const order = await makeOrder(floor, { status: 31, vendorCode: 'sandbox', ...given })
  if (!cardBound)
    await run(
      sql`update bank_card set bind_state = 'notBound' where customer_id = ${order.customerId}`,
    )
  if (blacklisted)
    await run(sql`update customer set blacklisted = true where id = ${order.customerId}`)
  return order
}
const run = (text: ReturnType<typeof sql>) => text.execute(floor.database.kysely)
const reasons = ({
  failed: rows,
}: {
  failed: { id: string; params?: Record<string, unknown> }[]
}) => rows.map((row) => row.params?.reason)

test('failed disbursements are listed with their last transfer, oldest failure first', async () => {
  const [late, early] = [await failed({ amount: 1_200_000, cardBound: false }), await failed()]
  await run(
    sql`update payout_transfer set fail_at = fail_at - interval '2 days' where order_id = ${early.orderId}`,
  )
  const { rows } = await service.call(api.listWaiting, {})
  expect(
    rows.map((row) => row.orderId).filter((id) => [late.orderId, early.orderId].includes(id)),
  ).toEqual([early.orderId, late.orderId])
  expect(rows.find((row) => row.orderId === late.orderId)).toMatchObject({
    status: 31,
    amount: 1_200_000,
    arrivalAmount: 1_080_000,
    attempts: 1,
    vendorCode: 'sandbox',
    failReason: 'Beneficiary account closed',
    payeeName: late.name,
    account: expect.stringMatching(/^XXXXXX\d{4}$/),
    bindState: 'notBound',
    nameSimilarity: 9_500,
  })
  expect(
    (
      await service.call(api.listWaiting, {
        failReason: 'beneficiary',
        attemptFrom: 1,
        attemptTo: 1,
        vendorCode: 'sandbox',
        orderId: late.orderId,
      })
    ).total,
  ).toBe(1)
  expect((await service.call(api.listWaiting, { attemptFrom: 2 })).total).toBe(0)
})

test('a retried order disburses through a new transfer', async () => {
  const order = await failed()
  const before = (await floor.events()).at(-1)?.seq ?? 0
  expect(
    await manager.call(api.redisburse, { orderIds: [order.orderId], transferType: 'NEFT' }),
  ).toEqual({ ok: [order.orderId], failed: [], asked: [] })
  const { order: now, transfers } = await manager.call(orderDetail, { orderId: order.orderId })
  expect([now.status, now.failReason]).toEqual([29, null])
  expect(
    transfers.map(({ attemptNo, payState, transferType, platformOrderNo }) => [
      attemptNo,
      payState,
      transferType,
      platformOrderNo,
    ]),
  ).toEqual([
    [2, 'inProgress', 'NEFT', `${order.orderId}-2`],
    [1, 'fail', 'IMPS', `${order.orderId}-1`],
  ])
  expect((await floor.events(before)).map(({ type }) => type)).toEqual([
    'order.status.changed',
    'payout.changed',
  ])
  const again = await manager.call(api.redisburse, { orderIds: [order.orderId] })
  expect(again.failed).toMatchObject([{ id: order.orderId, problem: 'O-STATE' }])
})

test('the same request sent twice pays once', async () => {
  const order = await failed()
  const input = { orderIds: [order.orderId] }
  const [one, two] = await Promise.all([
    manager.call(api.redisburse, input, { 'idempotency-key': 'twice-the-same-1' }),
    manager.call(api.redisburse, input, { 'idempotency-key': 'twice-the-same-1' }),
  ])
  expect(one).toEqual(two)
  const { rows } = await sql<{
    count: number
  }>`select count(*)::int as count from payout_transfer t where t.order_id = ${order.orderId}`.execute(
    floor.database.kysely,
  )
  expect(rows[0]?.count).toBe(2)
})

test('obstacles are previewed and refused row by row; the other rows are sent', async () => {
  const good = await failed()
  const unbound = await failed({ cardBound: false })
  const listed = await failed({ blacklisted: true })
  const large = await failed({ amount: 6_000_000 })
  const spent = await failed()
  await run(sql`update payout_transfer set attempt_no = 3 where order_id = ${spent.orderId}`)
  const rebound = await failed()
  await run(sql`update payout_transfer set attempt_no = 3 where order_id = ${rebound.orderId}`)
  await run(
    sql`update bank_card set created_at = clock_timestamp() where customer_id = ${rebound.customerId}`,
  )
  const orderIds = [good, unbound, listed, large, spent, rebound].map((order) => order.orderId)
  const preview = await manager.call(api.previewFailed, { orderIds, action: 'redisburse' })
  expect(preview).toMatchObject({
    ready: [good.orderId, rebound.orderId].toSorted(),
    amount: 1_800_000,
    toApprove: [large.orderId],
    toApproveAmount: 5_400_000,
  })
  expect(
    Object.fromEntries(preview.excluded.map(({ orderId, reason }) => [orderId, reason])),
  ).toEqual({
    [unbound.orderId]: 'cardNotBound',
    [listed.orderId]: 'blacklisted',
    [spent.orderId]: 'attemptsSpent',
  })
  const { rows } = await manager.call(api.listWaiting, { pageSize: 200 })
  expect(
    orderIds.map((id) => rows.find(({ orderId }) => orderId === id)?.resend),
    'the list says the same beforehand',
  ).toEqual(['ready', 'cardNotBound', 'blacklisted', 'ready', 'attemptsSpent', 'ready'])
  const done = await manager.call(api.redisburse, { orderIds })
  expect(done.ok).toEqual(preview.ready)
  expect([reasons(done), done.asked]).toEqual([
    ['cardNotBound', 'blacklisted', 'attemptsSpent'],
    [large.orderId],
  ])
  // 6,00,000.00 exceeds the IMPS limit; below the parameter no approval is requested
  await run(sql`update sys_config set value = '99999999999' where code = 'payout.checkAbove'`)
  const huge = await failed({ amount: 60_000_000, product: { id: 'PRH', maxAmount: 90_000_000 } })
  expect(
    reasons(await manager.call(api.redisburse, { orderIds: [huge.orderId], transferType: 'IMPS' })),
  ).toEqual(['transferType'])
  expect((await manager.call(api.redisburse, { orderIds: [huge.orderId] })).ok).toEqual([
    huge.orderId,
  ])
  await run(sql`update sys_config set value = '5000000' where code = 'payout.checkAbove'`)
})

test('above the single-person limit a second person decides under the same rules', async () => {
  const [order, other] = [await failed({ amount: 6_000_000 }), await failed({ amount: 6_000_000 })]
  const orderIds = [order.orderId, other.orderId]
  expect(await manager.call(api.redisburse, { orderIds })).toMatchObject({
    ok: [],
    failed: [],
    asked: orderIds,
  })
  expect((await manager.call(api.redisburse, { orderIds: [order.orderId] })).failed).toMatchObject([
    { problem: 'A-OPEN' },
  ])
  expect((await manager.call(api.listWaiting, { orderId: order.orderId })).rows).toMatchObject([
    { approval: { kind: 'redisburse', requestById: manager.userId } },
  ])
  expect(
    (await manager.call(orderDetail, { orderId: order.orderId })).order.approval,
  ).toMatchObject({ kind: 'redisburse' })
  const requests = async () =>
    (await director.call(listApprovals, { kind: 'redisburse', state: 'pending' })).rows
  const of = async (orderId: string) => (await requests()).find((row) => row.targetId === orderId)
  const request = await of(order.orderId)
  expect(request).toMatchObject({
    amount: 5_400_000,
    count: 1,
    reason: 'Beneficiary account closed',
    mayDecide: true,
  })
  if (!request) throw new Error('no request')
  expect(
    (await director.call(approvalDetail, { approvalId: request.approvalId })).effect,
  ).toMatchObject({
    obstacle: null,
    facts: [
      { name: 'failReason', value: 'Beneficiary account closed' },
      { name: 'utr', value: null },
    ],
    changes: expect.arrayContaining([
      { name: 'orderStatus', kind: 'orderStatus', before: 31, after: 29 },
      { name: 'attempts', kind: 'number', before: 1, after: 2 },
      expect.objectContaining({ name: 'account', after: expect.stringMatching(/^XXXXXX\d{4}$/) }),
    ]),
  })
  const decided = {
    approvalId: request.approvalId,
    version: request.version,
    result: 'approved' as const,
  }
  expect(await manager.refused(decideApproval, decided)).toMatchObject({
    problem: { id: 'G-SELF' },
  })
  await director.call(decideApproval, decided)
  expect((await manager.call(orderDetail, { orderId: order.orderId })).order).toMatchObject({
    status: 29,
    approval: null,
  })
  await manager.call(api.cancelDisbursement, {
    orderIds: [other.orderId],
    reason: 'Customer does not want it any more',
  })
  const late = await of(other.orderId)
  if (!late) throw new Error('no request')
  expect(
    (await director.call(approvalDetail, { approvalId: late.approvalId })).effect,
  ).toMatchObject({ changes: [], obstacle: { problem: 'O-STATE' } })
  expect(
    await director.refused(decideApproval, {
      approvalId: late.approvalId,
      version: late.version,
      result: 'approved',
    }),
  ).toMatchObject({ problem: { id: 'O-STATE' } })
  expect(await of(other.orderId)).toMatchObject({ state: 'pending' })
})

test('success after fail waits for a person, who decides between a loan and a retry', async () => {
  const machine = await machineOf(floor, ['payout'])
  const orders = [await failed(), await failed()]
  await run(sql`update payout_transfer set vendor_order_no = null where pay_state = 'fail'`)
  for (const { orderId } of orders)
    await machine.call(inboundPayout, {
      platformOrderNo: `${orderId}-1`,
      vendorOrderNo: `V-${orderId}`,
      result: 'success',
      utr: `5${orderId.replace(/\D/g, '').padStart(11, '0').slice(-11)}`,
    })
  for (const [i, outcome] of (['paid', 'notPaid'] as const).entries()) {
    const { orderId } = orders[i] as (typeof orders)[number]
    const { rows } = await manager.call(api.listTransfers, { orderId, conflict: true })
    const [transfer] = rows
    expect(transfer).toMatchObject({ payState: 'fail', conflict: 'success', conflictOutcome: null })
    const { transferId, version } = transfer as (typeof rows)[number]
    const { approvalId } = await manager.call(api.resolveTransfer, {
      transferId,
      version,
      outcome,
      reason: 'The bank says so',
    })
    const pending = await director.call(approvalDetail, { approvalId })
    expect(pending.approval.state).toBe('pending')
    await director.call(decideApproval, {
      approvalId,
      version: pending.approval.version,
      result: 'approved',
    })
    expect((await manager.call(api.listTransfers, { orderId, conflict: true })).total).toBe(0)
  }
  const statusOf = async ({ orderId }: { orderId: string }) =>
    (await manager.call(orderDetail, { orderId })).order.status
  expect(await Promise.all(orders.map(statusOf))).toEqual([30, 31])
  const { orderId } = orders[1] as (typeof orders)[number]
  expect(await manager.call(api.redisburse, { orderIds: [orderId] })).toMatchObject({
    ok: [orderId],
  })
})

test('a disbursement can be given up only when no money can have left', async () => {
  const [order, doubtful] = [await failed(), await failed()]
  await run(
    sql`
      insert into operate_log (user_name, action, target_kind, target_id, result)
        select 'payout', 'payout.conflict', 'transfer', t.id, 'ok' from payout_transfer t
        where t.order_id = ${doubtful.orderId}`,
  )
  const orderIds = [order.orderId, doubtful.orderId]
  expect(await manager.call(api.previewFailed, { orderIds, action: 'cancel' })).toMatchObject({
    ready: [order.orderId],
    excluded: [{ orderId: doubtful.orderId, reason: 'notProven' }],
  })
  const done = await manager.call(api.cancelDisbursement, {
    orderIds,
    reason: 'Customer does not want it any more',
  })
  expect([done.ok, reasons(done)]).toEqual([[order.orderId], ['notProven']])
  expect((await manager.call(orderDetail, { orderId: order.orderId })).order).toMatchObject({
    status: 70,
  })
  expect(await manager.refused(api.cancelDisbursement, { orderIds, reason: 'no' })).toMatchObject({
    data: { fields: { reason: 'minLength' } },
  })
})

test('more rows than one call accepts are sent by a job', async () => {
  await run(sql`update sys_config set value = '1' where code = 'bulk.syncMax'`)
  const orders = [await failed(), await failed({ cardBound: false })]
  const { jobId, ok } = await manager.call(api.redisburse, {
    orderIds: orders.map((order) => order.orderId),
  })
  expect([typeof jobId, ok]).toEqual(['string', []])
  await floor.settle()
  const { rows } = await sql<{
    ok: number
    fail: number
    state: string
  }>`select j.ok, j.fail, j.state from job j where j.id = ${jobId}`.execute(floor.database.kysely)
  expect(rows).toEqual([{ ok: 1, fail: 1, state: 'done' }])
  await run(sql`update sys_config set value = '50' where code = 'bulk.syncMax'`)
})

test('loans are listed from disbursement onward, with the last transfer', async () => {
  const [loan, passed] = [
    await makeOrder(floor, { status: 30 }),
    await makeOrder(floor, { status: 20 }),
  ]
  const { rows } = await service.call(api.listLoans, { pageSize: 200 })
  expect(rows.find((row) => row.orderId === loan.orderId)).toMatchObject({
    status: 30,
    vendorCode: 'elsewhere',
    payState: 'success',
    disburseTime: expect.any(String),
  })
  expect(rows.some((row) => row.orderId === passed.orderId)).toBe(false)
  expect(
    new Set(
      (
        await service.call(api.listLoans, {
          vendorCode: 'elsewhere',
          status: '30',
          sort: 'disburseTime:desc',
        })
      ).rows.map((row) => row.orderId),
    ),
  ).toEqual(new Set([loan.orderId]))
  expect(
    (await service.call(api.listLoans, { disburseTimeFrom: '2099-01-01T00:00:00.000Z' })).total,
  ).toBe(0)
})

test('transfers can be filtered by number, state and vendor, and accounts are masked', async () => {
  const { orderId } = await makeOrder(floor, { status: 30 })
  const found = await service.call(api.listTransfers, {
    platformOrderNo: `${orderId}-1`,
    payState: 'success',
    vendorCode: 'elsewhere',
    transferType: 'IMPS',
  })
  expect(found.rows).toMatchObject([
    {
      orderId,
      vendorOrderNo: `V-${orderId}-1`,
      account: expect.stringMatching(/^XXXXXX\d{4}$/),
      utr: '123456789012',
      attemptNo: 1,
    },
  ])
  expect((await service.call(api.listTransfers, { orderId, payState: 'fail' })).total).toBe(0)
  expect(await service.call(api.payoutVendors, {})).toEqual({
    usable: ['sandbox'],
    all: ['elsewhere', 'sandbox'],
    current: null,
    other: null,
  })
})
