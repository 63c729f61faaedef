import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { decideApproval, listApprovals } from '#shared/approvals/approvals-api.ts'
import { revealField } from '#shared/customers/reveal-api.ts'
import * as api from '#shared/orders/disbursement-api.ts'
import { DISBURSEMENT_MENU } from '#shared/orders/disbursement-menu.ts'
import { inboundResubmit } from '#shared/orders/inbound-api.ts'
import { orderDetail, orderTimeline } from '#shared/orders/order-detail-api.ts'
import { ORDERS_MENU } from '#shared/orders/orders-menu.ts'
import { makeOrder, type OrderGiven } from '#tests/factories/orders.ts'
import { makeReview } from '#tests/factories/reviews.ts'
import { machineOf } from '#tests/support/machine.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { brokenInvariants } from '#gateway/manage/db/check-invariants.ts'
import { approvalsRoutes } from '#gateway/manage/features/approvals/approvals-routes.ts'
import { customersRoutes } from '#gateway/manage/features/customers/customers-routes.ts'
import { reviewRoutes } from '#gateway/manage/features/review/review-routes.ts'
import type { MessageResult, OutgoingMessage } from '#gateway/manage/vendors/message-vendor.ts'
import { ordersRoutes } from '../orders-routes.ts'
import { accountRequest } from './account-request-job.ts'
import { disbursementRoutes } from './disbursement-routes.ts'
import { redisburseApproval } from './resend-payout.ts'

let floor: Floor
let manager: Person
let director: Person
const messages: OutgoingMessage[] = []
let reached = true
const messenger = {
  code: 'test',
  send: (message: OutgoingMessage): Promise<MessageResult> => {
    messages.push(message)
    return Promise.resolve(
      reached
        ? { accepted: true, vendorRef: message.key }
        : { accepted: false, reason: 'no such number' },
    )
  },
}

beforeAll(async () => {
  floor = await testManage({
    parts: (context) => ({
      menus: [...ORDERS_MENU, ...DISBURSEMENT_MENU],
      schedules: [accountRequest(messenger)],
      routes: (base) => {
        ordersRoutes(base, context, { whenCancelled: [] })
        disbursementRoutes(base, context)
        customersRoutes(base, context)
        reviewRoutes(base, context)
        approvalsRoutes(base, context, { kinds: [redisburseApproval] })
      },
    }),
  })
  ;[manager, director] = await Promise.all([floor.signIn('manager'), floor.signIn('director')])
})
afterAll(() => floor.close())
afterEach(async () => expect(await brokenInvariants(floor.database)).toEqual([]))

const run = (text: ReturnType<typeof sql>) => text.execute(floor.database.kysely)
/** An order in status 31, and the common input of calls about its last transfer. */
async function failed(given: OrderGiven = {}) {
  const order = await makeOrder(floor, { status: 31, vendorCode: 'sandbox', ...given })
  return { ...order, ...(await lastOf(order)) }
}
async function lastOf({ orderId }: { orderId: string }) {
  const [row] = (await manager.call(api.listWaiting, { orderId })).rows
  if (!row) throw new Error('it does not wait')
  return { transferId: row.transferId, version: row.transferVersion, row }
}
/** Under which of the filter's values it is listed. */
async function turnsOf({ orderId }: { orderId: string }) {
  const totals = await Promise.all(
    api.PAYOUT_WAITS_FOR.map((waitsFor) => manager.call(api.listWaiting, { orderId, waitsFor })),
  )
  return api.PAYOUT_WAITS_FOR.filter((_, i) => totals[i]?.rows.length === 1)
}
const lifeOf = ({ orderId }: { orderId: string }) => manager.call(orderDetail, { orderId })
const about = ({ transferId, version }: { transferId: string; version: number }) => ({
  transferId,
  version,
})

test('an unchanged retry uses the same vendor and type, and the failed transfer records it', async () => {
  const order = await failed()
  const before = (await floor.events()).at(-1)?.seq ?? 0
  const handled = await manager.call(api.handleTransfer, {
    ...about(order),
    handlingMethod: 'retrySame',
    remark: 'The bank was down',
  })
  expect(handled).toMatchObject({
    transferId: order.transferId,
    payState: 'fail',
    handlingMethod: 'retrySame',
    version: order.version + 1,
    asked: false,
  })
  const { order: now, transfers } = await lifeOf(order)
  expect(now.status).toBe(29)
  expect(
    transfers.map(({ attemptNo, payState, vendorCode, transferType, handlingMethod }) => [
      attemptNo,
      payState,
      vendorCode,
      transferType,
      handlingMethod,
    ]),
  ).toEqual([
    [2, 'inProgress', 'sandbox', 'IMPS', null],
    [1, 'fail', 'sandbox', 'IMPS', 'retrySame'],
  ])
  expect(
    (await floor.events(before)).map(({ type, data }) => [type, data.handlingMethod ?? null]),
  ).toEqual([
    ['order.status.changed', null],
    ['payout.changed', 'retrySame'],
    ['payout.changed', null],
  ])
  expect((await manager.call(orderTimeline, order)).at(-1)).toMatchObject({
    to: 29,
    cause: 'retryPayout',
    note: 'The bank was down',
  })
  expect(
    (await manager.call(api.listTransfers, { orderId: order.orderId })).rows.map(
      ({ waits }) => waits,
    ),
  ).toEqual([false, false])
})

