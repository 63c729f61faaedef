/**
 * Write-offs: at once and final, in a batch that another person approves, or by a payment that
 * another person confirms.
 */
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { approvalDetail } from '#shared/approvals/approval-detail-api.ts'
import * as approvals from '#shared/approvals/approvals-api.ts'
import { SETUP_MENU } from '#shared/collection/setup-menu.ts'
import { jobDetail } from '#shared/jobs/jobs-api.ts'
import { addDays, istDay } from '#shared/kernel/time.ts'
import { orderDetail } from '#shared/orders/order-detail-api.ts'
import { ORDERS_MENU } from '#shared/orders/orders-menu.ts'
import { inboundPayment } from '#shared/repayments/inbound-payment-api.ts'
import { decideReductions, launchReduction } from '#shared/repayments/reductions-api.ts'
import * as api from '#shared/repayments/repayments-api.ts'
import { REPAYMENTS_MENU } from '#shared/repayments/repayments-menu.ts'
import * as flat from '#shared/repayments/write-offs-api.ts'
import { brokenInvariants } from '#gateway/manage/db/check-invariants.ts'
import { approvalExpire } from '#gateway/manage/features/approvals/approval-expire-job.ts'
import { approvalsRoutes } from '#gateway/manage/features/approvals/approvals-routes.ts'
import { casePaid } from '#gateway/manage/features/collection/public.ts'
import { ordersRoutes } from '#gateway/manage/features/orders/orders-routes.ts'
import { makeCase, type MadeCase } from '#tests/factories/cases.ts'
import { makeOrder } from '#tests/factories/orders.ts'
import { machineOf } from '#tests/support/machine.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { repaymentsRoutes } from '../repayments-routes.ts'
import { xlsxFile, xlsxLine } from '#gateway/manage/features/exports/public.ts'
import { batchWriteOffApproval, batchWriteOffJob } from './batch-write-off.ts'

let floor: Floor
let manager: Person
let other: Person
let director: Person
let service: Person
let serial = 0
const today = istDay(Date.now())
const KINDS = [batchWriteOffApproval]

beforeAll(async () => {
  floor = await testManage({
    parts: (context) => ({
      menus: [...ORDERS_MENU, ...REPAYMENTS_MENU, ...SETUP_MENU],
      jobTypes: [batchWriteOffJob([casePaid])],
      routes: (base) => {
        ordersRoutes(base, context, { whenCancelled: [] })
        approvalsRoutes(base, context, { kinds: KINDS })
        repaymentsRoutes(base, context, { whenPaid: [casePaid] })
      },
    }),
  })
  ;[manager, other, director, service] = await Promise.all([
    floor.signIn('manager'),
    floor.signIn('manager2'),
    floor.signIn('director'),
    floor.signIn('customer_service'),
  ])
})
afterAll(() => floor.close())
afterEach(async () => {
  await floor.settle()
  expect(await brokenInvariants(floor.database)).toEqual([])
})

/** 10,000.00 and 150.00 interest, due twelve days ago: 120.00 of fine are not charged yet. */
const overdue = (given: object = {}) => makeCase(floor, { overdueDays: 12, ...given })
const OWED = 1_000_000 + 15_000 + 12_000
const lifeOf = ({ orderId }: { orderId: string }) => manager.call(orderDetail, { orderId })
async function form(made: { orderId: string }, more: object = {}) {
  return {
    orderId: made.orderId,
    version: (await lifeOf(made)).order.version,
    type: 'operational' as const,
    repaymentDate: today,
    amount: OWED,
    reason: 'Borrower cannot be found',
    ...more,
  }
}
const paid = () => ({
  utr: String(710_000_000_000 + (serial += 1)),
  upi: '-',
  channel: 2,
  bankCode: 'HDFC',
})
const caseOf = async ({ caseId }: MadeCase) =>
  (
    await sql<{
      state: string
      end_reason: string
      outstanding: number
    }>`select c.state, c.end_reason, c.outstanding from collection_case c where c.id = ${caseId}`.execute(
      floor.database.kysely,
    )
  ).rows[0]
async function rowOf(input: object) {
  const [row] = (await manager.call(flat.listWriteOffs, input)).rows
  if (!row) throw new Error('no such write-off')
  return row
}

