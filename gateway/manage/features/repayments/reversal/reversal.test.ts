/**
 * Reversal of a payment by two people: ledger, instalments, order, case and reduction are as
 * without the payment, with the fines of the days since.
 */
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { approvalDetail } from '#shared/approvals/approval-detail-api.ts'
import * as approvals from '#shared/approvals/approvals-api.ts'
import { addDays, istDay } from '#shared/kernel/time.ts'
import { orderDetail, orderTimeline } from '#shared/orders/order-detail-api.ts'
import { inboundPayment } from '#shared/repayments/inbound-payment-api.ts'
import * as reduce from '#shared/repayments/reductions-api.ts'
import { exitCoolingOff } from '#shared/repayments/cooling-off-api.ts'
import * as api from '#shared/repayments/repayments-api.ts'
import { brokenInvariants } from '#gateway/manage/db/check-invariants.ts'
import { makeCase, type MadeCase } from '#tests/factories/cases.ts'
import { makeOrder } from '#tests/factories/orders.ts'
import { reversalDesk } from '#tests/factories/reversal-desk.ts'
import type { Machine } from '#tests/support/machine.ts'
import type { Floor, Person } from '#tests/support/manage.ts'

let floor: Floor
let manager: Person
let other: Person
let director: Person
let channel: Machine
let serial = 0
const today = istDay(Date.now())

beforeAll(async () => {
  ;({ floor, manager, other, director, channel } = await reversalDesk())
})
afterAll(() => floor.close())
afterEach(async () => {
  await floor.settle()
  expect(await brokenInvariants(floor.database)).toEqual([])
})

const OWED = 1_000_000 + 15_000 + 12_000
/** 10,000.00 and 150.00 interest, due twelve days ago: 120.00 of fine are not charged yet. */
const overdue = () => makeCase(floor, { overdueDays: 12 })
const lifeOf = ({ orderId }: { orderId: string }) => manager.call(orderDetail, { orderId })
async function pay(
  { orderId }: { orderId: string },
  amount: number,
  payTime?: string,
): Promise<string> {
  serial += 1
  return (
    await channel.call(inboundPayment, {
      vendorOrderNo: `V-X${serial}`,
      orderId,
      amount,
      channel: 1,
      result: 'success',
      utr: String(810_000_000_000 + serial),
      ...(payTime === undefined ? {} : { payTime }),
    })
  ).recordId
}
async function recordOf(recordId: string) {
  return (await manager.call(api.recordDetail, { recordId })).record
}
const form = async (recordId: string, more: object = {}) => ({
  recordId,
  version: (await recordOf(recordId)).version,
  cause: 'bounced' as const,
  reason: 'The bank took it back',
  ...more,
})
const ask = async (recordId: string) =>
  (await manager.call(api.reverseRecord, await form(recordId))).approvalId
const approve = (person: Person, approvalId: string) =>
  person.call(approvals.decideApproval, { approvalId, version: 1, result: 'approved' })
const caseOf = async ({ caseId }: MadeCase) =>
  (
    await sql<{
      state: string
      end_reason: string | null
      outstanding: number
    }>`select c.state, c.end_reason, c.outstanding from collection_case c where c.id = ${caseId}`.execute(
      floor.database.kysely,
    )
  ).rows[0]

