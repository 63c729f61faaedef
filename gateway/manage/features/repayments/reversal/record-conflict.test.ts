/** A channel says that a payment it had confirmed failed: marked, told, listed, decided by two. */
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { decideApproval, withdrawApproval } from '#shared/approvals/approvals-api.ts'
import { SETUP_MENU } from '#shared/collection/setup-menu.ts'
import { istDay } from '#shared/kernel/time.ts'
import { orderDetail } from '#shared/orders/order-detail-api.ts'
import { ORDERS_MENU } from '#shared/orders/orders-menu.ts'
import { inboundPayment } from '#shared/repayments/inbound-payment-api.ts'
import * as api from '#shared/repayments/repayments-api.ts'
import { REPAYMENTS_MENU } from '#shared/repayments/repayments-menu.ts'
import { launchWriteOff } from '#shared/repayments/write-offs-api.ts'
import { brokenInvariants } from '#gateway/manage/db/check-invariants.ts'
import { approvalsRoutes } from '#gateway/manage/features/approvals/approvals-routes.ts'
import { casePaid } from '#gateway/manage/features/collection/public.ts'
import { ordersRoutes } from '#gateway/manage/features/orders/orders-routes.ts'
import { makeCase } from '#tests/factories/cases.ts'
import { type Machine, machineOf } from '#tests/support/machine.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { repaymentsRoutes } from '../repayments-routes.ts'
import { paymentStandsApproval } from './record-conflict.ts'
import { reversalApproval } from './request-reversal.ts'

/** 10,000.00, 150.00 interest and twelve days of 10.00. */
const OWED = 1_000_000 + 15_000 + 12_000

let floor: Floor
let manager: Person
let director: Person
let channel: Machine
let serial = 0

beforeAll(async () => {
  floor = await testManage({
    parts: (context) => ({
      menus: [...ORDERS_MENU, ...REPAYMENTS_MENU, ...SETUP_MENU],
      routes: (base) => {
        ordersRoutes(base, context, { whenCancelled: [] })
        approvalsRoutes(base, context, {
          kinds: [reversalApproval([casePaid]), paymentStandsApproval],
        })
        repaymentsRoutes(base, context, { whenPaid: [casePaid] })
      },
    }),
  })
  ;[manager, director, channel] = await Promise.all([
    floor.signIn('manager'),
    floor.signIn('director'),
    machineOf(floor, ['payment']),
  ])
})
afterAll(() => floor.close())
afterEach(async () => {
  await floor.settle()
  expect(await brokenInvariants(floor.database)).toEqual([])
})

const lifeOf = (orderId: string) => manager.call(orderDetail, { orderId })
const conflictsOf = async (orderId: string) =>
  (await manager.call(api.listRecords, { orderId, conflict: true })).rows
const creditOf = async (orderId: string) =>
  (await lifeOf(orderId)).ledger
    .filter(({ account }) => account === 'customerCredit')
    .reduce((sum, { debit, credit }) => sum + credit - debit, 0)

/** A payment that was received, and whose channel then says it failed. */
async function contradicted(orderId: string, amount: number): Promise<string> {
  serial += 1
  const report = {
    vendorOrderNo: `V-C${serial}`,
    orderId,
    amount,
    channel: 1 as const,
    utr: String(860_000_000_000 + serial),
  }
  const { recordId } = await channel.call(inboundPayment, { ...report, result: 'success' })
  for (let n = 0; n < 2; n += 1)
    expect(
      await channel.call(inboundPayment, { ...report, result: 'fail', failReason: 'Recalled' }),
    ).toMatchObject({ payState: 'success', applied: false })
  return recordId
}

async function decide(approvalId: string): Promise<void> {
  const decision = { approvalId, version: 1, result: 'approved' as const }
  expect(await manager.refused(decideApproval, decision)).toMatchObject({
    problem: { id: 'G-SELF' },
  })
  await director.call(decideApproval, decision)
}
async function formOf(recordId: string) {
  const { record } = await manager.call(api.recordDetail, { recordId })
  return { recordId, version: record.version, reason: 'As the bank says' }
}
async function keep(recordId: string): Promise<void> {
  await decide((await manager.call(api.keepRecord, await formOf(recordId))).approvalId)
}
async function reverse(recordId: string): Promise<void> {
  const form = { ...(await formOf(recordId)), cause: 'bounced' as const }
  await decide((await manager.call(api.reverseRecord, form)).approvalId)
}

