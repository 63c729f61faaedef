/**
 * Reductions from the request to the payment: caps by role, decisions by a higher level, the stop
 * of fines, and settlement of the order.
 */
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { SETUP_MENU } from '#shared/collection/setup-menu.ts'
import { WORK_MENU } from '#shared/collection/work-menu.ts'
import { addDays, istDay } from '#shared/kernel/time.ts'
import { orderDetail, orderTimeline } from '#shared/orders/order-detail-api.ts'
import { ORDERS_MENU } from '#shared/orders/orders-menu.ts'
import { inboundPayment } from '#shared/repayments/inbound-payment-api.ts'
import * as reduce from '#shared/repayments/reductions-api.ts'
import * as api from '#shared/repayments/repayments-api.ts'
import { REPAYMENTS_MENU } from '#shared/repayments/repayments-menu.ts'
import { brokenInvariants } from '#gateway/manage/db/check-invariants.ts'
import { inTransaction } from '#gateway/manage/db/transaction.ts'
import { casePaid, openDayCases } from '#gateway/manage/features/collection/public.ts'
import { ordersRoutes } from '#gateway/manage/features/orders/orders-routes.ts'
import { makeCase, type MadeCase } from '#tests/factories/cases.ts'
import { makeCollector, makeLeader, makeUnit, type Unit } from '#tests/factories/units.ts'
import { type Machine, machineOf } from '#tests/support/machine.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { openDays } from '../open-day.ts'
import { repaymentsRoutes } from '../repayments-routes.ts'
import { decideReductionsJob } from './decide-reductions.ts'
import { reduceExpire } from './reduce-expire-job.ts'

let floor: Floor
let home: Unit
let holder: { userId: string; account: string }
let collector: Person
let leader: Person
let supervisor: Person
let manager: Person
let stranger: Person
let channel: Machine
let serial = 0
const today = istDay(Date.now())

beforeAll(async () => {
  floor = await testManage({
    parts: (context) => ({
      menus: [...ORDERS_MENU, ...REPAYMENTS_MENU, ...SETUP_MENU, ...WORK_MENU],
      jobTypes: [decideReductionsJob],
      routes: (base) => {
        ordersRoutes(base, context, { whenCancelled: [] })
        repaymentsRoutes(base, context, { whenPaid: [casePaid] })
      },
    }),
  })
  home = await makeUnit(floor, { weight: 100, inHouse: true })
  const away = await makeUnit(floor, { inHouse: false })
  holder = await makeCollector(floor, home, { account: 'collector' })
  ;[collector, manager, channel] = await Promise.all([
    floor.signIn(holder.account),
    floor.signIn('manager'),
    machineOf(floor, ['payment']),
  ])
  leader = await floor.signIn((await makeLeader(floor, home, 'team_leader')).account)
  supervisor = await floor.signIn((await makeLeader(floor, home, 'internal_supervisor')).account)
  stranger = await floor.signIn((await makeCollector(floor, away)).account)
})
afterAll(() => floor.close())
afterEach(async () => {
  await floor.settle()
  expect(await brokenInvariants(floor.database)).toEqual([])
})

/**
 * 10,000.00 and 150.00 interest, due twelve days ago: 120.00 of fine. Open fees are 270.00; a
 * collector may request 20 % of them, 54.00.
 */
const overdue = () => makeCase(floor, { overdueDays: 12, collectorId: holder.userId })
const DUE = 1_000_000 + 15_000 + 12_000
const orderOf = async ({ orderId }: MadeCase) =>
  (await manager.call(orderDetail, { orderId })).order
const itemsOf = (overdueFine: number, interest = 0) => ({ overdueFine, serviceFee: 0, interest })

async function form(made: MadeCase, reduceItems: ReturnType<typeof itemsOf>, more: object = {}) {
  const { order, plans } = await manager.call(orderDetail, { orderId: made.orderId })
  return {
    orderId: made.orderId,
    planId: plans[0]?.planId ?? '',
    version: order.version,
    reduceItems,
    validUntil: addDays(today, 3),
    reason: 'Pays the rest at once',
    ...more,
  }
}
const launch = async (person: Person, made: MadeCase, fine: number, interest = 0) =>
  person.call(reduce.launchReduction, await form(made, itemsOf(fine, interest)))
