/**
 * Transfers whose vendor contradicts itself or gives no result: marked, told, listed, and resolved by
 * two people.
 */
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { decideApproval } from '#shared/approvals/approvals-api.ts'
import * as api from '#shared/orders/disbursement-api.ts'
import { DISBURSEMENT_MENU } from '#shared/orders/disbursement-menu.ts'
import { inboundPayout } from '#shared/orders/inbound-api.ts'
import { orderDetail } from '#shared/orders/order-detail-api.ts'
import { ORDERS_MENU } from '#shared/orders/orders-menu.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { runCommand } from '#gateway/manage/kernel/command.ts'
import { brokenInvariants } from '#gateway/manage/db/check-invariants.ts'
import { makeOrder } from '#tests/factories/orders.ts'
import { type Machine, machineOf } from '#tests/support/machine.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { approvalsRoutes } from '#gateway/manage/features/approvals/approvals-routes.ts'
import { ordersRoutes } from '../orders-routes.ts'
import { markLateTransfers } from '../late-transfers.ts'
import { markLost } from '../transfer-conflict.ts'
import { claimUnsent, markSent } from '../transfer-store.ts'
import { disbursementRoutes } from './disbursement-routes.ts'
import { transferEndedFailedApproval, transferEndedPaidApproval } from './end-transfer.ts'
import { redisburseApproval } from './resend-payout.ts'
import { strayReturnedApproval } from './return-stray.ts'
import { transferNotPaidApproval, transferPaidApproval } from './resolve-conflict.ts'

const SANDBOX = { cfgId: null, vendorCode: 'sandbox' }

let floor: Floor
let manager: Person
let director: Person
let vendor: Machine
let serial = 0

beforeAll(async () => {
  floor = await testManage({
    parts: (context) => ({
      menus: [...ORDERS_MENU, ...DISBURSEMENT_MENU],
      routes: (base) => {
        ordersRoutes(base, context, { whenCancelled: [] })
        disbursementRoutes(base, context)
        approvalsRoutes(base, context, {
          kinds: [
            redisburseApproval,
            transferPaidApproval,
            transferNotPaidApproval,
            strayReturnedApproval,
            transferEndedPaidApproval,
            transferEndedFailedApproval,
          ],
        })
      },
    }),
  })
  ;[manager, director, vendor] = await Promise.all([
    floor.signIn('manager'),
    floor.signIn('director'),
    machineOf(floor, ['payout']),
  ])
})
afterAll(() => floor.close())
afterEach(async () => {
  expect(await brokenInvariants(floor.database)).toEqual([])
})

const statusOf = async (orderId: string) =>
  (await manager.call(orderDetail, { orderId })).order.status
const transfersOf = async (orderId: string, more: { conflict?: true } = {}) =>
  (await manager.call(api.listTransfers, { orderId, ...more })).rows

function newUtr(): string {
  serial += 1
  return String(520_000_000_000 + serial)
}
async function report(orderId: string, attempt: number, result: 'success' | 'fail') {
  return vendor.call(inboundPayout, {
    platformOrderNo: `${orderId}-${attempt}`,
    vendorOrderNo: `V-${orderId}-${attempt}`,
    result,
    ...(result === 'success' ? { utr: newUtr() } : { failReason: 'Beneficiary account closed' }),
  })
}
/** An order whose first transfer ended so. */
async function orderAfter(first: 'success' | 'fail'): Promise<string> {
  const { orderId } = await makeOrder(floor, { status: 29, vendorCode: 'sandbox' })
  await report(orderId, 1, first)
  return orderId
}
async function requestEnd(orderId: string, outcome: 'paid' | 'notPaid', utr?: string) {
  const [transfer] = await transfersOf(orderId, { conflict: true })
  return {
    transferId: transfer?.transferId ?? '',
    version: transfer?.version ?? 0,
    outcome,
    reason: 'As the statement of the bank says',
    ...(utr === undefined ? {} : { utr }),
  }
}
async function resolve(orderId: string, outcome: 'paid' | 'notPaid', utr?: string): Promise<void> {
  const { approvalId } = await manager.call(
    api.resolveTransfer,
    await requestEnd(orderId, outcome, utr),
  )
  const decision = { approvalId, version: 1, result: 'approved' as const }
  expect(await manager.refused(decideApproval, decision)).toMatchObject({
    problem: { id: 'G-SELF' },
  })
  await director.call(decideApproval, decision)
  expect(await transfersOf(orderId, { conflict: true })).toEqual([])
}
async function notified(orderId: string): Promise<string[]> {
  const { rows } = await sql<{ account: string }>`
    select u.account from notification n join sys_user u on u.id = n.user_id
      where n.params ->> 'orderId' = ${orderId} and n.title_key like 'orders:notification.conflict.%'
      order by 1`.execute(floor.database.kysely)
  return rows.map(({ account }) => account)
}