test('an operational write-off takes effect at once: ledger, plans, case, blacklist', async () => {
  const made = await overdue()
  expect(await manager.call(flat.writeOffQuote, { orderId: made.orderId })).toMatchObject({
    outstanding: OWED,
    principal: 1_000_000,
    due: OWED,
    cap: 2_500_000,
    isBusy: false,
    blacklisted: false,
    today,
  })
  const before = (await floor.events()).at(-1)?.seq ?? 0
  const row = await manager.call(flat.launchWriteOff, await form(made))
  expect(row).toMatchObject({
    type: 'operational',
    state: 'done',
    amount: OWED,
    outstandingBefore: OWED,
    resultStatus: 100,
    reason: 'Borrower cannot be found',
    operatorName: 'Manager 1',
    confirmerName: null,
  })
  const { order, plans, ledger, customer } = await lifeOf(made)
  expect(order).toMatchObject({ status: 100, closeType: 'writeOffClosed', outstanding: 0 })
  expect(plans).toMatchObject([
    { paymentStatus: 'writtenOff', outstanding: 0, overdueFine: 12_000 },
  ])
  expect(
    ledger
      .filter(({ kind }) => kind === 'writeOff')
      .map(({ account, debit, credit }) => [account, debit - credit]),
  ).toEqual([
    ['writeOffExpense', OWED],
    ['fineReceivable', -12_000],
    ['interestReceivable', -15_000],
    ['principalReceivable', -1_000_000],
  ])
  expect(customer.blacklisted).toBe(true)
  expect(await caseOf(made)).toEqual({ state: 'closed', end_reason: 'writtenOff', outstanding: 0 })
  expect((await floor.events(before)).map(({ type }) => type)).toEqual(
    expect.arrayContaining([
      'order.status.changed',
      'plan.changed',
      'case.ended',
      'writeoff.done',
      'blacklist.changed',
    ]),
  )
  // the status is final: a later payment is the customer's credit
  expect(
    await manager.refused(flat.launchWriteOff, { ...(await form(made)), version: order.version }),
  ).toMatchObject({ problem: { id: 'O-STATE' } })
  const channel = await machineOf(floor, ['payment'])
  const late = await channel.call(inboundPayment, {
    vendorOrderNo: 'V-W1',
    orderId: made.orderId,
    amount: 50_000,
    channel: 1,
    result: 'success',
    utr: '777777777771',
  })
  expect(late.status).toBe(100)
})

test('it requires a reason, the exact amount, and the cap of the role', async () => {
  const made = await overdue()
  const { reason: _, ...silent } = await form(made)
  expect(await manager.refused(flat.launchWriteOff, silent)).toMatchObject({
    code: 400,
    problem: { id: 'M-REA' },
    data: { fields: { reason: 'required' } },
  })
  for (const amount of [OWED - 1, OWED + 1])
    expect(await manager.refused(flat.launchWriteOff, await form(made, { amount }))).toMatchObject({
      problem: { id: 'M-AMT', params: { amount: OWED } },
    })
  expect(
    await manager.refused(
      flat.launchWriteOff,
      await form(made, { repaymentDate: addDays(today, 1) }),
    ),
  ).toMatchObject({ data: { fields: { repaymentDate: 'repayments:fault.future' } } })
  expect(await service.refused(flat.launchWriteOff, await form(made))).toMatchObject({ code: 403 })
  const large = await overdue({ amount: 5_000_000 })
  const { outstanding } = await manager.call(flat.writeOffQuote, { orderId: large.orderId })
  expect(
    await manager.refused(flat.launchWriteOff, await form(large, { amount: outstanding })),
  ).toMatchObject({ problem: { id: 'M-CAP', params: { amount: 2_500_000 } } })
  expect(
    await director.call(flat.launchWriteOff, await form(large, { amount: outstanding })),
  ).toMatchObject({ state: 'done', resultStatus: 100 })
  // the limit of a write-off does not cover a settlement by payment
  expect(
    await director.refused(flat.launchWriteOff, await form(made, { type: 'full', ...paid() })),
  ).toMatchObject({ code: 403 })
})