async function rowOf(reduceId: string) {
  const [row] = (await manager.call(reduce.listReductions, { reduceId })).rows
  if (!row) throw new Error('no such reduction')
  return row
}
const approve = (person: Person, reduceId: string) =>
  person.call(reduce.decideReductions, { reduceIds: [reduceId], result: 'approved' })
const pay = (made: MadeCase, amount: number, more: object = {}) => {
  serial += 1
  return channel.call(inboundPayment, {
    vendorOrderNo: `V-R${serial}`,
    orderId: made.orderId,
    amount,
    channel: 1,
    result: 'success',
    utr: String(610_000_000_000 + serial),
    ...more,
  })
}

test('an approved reduction within the cap leaves an amount that settles the order', async () => {
  const made = await overdue()
  const limit = await collector.call(reduce.reductionLimit, { orderId: made.orderId })
  expect(limit).toMatchObject({
    due: DUE,
    principal: 1_000_000,
    open: { overdueFine: 12_000, serviceFee: 0, interest: 15_000 },
    capPercent: 20,
    cap: 5_400,
    maxItems: { overdueFine: 5_400, serviceFee: 0, interest: 0 },
    validFrom: today,
    validDefault: addDays(today, 3),
    validTo: addDays(today, 7),
    approverRoles: ['team_leader', 'internal_supervisor', 'manager', 'director', 'administrator'],
    openReduceId: null,
  })
  const before = (await floor.events()).at(-1)?.seq ?? 0
  const row = await launch(collector, made, 5_400)
  expect(row).toMatchObject({
    state: 'pending',
    amountDue: DUE,
    reduceAmount: 5_400,
    payAmount: DUE - 5_400,
    launchById: collector.userId,
    launchRole: 'collector',
    caseId: made.caseId,
    agencyId: home.agencyId,
  })
  expect(
    (await leader.call(reduce.listReductions, { toDecide: true })).rows.map(
      ({ reduceId }) => reduceId,
    ),
  ).toEqual([row.reduceId])
  expect((await collector.call(reduce.listReductions, { toDecide: true })).rows).toEqual([])
  expect(await approve(leader, row.reduceId)).toEqual({ ok: [row.reduceId], failed: [] })
  const changes = (await floor.events(before)).filter(({ type }) => type === 'reduction.changed')
  expect(changes.map(({ data }) => data.state)).toEqual(['pending', 'approved'])
  expect(changes[1]?.rooms).toEqual(
    expect.arrayContaining([
      `order:${made.orderId}`,
      'menu:reduce_list',
      `user:${collector.userId}`,
    ]),
  )
  const { rows: notifications } = await sql<{
    title_key: string
  }>`select n.title_key from notification n where n.user_id = ${collector.userId}`.execute(
    floor.database.kysely,
  )
  expect(notifications).toEqual([{ title_key: 'repayments:notification.reduction.approved' }])

  expect(
    await manager.call(api.quotePayment, { orderId: made.orderId, type: 'full' }),
  ).toMatchObject({ amountDue: DUE - 5_400, reduction: 5_400 })
  expect(await pay(made, DUE - 5_400)).toMatchObject({ status: 41 })
  const { order, plans, ledger } = await manager.call(orderDetail, { orderId: made.orderId })
  expect(order).toMatchObject({ status: 41, outstanding: 0, closeType: 'repaidClosed' })
  expect(plans).toMatchObject([
    { paymentStatus: 'paid', reducedFees: 5_400, paidAmount: DUE - 5_400 },
  ])
  expect(
    ledger
      .filter(({ kind }) => kind === 'reduction')
      .map(({ account, debit, credit }) => [account, debit - credit]),
  ).toEqual([
    ['waiverExpense', 5_400],
    ['fineReceivable', -5_400],
  ])
  expect((await manager.call(orderTimeline, { orderId: made.orderId })).at(-1)).toMatchObject({
    from: 43,
    to: 41,
    cause: 'payOkReduced',
  })
  expect(await rowOf(row.reduceId)).toMatchObject({ state: 'used', usedAmount: 5_400 })
  const { rows: cases } = await sql<{
    end_reason: string
  }>`select c.end_reason from collection_case c where c.id = ${made.caseId}`.execute(
    floor.database.kysely,
  )
  expect(cases).toEqual([{ end_reason: 'repaidReduced' }])
})