test('a failure after success leaves the loan, and those who may settle it are notified once', async () => {
  const orderId = await orderAfter('success')
  expect(await report(orderId, 1, 'fail')).toMatchObject({ status: 30, applied: false })
  await report(orderId, 1, 'fail')
  expect(await transfersOf(orderId, { conflict: true })).toMatchObject([
    { payState: 'success', conflict: 'fail', conflictOutcome: null },
  ])
  const accounts = await notified(orderId)
  expect(accounts).toEqual(expect.arrayContaining(['director', 'manager']))
  expect(new Set(accounts).size).toBe(accounts.length)
  await resolve(orderId, 'paid')
  expect(await statusOf(orderId)).toBe(30)
  expect(await transfersOf(orderId)).toMatchObject([
    { payState: 'success', conflict: 'fail', conflictOutcome: 'paid' },
  ])
})

test('money that came back is sent by hand, and its UTR is stored once', async () => {
  const orderId = await orderAfter('success')
  await report(orderId, 1, 'fail')
  expect(
    await manager.refused(api.resolveTransfer, await requestEnd(orderId, 'notPaid')),
  ).toMatchObject({
    data: { fields: { utr: 'required' } },
  })
  const utr = newUtr()
  await resolve(orderId, 'notPaid', utr)
  expect(await transfersOf(orderId)).toMatchObject([
    { payState: 'success', utr, conflictOutcome: 'notPaid' },
  ])
  const other = await orderAfter('success')
  await report(other, 1, 'fail')
  expect(
    await manager.refused(api.resolveTransfer, await requestEnd(other, 'notPaid', utr)),
  ).toMatchObject({ problem: { id: 'M-UTR' } })
  await resolve(other, 'paid')
})

test('an order whose failed transfer may have paid is not sent again, and its next attempt is stopped', async () => {
  const orderId = await orderAfter('fail')
  await manager.call(api.redisburse, { orderIds: [orderId] })
  expect(await statusOf(orderId)).toBe(29)
  // before the second attempt leaves, the first one paid after all
  await report(orderId, 1, 'success')
  expect(await claimUnsent(floor.database.kysely, SANDBOX, 5)).toEqual([])
  await resolve(orderId, 'paid')
  expect(await statusOf(orderId)).toBe(30)
  expect(
    (await transfersOf(orderId)).map(({ attemptNo, payState, conflictOutcome }) => [
      attemptNo,
      payState,
      conflictOutcome,
    ]),
  ).toEqual(
    expect.arrayContaining([
      [1, 'success', 'paid'],
      [2, 'fail', null],
    ]),
  )
  // the stopped one is not sent either
  expect(await claimUnsent(floor.database.kysely, SANDBOX, 5)).toEqual([])
})