test('only the channel that told a payment takes its word back, with any key of its vendor', async () => {
  const { orderId } = await makeCase(floor, { overdueDays: 12 })
  const [bank, renewed, other] = await Promise.all([
    machineOf(floor, ['payment'], 'bank'),
    machineOf(floor, ['payment'], 'bank'),
    machineOf(floor, ['payment'], 'other'),
  ])
  const report = { vendorOrderNo: 'B-1', orderId, amount: 50_000, channel: 1, utr: '870000000001' }
  await bank.call(inboundPayment, { ...report, result: 'success' })
  for (const key of [other, channel])
    expect(
      await key.refused(inboundPayment, { ...report, vendorOrderNo: 'O-1', result: 'fail' }),
    ).toMatchObject({ problem: { id: 'M-UTR' } })
  expect(await conflictsOf(orderId)).toEqual([])
  await renewed.call(inboundPayment, { ...report, result: 'fail' })
  expect(await conflictsOf(orderId)).toMatchObject([{ payState: 'success' }])
})

test('the payment counts until two people decide; those who may are notified once', async () => {
  const { orderId } = await makeCase(floor, { overdueDays: 12 })
  const recordId = await contradicted(orderId, OWED)
  expect((await lifeOf(orderId)).order.status).toBe(40)
  expect(await conflictsOf(orderId)).toMatchObject([{ recordId, payState: 'success' }])
  const { rows } = await sql<{ account: string }>`
    select u.account from notification n join sys_user u on u.id = n.user_id
      where n.params ->> 'recordId' = ${recordId}
      and n.title_key = 'repayments:notification.conflict'`.execute(floor.database.kysely)
  const accounts = rows.map(({ account }) => account)
  expect(accounts).toEqual(expect.arrayContaining(['director', 'manager']))
  expect(new Set(accounts).size).toBe(accounts.length)
  await keep(recordId)
  expect((await lifeOf(orderId)).order.status).toBe(40)
  expect(await conflictsOf(orderId)).toEqual([])
  expect(await manager.refused(api.keepRecord, await formOf(recordId))).toMatchObject({
    problem: { id: 'O-RULE', params: { reason: 'noConflict' } },
  })
})

test('while one person asks to keep a payment nobody can ask to reverse it, and the other way round', async () => {
  const { orderId } = await makeCase(floor, { overdueDays: 12 })
  const recordId = await contradicted(orderId, OWED)
  const toKeep = await formOf(recordId)
  const toReverse = { ...toKeep, cause: 'bounced' as const }
  const open = { problem: { id: 'A-OPEN' } }
  const first = await manager.call(api.keepRecord, toKeep)
  expect(await manager.refused(api.reverseRecord, toReverse)).toMatchObject(open)
  await manager.call(withdrawApproval, { approvalId: first.approvalId, version: 1 })
  await manager.call(api.reverseRecord, toReverse)
  expect(await manager.refused(api.keepRecord, toKeep)).toMatchObject(open)
})

test('a payment that did not arrive is reversed, and the mark ends with it', async () => {
  const { orderId } = await makeCase(floor, { overdueDays: 12 })
  const recordId = await contradicted(orderId, OWED)
  await reverse(recordId)
  expect((await lifeOf(orderId)).order).toMatchObject({ status: 50, outstanding: OWED })
  expect(await conflictsOf(orderId)).toEqual([])
})

test('money that came after the end of its order is taken back too, and the order stays as it is', async () => {
  const { orderId } = await makeCase(floor, { overdueDays: 12 })
  const { order } = await lifeOf(orderId)
  await manager.call(launchWriteOff, {
    orderId,
    version: order.version,
    type: 'operational',
    repaymentDate: istDay(Date.now()),
    amount: OWED,
    reason: 'Gone abroad',
  })
  const recordId = await contradicted(orderId, 40_000)
  expect(await creditOf(orderId)).toBe(40_000)
  expect(await conflictsOf(orderId)).toMatchObject([{ recordId }])
  await reverse(recordId)
  expect(await creditOf(orderId)).toBe(0)
  expect((await lifeOf(orderId)).order).toMatchObject({ status: 100, outstanding: 0 })
  expect(await conflictsOf(orderId)).toEqual([])
})