test('the second of two users is refused, and the action happens once', async () => {
  const order = await failed()
  const input = { ...about(order), handlingMethod: 'retrySame' as const }
  const [one, two] = await Promise.all([
    manager.call(api.handleTransfer, input, { 'idempotency-key': 'handled-once-1' }),
    manager.call(api.handleTransfer, input, { 'idempotency-key': 'handled-once-1' }),
  ])
  expect(one).toEqual(two)
  expect(await manager.refused(api.handleTransfer, input)).toMatchObject({
    problem: { id: 'O-STATE' },
  })
  const other = await failed()
  await manager.call(api.handleTransfer, {
    ...about(other),
    handlingMethod: 'customerUpdatesAccount',
  })
  expect(
    await manager.refused(api.handleTransfer, { ...about(other), handlingMethod: 'retrySame' }),
  ).toMatchObject({
    code: 409,
    problem: { id: 'G409', params: { userName: 'Manager 1' } },
    data: { handlingMethod: 'customerUpdatesAccount' },
  })
  expect((await lifeOf(other)).transfers).toHaveLength(1)
})

test('another vendor means the active vendor, and only if it differs from the failed one', async () => {
  const [same, moved] = [await failed(), await failed({ vendorCode: 'elsewhere' })]
  expect(
    await manager.refused(api.handleTransfer, { ...about(same), handlingMethod: 'changeVendor' }),
  ).toMatchObject({ problem: { id: 'O-RULE', params: { reason: 'vendorSame' } } })
  expect(
    await manager.refused(api.handleTransfer, { ...about(moved), handlingMethod: 'retrySame' }),
  ).toMatchObject({ problem: { id: 'O-RULE', params: { reason: 'vendorGone' } } })
  await manager.call(api.handleTransfer, { ...about(moved), handlingMethod: 'changeVendor' })
  expect(
    (await lifeOf(moved)).transfers.map(({ vendorCode, handlingMethod }) => [
      vendorCode,
      handlingMethod,
    ]),
  ).toEqual([
    ['sandbox', null],
    ['elsewhere', 'changeVendor'],
  ])
})

test('a disbursement sent by hand is paid out with plans and ledger, and its UTR is stored once', async () => {
  const order = await failed()
  expect(
    await manager.refused(api.handleTransfer, {
      ...about(order),
      handlingMethod: 'manualTransfer',
    }),
  ).toMatchObject({ code: 400, data: { fields: { utr: 'required' } } })
  const utr = 'SBINN12026112201'
  await manager.call(api.handleTransfer, {
    ...about(order),
    handlingMethod: 'manualTransfer',
    utr: utr.toLowerCase(),
  })
  const { order: now, transfers, plans, ledger } = await lifeOf(order)
  expect(now).toMatchObject({ status: 30, failReason: null, disburseTime: expect.any(String) })
  expect(transfers[0]).toMatchObject({
    attemptNo: 2,
    payState: 'success',
    vendorCode: 'manual',
    transferType: 'NEFT',
    utr,
    handlingMethod: null,
    finishTime: expect.any(String),
  })
  expect(transfers[1]).toMatchObject({ payState: 'fail', handlingMethod: 'manualTransfer' })
  expect([plans.length, new Set(ledger.map(({ kind }) => kind))]).toEqual([
    3,
    new Set(['disbursement', 'interestDue']),
  ])
  expect(
    (await manager.call(orderTimeline, order)).slice(-2).map(({ from, to }) => [from, to]),
  ).toEqual([
    [31, 29],
    [29, 30],
  ])
  const second = await failed()
  expect(
    await manager.refused(api.handleTransfer, {
      ...about(second),
      handlingMethod: 'manualTransfer',
      utr,
    }),
  ).toMatchObject({ problem: { id: 'M-UTR', params: { orderId: order.orderId } } })
  // 12 digits mean IMPS, which cannot carry six lakh; below the parameter no approval is requested
  await run(sql`update sys_config set value = '99999999999' where code = 'payout.checkAbove'`)
  const huge = await failed({ amount: 70_000_000, product: { id: 'PRH', maxAmount: 90_000_000 } })
  expect(
    await manager.refused(api.handleTransfer, {
      ...about(huge),
      handlingMethod: 'manualTransfer',
      utr: '432112345678',
    }),
  ).toMatchObject({ problem: { id: 'O-RULE', params: { reason: 'transferType' } } })
  await run(sql`update sys_config set value = '5000000' where code = 'payout.checkAbove'`)
})