test('a repaid loan is overdue again, with its case, after a second person approved', async () => {
  const made = await overdue()
  const recordId = await pay(made, OWED)
  expect((await lifeOf(made)).order.status).toBe(40)
  expect(await caseOf(made)).toMatchObject({ state: 'closed', end_reason: 'repaid' })
  const approvalId = await ask(recordId)
  expect((await lifeOf(made)).order.status).toBe(40)
  expect(
    await manager.refused(approvals.decideApproval, { approvalId, version: 1, result: 'approved' }),
  ).toMatchObject({ problem: { id: 'G-SELF' } })
  expect(await manager.refused(api.reverseRecord, await form(recordId))).toMatchObject({
    code: 409,
    problem: { id: 'A-OPEN' },
  })
  const before = (await floor.events()).at(-1)?.seq ?? 0
  expect(await approve(other, approvalId)).toMatchObject({
    state: 'approved',
    decideBy: 'Manager 2',
  })
  const { order, plans, ledger } = await lifeOf(made)
  expect(order).toMatchObject({
    status: 50,
    closeType: 'notClosed',
    closeTime: null,
    outstanding: OWED,
    overdueDays: 12,
  })
  expect(plans).toMatchObject([
    {
      paymentStatus: 'overdue',
      paidAmount: 0,
      outstanding: OWED,
      overdueFine: 12_000,
      actualRepaymentTime: null,
    },
  ])
  expect(
    ledger
      .filter(({ kind }) => kind === 'reversal')
      .map(({ account, debit, credit }) => [account, debit - credit]),
  ).toEqual([
    ['fineReceivable', 12_000],
    ['interestReceivable', 15_000],
    ['principalReceivable', 1_000_000],
    ['cashClearing', -OWED],
  ])
  expect((await manager.call(orderTimeline, { orderId: made.orderId })).at(-1)).toMatchObject({
    from: 40,
    to: 50,
    cause: 'reversePayment',
    note: 'The bank took it back',
  })
  expect(await recordOf(recordId)).toMatchObject({
    reversedTime: expect.any(String),
    reverseReason: 'The bank took it back',
  })
  // the full detail of the payment: what it cleared, and the reversal of that
  const { allocations, reversedBy, proofId } = await manager.call(api.recordDetail, { recordId })
  expect([reversedBy, proofId]).toEqual(['Manager 2', null])
  expect(
    allocations.map(({ kind, principal, interest, overdueFine }) => [
      kind,
      principal,
      interest,
      overdueFine,
    ]),
  ).toEqual([
    ['repayment', 1_000_000, 15_000, 12_000],
    ['reversal', -1_000_000, -15_000, -12_000],
  ])
  expect(await caseOf(made)).toEqual({ state: 'unallocated', end_reason: null, outstanding: OWED })
  expect((await floor.events(before)).map(({ type }) => type)).toEqual(
    expect.arrayContaining([
      'approval.changed',
      'repayment.changed',
      'plan.changed',
      'order.status.changed',
      'case.created',
    ]),
  )
  // the reversal happens once, and the UTR may be booked again
  expect(await manager.refused(api.reverseRecord, await form(recordId))).toMatchObject({
    problem: { id: 'M-STATE', params: { state: 'reversed' } },
  })
  expect(await pay(made, OWED)).not.toBe(recordId)
  expect((await lifeOf(made)).order.status).toBe(40)
})

test('a preview shows the effect on order, case and reduction and changes nothing', async () => {
  const made = await overdue()
  const { order, plans } = await lifeOf(made)
  await manager.call(reduce.launchReduction, {
    orderId: made.orderId,
    planId: plans[0]?.planId ?? '',
    version: order.version,
    reduceItems: { overdueFine: 12_000, serviceFee: 0, interest: 5_000 },
    validUntil: today,
    reason: 'Pays at once',
  })
  const { reduceId } = (await manager.call(reduce.listReductions, { orderId: made.orderId }))
    .rows[0] as { reduceId: string }
  await director.call(reduce.decideReductions, { reduceIds: [reduceId], result: 'approved' })
  const recordId = await pay(made, OWED - 17_000)
  const effect = {
    obstacle: null,
    facts: expect.arrayContaining([
      { name: 'cause', kind: 'cause', value: 'bounced' },
      { name: 'utr', kind: 'text', value: String(810_000_000_000 + serial) },
    ]),
    changes: expect.arrayContaining([
      { name: 'orderStatus', kind: 'orderStatus', before: 41, after: 50 },
      { name: 'outstanding', kind: 'money', before: 0, after: OWED },
      { name: 'caseState', kind: 'caseState', before: 'closed', after: 'unallocated' },
      { name: 'reduction', kind: 'reductionState', before: 'used', after: 'void' },
    ]),
  }
  const before = (await floor.events()).at(-1)?.seq ?? 0
  expect(await manager.call(api.previewReversal, { recordId, cause: 'bounced' })).toMatchObject(
    effect,
  )
  expect(await floor.events(before)).toEqual([])
  expect((await recordOf(recordId)).approval).toBeNull()
  const approvalId = await ask(recordId)
  // the row shows the request and its approvers; the requester withdraws it there
  expect((await recordOf(recordId)).approval).toEqual({
    approvalId,
    kind: 'reversePayment',
    requestById: manager.userId,
    requestBy: 'Manager 1',
    version: 1,
  })
  expect(
    (await floor.events(before)).find(({ type }) => type === 'approval.changed')?.rooms,
  ).toEqual(
    expect.arrayContaining([
      'menu:repay_record',
      `order:${made.orderId}`,
      `user:${manager.userId}`,
    ]),
  )
  expect((await other.call(approvalDetail, { approvalId })).effect).toMatchObject(effect)
  expect((await lifeOf(made)).order.status).toBe(41)
  expect(await director.refused(approvalDetail, { approvalId: 'AP404' })).toMatchObject({
    problem: { id: 'G404' },
  })
  await approve(other, approvalId)
  expect((await lifeOf(made)).order).toMatchObject({ status: 50, outstanding: OWED })
  expect((await other.call(approvalDetail, { approvalId })).effect).toBeNull()
  // a refusal names its reason
  expect(await manager.call(api.previewReversal, { recordId, cause: 'bounced' })).toMatchObject({
    changes: [],
    obstacle: { problem: 'M-STATE' },
  })
})