test('pending decisions are listed oldest first, all reductions newest first', async () => {
  const asked = [
    await launch(collector, await overdue(), 1_000),
    await launch(collector, await overdue(), 1_000),
  ].map(({ reduceId }) => reduceId)
  const idsOf = async (input: object) =>
    (await leader.call(reduce.listReductions, input)).rows.flatMap(({ reduceId }) =>
      asked.includes(reduceId) ? [reduceId] : [],
    )
  expect(await idsOf({ toDecide: true })).toEqual(asked)
  expect(await idsOf({ state: 'pending' })).toEqual(asked.toReversed())
})

test('a request above the cap is refused, and the refusal names the roles that may make it', async () => {
  const made = await overdue()
  expect(
    await collector.refused(reduce.launchReduction, await form(made, itemsOf(5_401))),
  ).toMatchObject({
    code: 400,
    problem: { id: 'M-CAP', params: { amount: 5_400 } },
    data: {
      roles: [
        'collection_specialist',
        'team_leader',
        'external_supervisor',
        'internal_supervisor',
        'manager',
        'administrator',
      ],
    },
  })
  // the leader may request 135.00, and only a level above the leader decides it
  const row = await launch(leader, made, 12_000, 1_500)
  expect(
    await collector.refused(reduce.decideReductions, {
      reduceIds: [row.reduceId],
      result: 'approved',
    }),
  ).toMatchObject({ code: 403 })
  expect((await approve(leader, row.reduceId)).failed).toMatchObject([{ problem: 'G-SELF' }])
  const otherLeader = await floor.signIn((await makeLeader(floor, home, 'team_leader')).account)
  expect((await approve(otherLeader, row.reduceId)).failed).toMatchObject([{ problem: 'M-LEVEL' }])
  expect(await approve(supervisor, row.reduceId)).toMatchObject({ ok: [row.reduceId] })
})

test('the effect of a bulk decision is previewed, and above the limit of a call a job decides each row', async () => {
  const cases = [await overdue(), await overdue(), await overdue()]
  const asked: string[] = []
  for (const made of cases) asked.push((await launch(collector, made, 1_000)).reduceId)
  const own = (await launch(leader, await overdue(), 1_000)).reduceId
  await manager.call(reduce.decideReductions, {
    reduceIds: [asked[0] as string],
    result: 'rejected',
    reason: 'Pays in full',
  })
  const reduceIds = [...asked, own]
  expect(
    await leader.call(reduce.previewDecision, { reduceIds, result: 'approved' }),
  ).toMatchObject({
    ready: asked.slice(1),
    amount: 2_000,
    excluded: [
      { reduceId: asked[0], problem: 'M-REDST', params: { state: 'rejected' } },
      { reduceId: own, problem: 'G-SELF' },
    ],
  })
  expect(
    (await leader.call(reduce.previewDecision, { reduceIds, result: 'rejected' })).ready,
  ).toEqual(asked.slice(1))
  expect(
    await stranger.refused(reduce.previewDecision, { reduceIds, result: 'approved' }),
  ).toMatchObject({ code: 403 })
  await sql`update sys_config set value = '2' where code = 'bulk.syncMax'`.execute(
    floor.database.kysely,
  )
  const { jobId, ok, failed } = await leader.call(reduce.decideReductions, {
    reduceIds: [...reduceIds, 'RD404'],
    result: 'approved',
  })
  await sql`update sys_config set value = '50' where code = 'bulk.syncMax'`.execute(
    floor.database.kysely,
  )
  expect([ok, failed]).toMatchObject([[], [{ id: 'RD404', problem: 'G404' }]])
  await floor.settle()
  const { rows } = await sql<{
    target_id: string
    state: string
    problem: string | null
  }>`select r.target_id, r.state, r.problem from job_row r where r.job_id = ${jobId ?? ''} order by r.n`.execute(
    floor.database.kysely,
  )
  expect(rows).toEqual([
    { target_id: asked[0], state: 'failed', problem: 'M-REDST' },
    { target_id: asked[1], state: 'ok', problem: null },
    { target_id: asked[2], state: 'ok', problem: null },
    { target_id: own, state: 'failed', problem: 'G-SELF' },
  ])
  expect(await rowOf(asked[1] as string)).toMatchObject({ state: 'approved' })
})