test('a double payout is notified, recorded by two people, and its return is booked by two people', async () => {
  const orderId = await orderAfter('fail')
  await manager.call(api.redisburse, { orderIds: [orderId] })
  const [second] = await claimUnsent(floor.database.kysely, SANDBOX, 5)
  await markSent(floor.database.kysely, second?.id ?? '', `V-${orderId}-2`)
  await report(orderId, 1, 'success')
  expect(await notified(orderId)).toContain('manager')
  // the second attempt may have left: its result comes first
  expect(
    await manager.refused(api.resolveTransfer, await requestEnd(orderId, 'paid')),
  ).toMatchObject({
    problem: { id: 'O-RULE', params: { reason: 'laterAttempt' } },
  })
  await report(orderId, 2, 'success')
  expect(await statusOf(orderId)).toBe(30)
  await resolve(orderId, 'paid')
  const { order, ledger } = await manager.call(orderDetail, { orderId })
  expect(order.status).toBe(30)
  const net = (account: string) =>
    ledger
      .filter((entry) => entry.account === account)
      .reduce((sum, { debit, credit }) => sum + debit - credit, 0)
  // the money that left twice is in the books, and the borrower owes it beside the loan
  expect(net('payoutRecoverable')).toBe(900_000)
  expect(net('payoutClearing')).toBe(-2 * 900_000)

  // it comes back in two parts: each has a UTR, a second person, and never more than is open
  const strays = async () =>
    (await manager.call(api.listTransfers, { orderId, stray: true })).rows.map((row) => ({
      transferId: row.transferId,
      version: row.version,
      strayOpen: row.strayOpen,
    }))
  const part = async (amount: number, utr: string) => {
    const [stray] = await strays()
    return {
      transferId: stray?.transferId ?? '',
      version: stray?.version ?? 0,
      amount,
      utr,
      reason: 'The payee sent it back',
    }
  }
  expect(await strays()).toMatchObject([{ strayOpen: 900_000 }])
  expect(await manager.refused(api.bookStrayReturn, await part(900_001, newUtr()))).toMatchObject({
    data: { fields: { amount: 'transfers:stray.tooMuch' } },
  })
  const utr = newUtr()
  for (const [amount, by] of [
    [400_000, utr],
    [500_000, newUtr()],
  ] as const) {
    const { approvalId } = await manager.call(api.bookStrayReturn, await part(amount, by))
    const decision = { approvalId, version: 1, result: 'approved' as const }
    expect(await manager.refused(decideApproval, decision)).toMatchObject({
      problem: { id: 'G-SELF' },
    })
    await director.call(decideApproval, decision)
    if (amount === 400_000)
      expect(await manager.refused(api.bookStrayReturn, await part(1, utr))).toMatchObject({
        problem: { id: 'M-UTR' },
      })
  }
  expect(await strays()).toEqual([])
  expect(
    await manager.refused(api.bookStrayReturn, {
      ...(await part(1, newUtr())),
      transferId: second?.id ?? '',
      version: 1,
    }),
  ).toMatchObject({ problem: { id: 'O-RULE', params: { reason: 'noStray' } } })
  const after = await manager.call(orderDetail, { orderId })
  expect(after.order).toMatchObject({ status: 30, outstanding: order.outstanding })
  const left = (account: string) =>
    after.ledger
      .filter((entry) => entry.account === account)
      .reduce((sum, { debit, credit }) => sum + debit - credit, 0)
  expect([left('payoutRecoverable'), left('payoutClearing')]).toEqual([0, -900_000])
})

type Ending = { outcome: 'paid'; utr: string } | { outcome: 'failed' }

async function underWay(minutesAgo: number): Promise<string> {
  const { orderId } = await makeOrder(floor, { status: 29, vendorCode: 'sandbox' })
  await sql`update payout_transfer set next_send_at = clock_timestamp(),
    created_at = clock_timestamp() - make_interval(mins => ${minutesAgo}) where order_id = ${orderId}`.execute(
    floor.database.kysely,
  )
  return orderId
}
async function endOf(orderId: string, ending: Ending) {
  const [transfer] = await transfersOf(orderId)
  return {
    transferId: transfer?.transferId ?? '',
    version: transfer?.version ?? 0,
    reason: 'Ticket 4711 of the bank: never credited',
    ...ending,
  }
}
async function end(orderId: string, ending: Ending): Promise<() => Promise<unknown>> {
  const { approvalId } = await manager.call(api.endTransfer, await endOf(orderId, ending))
  const decision = { approvalId, version: 1, result: 'approved' as const }
  expect(await manager.refused(decideApproval, decision)).toMatchObject({
    problem: { id: 'G-SELF' },
  })
  return () => director.call(decideApproval, decision)
}
const doubtful = async (doubt: 'lost' | 'late') =>
  (await manager.call(api.listTransfers, { doubt })).rows.map(({ orderId }) => orderId)