test('a partial payment of a running order is reversed, and the order keeps the status of its days', async () => {
  const made = await overdue()
  const [first, second] = [await pay(made, 400_000), await pay(made, 100_000)]
  expect((await lifeOf(made)).order).toMatchObject({ status: 50, outstanding: OWED - 500_000 })
  await approve(director, await ask(first))
  expect((await lifeOf(made)).order).toMatchObject({ status: 50, outstanding: OWED - 100_000 })
  expect(await caseOf(made)).toMatchObject({ outstanding: OWED - 100_000 })
  await approve(director, await ask(second))
  expect((await lifeOf(made)).order).toMatchObject({ status: 50, outstanding: OWED })
  const running = await makeOrder(floor, { status: 30, amount: 1_000_000 })
  await approve(director, await ask(await pay(running, 1_045_000)))
  expect((await lifeOf(running)).order).toMatchObject({ status: 30, outstanding: 1_045_000 })
})

test('a past day keeps its recovered amount: a reversal counts on its own day', async () => {
  const made = await overdue()
  const recordId = await pay(made, 50_000, `${addDays(today, -1)}T10:00:00+05:30`)
  await approve(other, await ask(recordId))
  const { rows } = await sql<{ day: string; amount: number }>`
    select to_char(b.paid_at at time zone 'Asia/Kolkata', 'YYYY-MM-DD') as day, b.amount
      from recovery_bill b where b.record_id = ${recordId} order by b.id`.execute(
    floor.database.kysely,
  )
  expect(rows).toEqual([
    { day: addDays(today, -1), amount: 50_000 },
    { day: today, amount: -50_000 },
  ])
})

test('the reversal voids the reduction the payment used', async () => {
  const made = await overdue()
  const { order, plans } = await lifeOf(made)
  const { reduceId } = await manager.call(reduce.launchReduction, {
    orderId: made.orderId,
    planId: plans[0]?.planId ?? '',
    version: order.version,
    reduceItems: { overdueFine: 12_000, serviceFee: 0, interest: 5_000 },
    validUntil: today,
    reason: 'Pays at once',
  })
  await director.call(reduce.decideReductions, { reduceIds: [reduceId], result: 'approved' })
  const recordId = await pay(made, OWED - 17_000)
  expect((await lifeOf(made)).order.status).toBe(41)
  await approve(other, await ask(recordId))
  const after = await lifeOf(made)
  expect(after.order).toMatchObject({ status: 50, outstanding: OWED })
  expect(after.plans).toMatchObject([{ reducedFees: 0, paidAmount: 0, outstanding: OWED }])
  const [row] = (await manager.call(reduce.listReductions, { reduceId })).rows
  expect(row).toMatchObject({ state: 'used', cause: 'reversed' })
  expect(row?.voidTime).not.toBeNull()
})

test('a loan that was repaid with a reduction stays so when money beyond its debt bounces', async () => {
  const made = await overdue()
  const { order, plans } = await lifeOf(made)
  const { reduceId } = await manager.call(reduce.launchReduction, {
    orderId: made.orderId,
    planId: plans[0]?.planId ?? '',
    version: order.version,
    reduceItems: { overdueFine: 12_000, serviceFee: 0, interest: 5_000 },
    validUntil: today,
    reason: 'Pays at once',
  })
  await director.call(reduce.decideReductions, { reduceIds: [reduceId], result: 'approved' })
  await pay(made, OWED - 17_000)
  const repaid = await lifeOf(made)
  expect(repaid.order.status).toBe(41)
  await approve(other, await ask(await pay(made, 2_500)))
  const after = await lifeOf(made)
  expect(after.order).toMatchObject({ status: 41, outstanding: 0 })
  expect(after.plans).toEqual(repaid.plans)
  const [row] = (await manager.call(reduce.listReductions, { reduceId })).rows
  expect(row).toMatchObject({ state: 'used', voidTime: null })
})

test('a reduced loan is reopened only when one of its instalments is past its due day', async () => {
  const made = await makeCase(floor, { overdueDays: 12, product: { id: 'PR2', periods: 2 } })
  const [first, second] = (await lifeOf(made)).plans
  const [principal, ahead] = [first?.principal ?? 0, second?.outstanding ?? 0]
  const { amountDue } = await manager.call(api.quotePayment, {
    orderId: made.orderId,
    type: 'full',
  })
  // fine and interest of the overdue part are paid; the waived amount belongs to the instalment
  // that is not overdue
  await pay(made, amountDue - ahead - principal)
  const { reduceId } = await manager.call(reduce.launchReduction, {
    orderId: made.orderId,
    planId: first?.planId ?? '',
    version: (await lifeOf(made)).order.version,
    reduceItems: { overdueFine: 0, serviceFee: 0, interest: 1_000 },
    validUntil: today,
    reason: 'Pays at once',
  })
  await director.call(reduce.decideReductions, { reduceIds: [reduceId], result: 'approved' })
  await pay(made, principal)
  const last = await pay(made, ahead - 1_000)
  expect((await lifeOf(made)).order.status).toBe(41)
  expect(await manager.refused(api.reverseRecord, await form(last))).toMatchObject({
    problem: { id: 'O-RULE', params: { reason: 'reducedNotOverdue' } },
  })
  expect((await lifeOf(made)).order.status).toBe(41)
})