test('an approver waives no more than their own cap', async () => {
  const made = await overdue()
  const row = await launch(leader, made, 12_000, 1_500)
  await sql`update sys_config set value = '40' where code = 'reduce.cap.internal_supervisor'`.execute(
    floor.database.kysely,
  )
  expect((await approve(supervisor, row.reduceId)).failed).toMatchObject([
    { problem: 'M-CAP', params: { amount: 10_800 } },
  ])
  await sql`update sys_config set value = '70' where code = 'reduce.cap.internal_supervisor'`.execute(
    floor.database.kysely,
  )
  expect(await approve(manager, row.reduceId)).toMatchObject({ ok: [row.reduceId] })
})

test('fine is waived before interest, within the open amounts and the longest validity', async () => {
  const made = await overdue()
  const fields = async (items: object, more: object = {}) =>
    (
      (
        await manager.refused(
          reduce.launchReduction,
          await form(made, { ...itemsOf(0), ...items }, more),
        )
      ).data as { fields: object }
    ).fields
  expect(await fields({ overdueFine: 11_999, interest: 1 })).toEqual({
    interest: 'repayments:fault.reduce.order',
  })
  expect(await fields({ overdueFine: 12_001 })).toEqual({
    overdueFine: 'repayments:fault.reduce.tooMuch',
  })
  expect(await fields({})).toEqual({ overdueFine: 'repayments:fault.reduceNothing' })
  expect(await fields({ overdueFine: 1 }, { validUntil: addDays(today, 8) })).toEqual({
    validUntil: 'repayments:fault.validTooFar',
  })
  expect(await fields({ overdueFine: 1 }, { validUntil: addDays(today, -1) })).toEqual({
    validUntil: 'repayments:fault.validPast',
  })
  expect(await fields({ overdueFine: -1 })).toHaveProperty('reduceItems.overdueFine')
  const running = await makeCase(floor, { overdueDays: 0 })
  expect(
    await manager.refused(reduce.launchReduction, await form(running, itemsOf(1))),
  ).toMatchObject({ problem: { id: 'O-STATE' } })
})

test('one is open at a time, a repeated request counts once, and a stale version is refused', async () => {
  const made = await overdue()
  const asked = await form(made, itemsOf(1_000))
  const answers = await Promise.all(
    [1, 2, 3].map(() =>
      collector.call(reduce.launchReduction, asked, { 'idempotency-key': 'same-reduction-1' }),
    ),
  )
  expect(new Set(answers.map(({ reduceId }) => reduceId)).size).toBe(1)
  expect(
    await manager.refused(reduce.launchReduction, await form(made, itemsOf(2_000))),
  ).toMatchObject({ code: 409, problem: { id: 'M-OPEN' } })
  expect(
    await manager.refused(reduce.launchReduction, { ...asked, version: asked.version + 1 }),
  ).toMatchObject({ problem: { id: 'G409' } })
  // the launcher withdraws it, nobody else
  const { reduceId, version } = answers[0] as { reduceId: string; version: number }
  expect(await leader.refused(reduce.withdrawReduction, { reduceId, version })).toMatchObject({
    problem: { id: 'G404' },
  })
  expect(await collector.call(reduce.withdrawReduction, { reduceId, version })).toMatchObject({
    state: 'rejected',
    cause: 'withdrawn',
  })
  expect(
    await collector.refused(reduce.withdrawReduction, { reduceId, version: version + 1 }),
  ).toMatchObject({ problem: { id: 'M-REDST', params: { state: 'rejected' } } })
})