test('two orders cannot be paid with one UTR at the same time', async () => {
  const orders = await Promise.all([failed(), failed(), failed()])
  const answers = await Promise.allSettled(
    orders.map((order) =>
      manager.call(api.handleTransfer, {
        ...about(order),
        handlingMethod: 'manualTransfer',
        utr: 'HDFCN12026112209',
      }),
    ),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([
    'fulfilled',
    'rejected',
    'rejected',
  ])
  expect(
    await Promise.all(orders.map(async (order) => (await lifeOf(order)).order.status)),
  ).toEqual(expect.arrayContaining([30, 31, 31]))
})

test('above the single-person limit a second person decides, and the UTR is checked again', async () => {
  const order = await failed({ amount: 6_000_000 })
  const utr = 'ICICN12026112202'
  const handled = await manager.call(api.handleTransfer, {
    ...about(order),
    handlingMethod: 'manualTransfer',
    utr,
    remark: 'Paid at the branch',
  })
  expect(handled).toMatchObject({ asked: true, handlingMethod: null })
  expect((await lifeOf(order)).order.status).toBe(31)
  expect(
    await manager.refused(api.handleTransfer, { ...about(order), handlingMethod: 'retrySame' }),
  ).toMatchObject({ problem: { id: 'A-OPEN' } })
  expect(await turnsOf(order)).toEqual(['approver'])
  const request = (
    await director.call(listApprovals, { kind: 'redisburse', state: 'pending' })
  ).rows.find((row) => row.targetId === order.orderId)
  if (!request) throw new Error('no request')
  expect(request).toMatchObject({ amount: 5_400_000, reason: 'Paid at the branch' })
  const decision = {
    approvalId: request.approvalId,
    version: request.version,
    result: 'approved' as const,
  }
  expect(await manager.refused(decideApproval, decision)).toMatchObject({
    problem: { id: 'G-SELF' },
  })
  const other = await failed()
  await manager.call(api.handleTransfer, { ...about(other), handlingMethod: 'manualTransfer', utr })
  expect(await director.refused(decideApproval, decision)).toMatchObject({
    problem: { id: 'M-UTR' },
  })
  await run(
    sql`
      update payout_transfer set utr = 'ICICN12026112203' where order_id = ${other.orderId}
        and utr is not null`,
  )
  await director.call(decideApproval, decision)
  const { order: now, transfers } = await lifeOf(order)
  expect([
    now.status,
    transfers.map(({ vendorCode, handlingMethod }) => [vendorCode, handlingMethod]),
  ]).toEqual([
    30,
    [
      ['manual', null],
      ['sandbox', 'manualTransfer'],
    ],
  ])
})

test('giving up needs a reason and is refused where money may have left', async () => {
  const [order, doubtful] = [await failed(), await failed()]
  expect(
    await manager.refused(api.handleTransfer, { ...about(order), handlingMethod: 'cancel' }),
  ).toMatchObject({ code: 400, problem: { id: 'M-REA' }, data: { fields: { remark: 'required' } } })
  expect(
    await manager.call(api.handleTransfer, {
      ...about(order),
      handlingMethod: 'cancel',
      remark: 'Customer does not want it',
    }),
  ).toMatchObject({ handlingMethod: 'cancel' })
  expect((await lifeOf(order)).order.status).toBe(70)
  await run(
    sql`
      insert into operate_log (user_name, action, target_kind, target_id, result)
        values ('payout', 'payout.conflict', 'transfer', ${doubtful.transferId}, 'ok')`,
  )
  for (const handlingMethod of ['cancel', 'retrySame', 'manualTransfer'] as const)
    expect(
      await manager.refused(api.handleTransfer, {
        ...about(doubtful),
        handlingMethod,
        utr: '432112345679',
        remark: 'Not wanted',
      }),
    ).toMatchObject({ problem: { id: 'O-RULE', params: { reason: 'notProven' } } })
})

test('the customer is asked once for another account, and the new account lets the order continue', async () => {
  const reviewer = await floor.signIn('reviewer')
  const made = await makeReview(floor, {
    state: 'passed',
    reviewerId: reviewer.userId,
    orderStatus: 31,
    vendorCode: 'sandbox',
  })
  await run(
    sql`update bank_card set bind_state = 'notBound' where customer_id = ${made.customerId}`,
  )
  await run(sql`update payout_transfer set attempt_no = 3 where order_id = ${made.orderId}`)
  const app = await machineOf(floor, ['application'])
  const bankCard = {
    holder: made.name,
    bankName: 'SBI',
    account: '123456789012',
    ifsc: 'SBIN0001234',
    bound: true,
    nameSimilarity: 9_700,
  }
  // not requested yet
  expect(await app.refused(inboundResubmit, { reviewId: made.reviewId, bankCard })).toMatchObject({
    problem: { id: 'V-STATE' },
  })
  const first = await lastOf(made)
  expect(
    await manager.refused(api.handleTransfer, { ...about(first), handlingMethod: 'retrySame' }),
  ).toMatchObject({ problem: { id: 'O-RULE', params: { reason: 'attemptsSpent' } } })
  expect(await turnsOf(made)).toEqual(['staff'])
  reached = false
  await manager.call(api.handleTransfer, {
    ...about(first),
    handlingMethod: 'customerUpdatesAccount',
    remark: 'His account is closed',
  })
  await floor.settle()
  expect((await lifeOf(made)).remarks).toMatchObject([{ remark: 'His account is closed' }])
  reached = true
  expect(await accountRequest(messenger).run(floor.context)).toEqual({ sent: 0, notReached: 0 })
  await run(
    sql`update payout_transfer set ask_at = ask_at - interval '1 hour' where id = ${first.transferId}`,
  )
  expect(await accountRequest(messenger).run(floor.context)).toEqual({ sent: 1, notReached: 0 })
  expect(await accountRequest(messenger).run(floor.context)).toEqual({ sent: 0, notReached: 0 })
  expect(await turnsOf(made)).toEqual(['customer'])
  const sent = messages.filter(({ params }) => params.order === made.orderId)
  expect(sent.map(({ key, way, to, template }) => [key, way, to, template])).toEqual(
    [1, 2].map(() => [
      `account:${first.transferId}:${first.version + 1}`,
      'sms',
      made.phone,
      'newAccount',
    ]),
  )

  expect(
    await app.refused(inboundResubmit, {
      reviewId: made.reviewId,
      bankCard,
      address: '12 MG Road, Pune 411002',
    }),
  ).toMatchObject({ problem: { id: 'V-STATE' } })
  expect(await app.call(inboundResubmit, { reviewId: made.reviewId, bankCard })).toEqual({
    reviewId: made.reviewId,
    state: 'passed',
  })
  const { rows: notified } = await sql<{
    user_id: string
    params: object
  }>`select n.user_id, n.params from notification n where n.title_key = 'orders:notification.accountArrived'`.execute(
    floor.database.kysely,
  )
  expect(notified).toEqual([{ user_id: manager.userId, params: { orderId: made.orderId } }])
  const waiting = await lastOf(made)
  expect(waiting.row).toMatchObject({
    handlingMethod: 'customerUpdatesAccount',
    bindState: 'bound',
    nameSimilarity: 9_700,
  })
  expect(await turnsOf(made)).toEqual(['staff'])
  await manager.call(api.handleTransfer, { ...about(waiting), handlingMethod: 'retrySame' })
  const { transfers } = await lifeOf(made)
  expect(transfers[0]).toMatchObject({ account: 'XXXXXX9012', payState: 'inProgress' })
})

test('the account of a transfer can be revealed for a reason, with its value at that time', async () => {
  const order = await failed()
  await run(sql`update bank_card set active = false where customer_id = ${order.customerId}`)
  const [row] = (await manager.call(api.listTransfers, { orderId: order.orderId })).rows
  expect(row).toMatchObject({ userId: order.customerId, waits: true })
  const { value } = await manager.call(revealField, {
    userId: order.customerId,
    field: 'account',
    transferId: order.transferId,
    reason: 'Bank asks for it',
  })
  expect([value.length, `XXXXXX${value.slice(-4)}`]).toEqual([11, row?.account])
  const { rows } = await sql<{
    after: object
  }>`select l.after from operate_log l where l.action = 'reveal' and l.target_id = ${order.customerId}`.execute(
    floor.database.kysely,
  )
  expect(rows).toEqual([
    { after: { field: 'account', transferId: order.transferId, reason: 'Bank asks for it' } },
  ])
  const stranger = await failed()
  expect(
    await manager.refused(revealField, {
      userId: stranger.customerId,
      field: 'account',
      transferId: order.transferId,
      reason: 'Bank asks for it',
    }),
  ).toMatchObject({ problem: { id: 'G404' } })
})