test('a payment above the debt is reversed in full, including the customer’s credit', async () => {
  const made = await overdue()
  await approve(other, await ask(await pay(made, OWED + 33_300)))
  const { order, ledger } = await lifeOf(made)
  expect(order).toMatchObject({ status: 50, outstanding: OWED })
  expect(
    ledger
      .filter(({ account }) => account === 'customerCredit')
      .reduce((sum, { debit, credit }) => sum + debit - credit, 0),
  ).toBe(0)
})

test('a bounced cooling-off exit makes the loan due again and may be repeated in time', async () => {
  const { orderId } = await makeOrder(floor, { status: 30, amount: 1_000_000 })
  // two of ninety days: 3.33 of each instalment's 150.00 interest
  await sql`
    update loan_order set disbursed_at = disbursed_at - interval '2 days',
      cooling_off_until = clock_timestamp() + interval '1 day' where id = ${orderId}`.execute(
    floor.database.kysely,
  )
  const exitOf = async (utr: string) => {
    const [{ amountDue }, { order }] = [
      await manager.call(api.quotePayment, { orderId, type: 'coolingOff' }),
      await lifeOf({ orderId }),
    ]
    const { recordId } = await manager.call(exitCoolingOff, {
      orderId,
      version: order.version,
      amount: amountDue,
      utr,
      upi: '-',
      channel: 2,
      bankCode: 'HDFC',
      payTime: new Date().toISOString(),
    })
    await other.call(api.confirmRecord, {
      recordId,
      version: (await recordOf(recordId)).version,
      result: 'success',
    })
    return { recordId, amountDue }
  }
  const before = (await lifeOf({ orderId })).plans
  const { recordId, amountDue } = await exitOf('830000000001')
  expect(amountDue).toBe(1_000_999)
  expect((await lifeOf({ orderId })).order.status).toBe(40)
  await approve(director, await ask(recordId))
  const { order, plans, ledger } = await lifeOf({ orderId })
  expect(order).toMatchObject({ status: 30, closeType: 'notClosed', outstanding: 1_045_000 })
  expect(plans).toEqual(before.map((plan) => ({ ...plan, version: plan.version + 2 })))
  expect(
    ledger
      .filter(({ kind }) => kind === 'waiverReversal')
      .map(({ account, debit, credit }) => [account, debit - credit]),
  ).toEqual([...before.map(() => ['interestReceivable', 14_667]), ['interestIncome', -44_001]])
  expect((await manager.call(orderTimeline, { orderId })).at(-1)).toMatchObject({
    from: 40,
    to: 30,
    cause: 'reversePayment',
  })
  expect((await exitOf('830000000002')).amountDue).toBe(1_000_999)
  expect((await lifeOf({ orderId })).order.status).toBe(40)
})

test('a reversal is refused for pending payments, ended orders and a second open order', async () => {
  const made = await overdue()
  const paid = await pay(made, 100_000)
  const waiting = await channel.call(inboundPayment, {
    vendorOrderNo: 'V-wait',
    orderId: made.orderId,
    amount: 50_000,
    channel: 1,
    result: 'processing',
  })
  expect(await manager.refused(api.reverseRecord, await form(waiting.recordId))).toMatchObject({
    problem: { id: 'M-STATE', params: { state: 'inProgress' } },
  })
  expect(await manager.refused(api.reverseRecord, await form(paid))).toMatchObject({
    problem: { id: 'M-OPEN' },
  })
  expect(
    await manager.refused(api.reverseRecord, { ...(await form(paid)), version: 99 }),
  ).toMatchObject({ code: 409 })
  const done = await overdue()
  const recordId = await pay(done, OWED)
  const asked = await ask(recordId)
  await makeOrder(floor, { status: 10, customerId: done.customerId })
  // requested in time, refused at the approval: nothing changes and the request stays pending
  expect(
    await other.refused(approvals.decideApproval, {
      approvalId: asked,
      version: 1,
      result: 'approved',
    }),
  ).toMatchObject({ problem: { id: 'O-RULE', params: { reason: 'openOrder' } } })
  expect(
    (await manager.call(approvals.listApprovals, { mine: true, state: 'pending' })).rows.map(
      ({ approvalId }) => approvalId,
    ),
  ).toContain(asked)
  expect((await lifeOf(done)).order.status).toBe(40)
})