test('a request sent three times gives one write-off; with a payment or reduction open it is refused', async () => {
  const made = await overdue()
  const asked = await form(made)
  const answers = await Promise.all(
    [1, 2, 3].map(() =>
      manager.call(flat.launchWriteOff, asked, { 'idempotency-key': 'same-write-off-1' }),
    ),
  )
  expect(new Set(answers.map(({ writeOffId }) => writeOffId)).size).toBe(1)
  const reduced = await overdue()
  const { order, plans } = await lifeOf(reduced)
  await manager.call(launchReduction, {
    orderId: reduced.orderId,
    planId: plans[0]?.planId ?? '',
    version: order.version,
    reduceItems: { overdueFine: 100, serviceFee: 0, interest: 0 },
    validUntil: today,
    reason: 'Pays today',
  })
  expect(await manager.refused(flat.launchWriteOff, await form(reduced))).toMatchObject({
    code: 409,
    problem: { id: 'M-OPEN' },
  })
  expect(await manager.call(flat.writeOffQuote, { orderId: reduced.orderId })).toMatchObject({
    isBusy: true,
  })
})

test('a customer blacklisted for another reason is blacklisted for the write-off instead', async () => {
  const made = await overdue()
  await sql`
    insert into blacklist (customer_id, source, reason)
      values (${made.customerId}, 'manual', 'Forged papers')`.execute(floor.database.kysely)
  await sql`update customer set blacklisted = true where id = ${made.customerId}`.execute(
    floor.database.kysely,
  )
  await manager.call(flat.launchWriteOff, await form(made))
  const { rows } = await sql<{
    source: string
    open: boolean
  }>`
    select b.source, b.ended_at is null as open
    from blacklist b
    where b.customer_id = ${made.customerId}
    order by b.created_at`.execute(floor.database.kysely)
  expect(rows).toEqual([
    { source: 'manual', open: false },
    { source: 'operationalWriteOff', open: true },
  ])
})

test('by a payment it waits for another person, and ends with their decision', async () => {
  const [whole, part] = [await overdue(), await overdue()]
  const full = await manager.call(
    flat.launchWriteOff,
    await form(whole, { type: 'full', ...paid() }),
  )
  expect(full).toMatchObject({ type: 'full', state: 'pending', amount: OWED, resultStatus: null })
  expect((await lifeOf(whole)).order.status).toBe(43)
  const confirm = async (recordId: string | null, more: object) => {
    const [record] = (await manager.call(api.listRecords, { recordId: recordId ?? '' })).rows
    return {
      recordId: recordId ?? '',
      version: record?.version ?? 0,
      result: 'success' as const,
      ...more,
    }
  }
  expect(await manager.refused(api.confirmRecord, await confirm(full.recordId, {}))).toMatchObject({
    problem: { id: 'G-SELF' },
  })
  await other.call(api.confirmRecord, await confirm(full.recordId, {}))
  expect(await rowOf({ writeOffId: full.writeOffId })).toMatchObject({
    state: 'done',
    resultStatus: 40,
    confirmerName: 'Manager 2',
  })
  expect(
    await manager.refused(flat.launchWriteOff, await form(part, { type: 'partial', ...paid() })),
  ).toMatchObject({ problem: { id: 'M-AMT', params: { rule: 'less' } } })
  expect(
    await manager.refused(
      flat.launchWriteOff,
      await form(part, { type: 'partial', amount: 1_000 }),
    ),
  ).toMatchObject({
    data: {
      fields: { utr: 'required', upi: 'required', channel: 'required', bankCode: 'required' },
    },
  })
  const some = await manager.call(
    flat.launchWriteOff,
    await form(part, { type: 'partial', amount: 100_000, ...paid() }),
  )
  await other.call(
    api.confirmRecord,
    await confirm(some.recordId, { result: 'fail', failReason: 'Not on the statement' }),
  )
  expect(await rowOf({ writeOffId: some.writeOffId })).toMatchObject({
    state: 'rejected',
    resultStatus: null,
  })
  expect((await lifeOf(part)).order).toMatchObject({ status: 50 })
})

/** The record a write-off waits for, confirmed by another person. */
async function confirmed(recordId: string | null): Promise<void> {
  const [record] = (await manager.call(api.listRecords, { recordId: recordId ?? '' })).rows
  await other.call(api.confirmRecord, {
    recordId: recordId ?? '',
    version: record?.version ?? 0,
    result: 'success',
  })
}