test('a collector gets no information about cases of others', async () => {
  const made = await overdue()
  const row = await launch(collector, made, 1_000)
  expect(await stranger.refused(reduce.reductionLimit, { orderId: made.orderId })).toMatchObject({
    problem: { id: 'G404' },
  })
  expect(
    await stranger.refused(reduce.launchReduction, await form(made, itemsOf(1))),
  ).toMatchObject({ problem: { id: 'G404' } })
  expect((await stranger.call(reduce.listReductions, { reduceId: row.reduceId })).rows).toEqual([])
  expect(
    await stranger.refused(reduce.withdrawReduction, {
      reduceId: row.reduceId,
      version: row.version,
    }),
  ).toMatchObject({ problem: { id: 'G404' } })
  // a rejection has a reason, and the launcher is notified
  expect(
    await manager.refused(reduce.decideReductions, {
      reduceIds: [row.reduceId],
      result: 'rejected',
    }),
  ).toMatchObject({ data: { fields: { reason: 'required' } } })
  expect(
    await manager.call(reduce.decideReductions, {
      reduceIds: [row.reduceId, 'RD1'],
      result: 'rejected',
      reason: 'Pays anyway',
    }),
  ).toMatchObject({ ok: [row.reduceId], failed: [{ id: 'RD1', problem: 'G404' }] })
  expect(await rowOf(row.reduceId)).toMatchObject({
    state: 'rejected',
    cause: null,
    decideReason: 'Pays anyway',
    decideBy: 'Manager 1',
    decideById: manager.userId,
  })
})

test('a partial payment keeps the reduction open; a payment that settles the order without it ends it', async () => {
  const made = await overdue()
  const row = await launch(collector, made, 5_000)
  await approve(leader, row.reduceId)
  expect(await pay(made, 300_000)).toMatchObject({ status: 50 })
  expect(await rowOf(row.reduceId)).toMatchObject({ state: 'approved' })
  expect(
    await manager.call(api.quotePayment, { orderId: made.orderId, type: 'full' }),
  ).toMatchObject({ amountDue: DUE - 300_000 - 5_000 })
  expect(await pay(made, DUE - 300_000 - 5_000)).toMatchObject({ status: 41 })
  const other = await overdue()
  const asked = await launch(collector, other, 5_000)
  expect(await pay(other, DUE)).toMatchObject({ status: 40 })
  expect(await rowOf(asked.reduceId)).toMatchObject({ state: 'rejected', cause: 'orderClosed' })
})

test('a revoked reduction makes the fees due again; it cannot be revoked while a payment is in progress', async () => {
  const made = await overdue()
  const row = await launch(collector, made, 5_000)
  await approve(leader, row.reduceId)
  // as if it had been approved two days ago
  await sql`update reduction set frozen_on = ${addDays(today, -2)}::date where id = ${row.reduceId}`.execute(
    floor.database.kysely,
  )
  expect(
    await manager.call(api.quotePayment, { orderId: made.orderId, type: 'full' }),
  ).toMatchObject({ amountDue: DUE - 2_000 - 5_000 })
  const payment = await pay(made, 100_000, { result: 'processing' })
  const { version } = await rowOf(row.reduceId)
  const revoke = { reduceId: row.reduceId, version, reason: 'Promised more than he has' }
  expect(await leader.refused(reduce.revokeReduction, revoke)).toMatchObject({
    problem: { id: 'M-OPEN' },
  })
  const [record] = (await manager.call(api.listRecords, { recordId: payment.recordId })).rows
  await manager.call(api.confirmRecord, {
    recordId: payment.recordId,
    version: record?.version ?? 0,
    result: 'fail',
    failReason: 'Never arrived',
  })
  expect(await leader.call(reduce.revokeReduction, revoke)).toMatchObject({
    state: 'lapsed',
    cause: 'revoked',
  })
  expect(await orderOf(made)).toMatchObject({ status: 50, outstanding: DUE })
})