test('one unknown to its vendor is ended as failed, and a late success is a contradiction', async () => {
  const orderId = await underWay(10)
  expect(
    await manager.refused(api.endTransfer, await endOf(orderId, { outcome: 'failed' })),
  ).toMatchObject({ problem: { id: 'O-RULE', params: { reason: 'notInDoubt' } } })
  await runCommand(
    floor.context,
    { actor: systemActor('payoutPoll'), audit: { action: 'payout' } },
    (tx) => markLost(tx, `${orderId}-1`),
  )
  expect(await doubtful('lost')).toEqual([orderId])
  const approve = await end(orderId, { outcome: 'failed' })
  // while two people say that it did not leave, it is not sent; nor is it ended in another way
  expect(await claimUnsent(floor.database.kysely, SANDBOX, 50)).toEqual([])
  const paid = await endOf(orderId, { outcome: 'paid', utr: newUtr() })
  expect(await manager.refused(api.endTransfer, paid)).toMatchObject({
    problem: { id: 'O-RULE', params: { reason: 'neverSent' } },
  })
  await approve()
  expect(await statusOf(orderId)).toBe(31)
  expect((await transfersOf(orderId))[0]).toMatchObject({
    payState: 'fail',
    failReason: 'Ticket 4711 of the bank: never credited',
  })
  expect(await doubtful('lost')).toEqual([])
  await report(orderId, 1, 'success')
  expect(await transfersOf(orderId, { conflict: true })).toMatchObject([{ conflict: 'success' }])
  await resolve(orderId, 'notPaid')
})

test('an overdue one is told once for all, and ended as paid it opens the loan', async () => {
  const [orderId, answered] = [await underWay(121), await underWay(300)]
  const young = await underWay(60)
  await claimUnsent(floor.database.kysely, SANDBOX, 50)
  for (let n = 0; n < 2; n += 1) await markLateTransfers(floor.context)
  expect((await doubtful('late')).toSorted()).toEqual([orderId, answered].toSorted())
  const { rows } = await sql<{ account: string; params: unknown }>`
    select u.account, n.params from notification n join sys_user u on u.id = n.user_id
    where n.title_key = 'orders:notification.late'`.execute(floor.database.kysely)
  expect(rows).toContainEqual({ account: 'manager', params: { count: 2 } })
  expect(new Set(rows.map(({ account }) => account)).size).toBe(rows.length)

  const utr = newUtr()
  const approve = await end(orderId, { outcome: 'paid', utr })
  const other = await endOf(orderId, { outcome: 'failed' })
  expect(await manager.refused(api.endTransfer, other)).toMatchObject({
    problem: { id: 'O-RULE', params: { reason: 'endAsked' } },
  })
  await approve()
  expect(await statusOf(orderId)).toBe(30)
  expect((await transfersOf(orderId))[0]).toMatchObject({ payState: 'success', utr })
  const again = await endOf(answered, { outcome: 'paid', utr })
  expect(await manager.refused(api.endTransfer, again)).toMatchObject({
    problem: { id: 'M-UTR' },
  })

  // the vendor's own result came before the second person: it counts, and the request is refused
  const tooLate = await end(answered, { outcome: 'failed' })
  await report(answered, 1, 'success')
  await expect(tooLate()).rejects.toThrow('O-RULE')
  expect([await statusOf(answered), await statusOf(young)]).toEqual([30, 29])
})