test('its payment counts on its value date, and may use an approved reduction', async () => {
  const [early, reduced] = [await overdue(), await overdue()]
  const yesterday = addDays(today, -1)
  const due = OWED - 1_000
  expect(
    await manager.refused(
      flat.launchWriteOff,
      await form(early, { type: 'full', repaymentDate: yesterday, ...paid() }),
    ),
  ).toMatchObject({ problem: { id: 'M-AMT', params: { amount: due } } })
  const row = await manager.call(
    flat.launchWriteOff,
    await form(early, { type: 'full', repaymentDate: yesterday, amount: due, ...paid() }),
  )
  await confirmed(row.recordId)
  expect(await rowOf({ orderId: early.orderId })).toMatchObject({ state: 'done', resultStatus: 40 })

  const { order, plans } = await lifeOf(reduced)
  const asked = await manager.call(launchReduction, {
    orderId: reduced.orderId,
    planId: plans[0]?.planId ?? '',
    version: order.version,
    reduceItems: { overdueFine: 100, serviceFee: 0, interest: 0 },
    validUntil: today,
    reason: 'Pays today',
  })
  await director.call(decideReductions, { reduceIds: [asked.reduceId], result: 'approved' })
  expect(await manager.call(flat.writeOffQuote, { orderId: reduced.orderId })).toMatchObject({
    isBusy: true,
    isBeingPaid: false,
  })
  const settled = await manager.call(
    flat.launchWriteOff,
    await form(reduced, { type: 'full', amount: OWED - 100, ...paid() }),
  )
  expect(await manager.call(flat.writeOffQuote, { orderId: reduced.orderId })).toMatchObject({
    isBeingPaid: true,
  })
  await confirmed(settled.recordId)
  expect(await rowOf({ orderId: reduced.orderId })).toMatchObject({
    state: 'done',
    resultStatus: 41,
  })
})

test('cash requires its receipt and cannot settle a write-off', async () => {
  const made = await overdue()
  expect(
    await manager.refused(
      flat.launchWriteOff,
      await form(made, { type: 'full', ...paid(), channel: 3 }),
    ),
  ).toMatchObject({ data: { fields: { channel: 'repayments:fault.offline' } } })
})

test('a write-off settled by another payment is done, and the excess becomes credit', async () => {
  const made = await overdue()
  const row = await manager.call(
    flat.launchWriteOff,
    await form(made, { type: 'partial', amount: 400_000, ...paid() }),
  )
  const channel = await machineOf(floor, ['payment'])
  expect(
    await channel.call(inboundPayment, {
      vendorOrderNo: 'V-W2',
      orderId: made.orderId,
      amount: OWED,
      channel: 1,
      result: 'success',
      utr: '777777777772',
    }),
  ).toMatchObject({ status: 40 })
  await confirmed(row.recordId)
  expect(await rowOf({ orderId: made.orderId })).toMatchObject({ state: 'done', resultStatus: 40 })
  // the write-off's payment has the earlier value: it is counted, and the other one is the excess
  const { rows } = await manager.call(api.listRecords, { orderId: made.orderId })
  const surplusOf = new Map(rows.map(({ recordId, surplus }) => [recordId, surplus]))
  expect(surplusOf.get(row.recordId ?? '')).toBe(0)
  expect([...surplusOf.values()].reduce((sum, surplus) => sum + surplus, 0)).toBe(400_000)
})