test('a payment concurrent with the approval uses the approved reduction', async () => {
  const made = await overdue()
  const row = await launch(collector, made, 5_000)
  let paying: Promise<unknown> = Promise.resolve()
  await inTransaction(floor.database, async (trx) => {
    await sql`select from loan_order o where o.id = ${made.orderId} for update`.execute(trx)
    paying = pay(made, DUE - 5_000)
    // the embedded database has one connection, so there the payment has not begun
    const isWaiting = sql<{
      waits: boolean
    }>`select exists (select from pg_locks l where not l.granted
      and pg_backend_pid() = any(pg_blocking_pids(l.pid))) as waits`
    if (floor.database.engine === 'postgresql')
      await expect.poll(async () => (await isWaiting.execute(trx)).rows[0]?.waits).toBe(true)
    await sql`
      update reduction set state = 'approved', frozen_on = ${today}::date, decided_at = clock_timestamp(),
        decided_by_name = 'test' where id = ${row.reduceId}`.execute(trx)
  })
  expect(await paying).toMatchObject({ status: 41 })
})

test('after its last day it expires, by the nightly job or by a late payment', async () => {
  const [slept, late] = [await overdue(), await overdue()]
  const ids = []
  for (const made of [slept, late]) {
    const row = await launch(collector, made, 5_000)
    await approve(leader, row.reduceId)
    await sql`
      update reduction set frozen_on = ${addDays(today, -4)}::date,
        valid_until = ${addDays(today, -1)}::date where id = ${row.reduceId}`.execute(
      floor.database.kysely,
    )
    ids.push(row.reduceId)
  }
  expect(
    await manager.call(api.quotePayment, { orderId: late.orderId, type: 'full' }),
  ).toMatchObject({ amountDue: DUE, reduction: 0 })
  expect(await pay(late, DUE - 5_000)).toMatchObject({ status: 50 })
  expect(await orderOf(late)).toMatchObject({ outstanding: 5_000 })
  expect(await reduceExpire([casePaid]).run(floor.context)).toEqual({ expired: 1 })
  for (const id of ids) expect(await rowOf(id)).toMatchObject({ state: 'lapsed', cause: 'expired' })
  expect(await orderOf(slept)).toMatchObject({ status: 50, outstanding: DUE })
})

test('a reduction does not expire while a payment made in time is in progress, and the payment uses it', async () => {
  const made = await overdue()
  const row = await launch(collector, made, 5_000)
  await approve(leader, row.reduceId)
  const db = floor.database.kysely
  const report = { vendorOrderNo: 'V-IN-TIME', utr: '610999999999' }
  await pay(made, DUE - 5_000, { ...report, result: 'processing' })
  await sql`
    update reduction set valid_until = ${addDays(today, -1)}::date,
      frozen_on = ${addDays(today, -4)}::date,
      decided_at = decided_at - interval '4 days' where id = ${row.reduceId}`.execute(db)
  await sql`
    update repay_record set paid_at = paid_at - interval '1 day'
      where order_id = ${made.orderId}`.execute(db)
  expect(await reduceExpire([casePaid]).run(floor.context)).toEqual({ expired: 0 })
  expect(await rowOf(row.reduceId)).toMatchObject({ state: 'approved' })
  await pay(made, DUE - 5_000, { ...report, result: 'fail' })
  expect(await reduceExpire([casePaid]).run(floor.context)).toEqual({ expired: 1 })
})

test('days that begin during the validity charge no fine but count as overdue days', async () => {
  const [frozen, plain] = [await overdue(), await overdue()]
  const row = await launch(collector, frozen, 5_000)
  await approve(leader, row.reduceId)
  for (let n = 0; n <= 2; n += 1) await openDays(floor.context, addDays(today, n), [openDayCases])
  expect(await orderOf(frozen)).toMatchObject({ outstanding: DUE, overdueDays: 14 })
  expect(await orderOf(plain)).toMatchObject({ outstanding: DUE + 2_000, overdueDays: 14 })
})