test('a batch waits for the director; then a job writes the orders off and keeps their claims', async () => {
  const [one, two, busy] = [await overdue(), await overdue(), await overdue()]
  const running = await makeOrder(floor, { status: 30 })
  const { order, plans } = await lifeOf(busy)
  await manager.call(launchReduction, {
    orderId: busy.orderId,
    planId: plans[0]?.planId ?? '',
    version: order.version,
    reduceItems: { overdueFine: 100, serviceFee: 0, interest: 0 },
    validUntil: today,
    reason: 'Pays today',
  })
  const asked = await manager.call(flat.batchWriteOff, {
    orderIds: [one.orderId, two.orderId, busy.orderId, running.orderId, 'L1'],
    reason: 'Yearly clearing',
  })
  expect(asked).toMatchObject({ count: 2, excludedCount: 3 })
  expect(asked.excluded).toEqual([
    { orderId: busy.orderId, why: 'busy' },
    { orderId: running.orderId, why: 'status' },
    { orderId: 'L1', why: 'unknown' },
  ])
  expect((await lifeOf(one)).order.status).toBe(50)
  const { rows: notifications } = await sql<{
    title_key: string
  }>`select n.title_key from notification n where n.user_id = ${director.userId}`.execute(
    floor.database.kysely,
  )
  expect(notifications).toEqual([{ title_key: 'approvals:notification.asked.batchWriteOff' }])

  const decision = { approvalId: asked.approvalId, version: 1, result: 'approved' as const }
  expect(await manager.refused(approvals.decideApproval, decision)).toMatchObject({
    problem: { id: 'G-SELF' },
  })
  // without a code to decide it, the request is not visible
  for (const person of [other, service])
    expect(await person.refused(approvals.decideApproval, decision)).toMatchObject({
      problem: { id: 'G404' },
    })
  expect((await director.call(approvals.listApprovals, {})).rows).toMatchObject([
    { approvalId: asked.approvalId, mayDecide: true, count: 2 },
  ])
  expect((await manager.call(approvals.listApprovals, { mine: true })).rows).toMatchObject([
    { approvalId: asked.approvalId, mayDecide: false },
  ])
  expect(
    (await director.call(approvalDetail, { approvalId: asked.approvalId })).orders.map(
      ({ orderId, status }) => [orderId, status],
    ),
  ).toEqual(
    [
      [one.orderId, 50],
      [two.orderId, 50],
    ].toSorted(),
  )
  const answers = await Promise.all(
    [1, 2, 3].map(() =>
      director.call(approvals.decideApproval, decision, { 'idempotency-key': 'approve-batch-1' }),
    ),
  )
  expect(new Set(answers.map(({ state }) => state))).toEqual(new Set(['approved']))
  await floor.settle()
  for (const made of [one, two]) {
    const { order: after, customer, ledger } = await lifeOf(made)
    expect(after).toMatchObject({ status: 110, closeType: 'writeOffClosed', outstanding: 0 })
    expect(customer.blacklisted).toBe(false)
    expect(ledger.filter(({ account }) => account === 'recoveryClaim')).toMatchObject([
      { kind: 'batchWriteOff', debit: OWED },
    ])
    expect(await caseOf(made)).toMatchObject({ state: 'closed', end_reason: 'writtenOff' })
  }
  expect(await rowOf({ orderId: one.orderId })).toMatchObject({
    type: 'batch',
    state: 'done',
    operatorName: 'Manager 1',
    confirmerName: 'Director 1',
    approvalId: asked.approvalId,
  })
  // the claim is kept: a later payment is a recovery
  const quote = await service.call(api.quotePayment, { orderId: one.orderId, type: 'full' })
  expect(quote.amountDue).toBe(OWED)
})

test('the job skips an order that has changed since, and continues with the others', async () => {
  const [gone, stays] = [await overdue(), await overdue()]
  const { approvalId } = await manager.call(flat.batchWriteOff, {
    orderIds: [gone.orderId, stays.orderId],
    reason: 'Yearly clearing',
  })
  await director.call(flat.launchWriteOff, await form(gone))
  await director.call(approvals.decideApproval, { approvalId, version: 1, result: 'approved' })
  await floor.settle()
  expect([(await lifeOf(gone)).order.status, (await lifeOf(stays)).order.status]).toEqual([
    100, 110,
  ])
  const { rows } = await sql<{
    id: string
  }>`select j.id from job j where j.singleton_key = ${approvalId}`.execute(floor.database.kysely)
  expect(await manager.call(jobDetail, { jobId: rows[0]?.id ?? '' })).toMatchObject({
    job: { state: 'done', ok: 1, fail: 1 },
  })
})

test('a request is rejected with a reason, withdrawn by the requester, and expires', async () => {
  const ask = async () =>
    (
      await manager.call(flat.batchWriteOff, {
        orderIds: [(await overdue()).orderId],
        reason: 'Yearly clearing',
      })
    ).approvalId
  const [refused, withdrawn, expired] = [await ask(), await ask(), await ask()]
  expect(
    await director.refused(approvals.decideApproval, {
      approvalId: refused,
      version: 1,
      result: 'rejected',
    }),
  ).toMatchObject({ data: { fields: { reason: 'required' } } })
  expect(
    await director.call(approvals.decideApproval, {
      approvalId: refused,
      version: 1,
      result: 'rejected',
      reason: 'Not this month',
    }),
  ).toMatchObject({ state: 'rejected', decideBy: 'Director 1' })
  expect(
    await director.refused(approvals.withdrawApproval, { approvalId: withdrawn, version: 1 }),
  ).toMatchObject({ problem: { id: 'G404' } })
  expect(
    await manager.call(approvals.withdrawApproval, { approvalId: withdrawn, version: 1 }),
  ).toMatchObject({ state: 'withdrawn' })
  await sql`
    update approval set expires_at = clock_timestamp() - interval '1 minute' where id = ${expired}`.execute(
    floor.database.kysely,
  )
  expect(
    await director.refused(approvals.decideApproval, {
      approvalId: expired,
      version: 1,
      result: 'approved',
    }),
  ).toMatchObject({ problem: { id: 'A-STATE', params: { state: 'expired' } } })
  expect(await approvalExpire(KINDS).run(floor.context)).toEqual({ expired: 1 })
  expect(
    await director.refused(approvals.decideApproval, {
      approvalId: withdrawn,
      version: 2,
      result: 'approved',
    }),
  ).toMatchObject({ problem: { id: 'A-STATE', params: { state: 'withdrawn' } } })
  expect(
    await manager.refused(flat.batchWriteOff, { orderIds: ['L1'], reason: 'Nothing there' }),
  ).toMatchObject({ problem: { id: 'G-SEL' } })
})

test('a list or a sheet is previewed row by row before it is requested', async () => {
  const [one, two] = [await overdue(), await overdue()]
  const running = await makeOrder(floor, { status: 30 })
  const cell = (text: string) => [{ text, kind: 'text' as const }]
  const sheet = xlsxFile(
    'Orders',
    [
      xlsxLine(cell('Borrowing ID'), true),
      ...[one.orderId, running.orderId, 'L1', 'L99999999'].map((id) => xlsxLine(cell(id))),
    ],
    [20],
  )
  const seen = await manager.call(flat.previewBatchWriteOff, {
    list: `${two.orderId}, ${one.orderId}`,
    ...({ file: [sheet] } as object),
  })
  expect(seen.orderIds).toEqual([one.orderId, two.orderId].toSorted())
  expect([seen.total, seen.excludedCount]).toEqual([
    2 * (await manager.call(orderDetail, { orderId: one.orderId })).order.outstanding,
    4,
  ])
  expect(Object.fromEntries(seen.excluded.map(({ orderId, why }) => [orderId, why]))).toEqual({
    [running.orderId]: 'status',
    L99999999: 'unknown',
    L1: 'unreadable',
    [one.orderId]: 'repeated',
  })
  const lines = Buffer.from(`\uFEFF"Borrowing ID"\r\n"${one.orderId}"\r\n`)
  expect(
    await manager.call(flat.previewBatchWriteOff, { ...({ file: [lines] } as object) }),
  ).toMatchObject({ orderIds: [one.orderId], excludedCount: 0 })
  expect(await manager.call(flat.previewBatchWriteOff, { list: '' })).toEqual({
    orderIds: [],
    total: 0,
    excluded: [],
    excludedCount: 0,
  })
})

test('a file that is no sheet is refused, and the preview needs the permission for batches', async () => {
  const refused = async (file: Buffer) =>
    (await manager.send(flat.previewBatchWriteOff, { ...({ file: [file] } as object) })).json<{
      problem: { id: string }
      data: { fields: object }
    }>()
  expect(await refused(Buffer.from('\x89PNG\r\n\x1a\n' + '\0'.repeat(40), 'latin1'))).toMatchObject(
    { problem: { id: 'G-FILE' }, data: { fields: { file: 'repayments:batch.fileKind' } } },
  )
  expect(await refused(Buffer.from('PK\x03\x04 calls itself a workbook', 'latin1'))).toMatchObject({
    problem: { id: 'G-FILE' },
    data: { fields: { file: 'ui:fault.sheet' } },
  })
  expect(await service.refused(flat.previewBatchWriteOff, { list: 'L10000001' })).toMatchObject({
    code: 403,
  })
})

test('the exported template can be read back', async () => {
  for (const format of ['xlsx', 'csv'] as const) {
    const answer = await manager.send(flat.writeOffTemplate, { format, title: '订单编号' })
    expect(answer.headers['content-disposition']).toContain(`batch-write-off.${format}`)
    expect(
      await manager.call(flat.previewBatchWriteOff, {
        ...({ file: [answer.rawPayload] } as object),
      }),
    ).toMatchObject({ orderIds: [], excludedCount: 0 })
  }
})
