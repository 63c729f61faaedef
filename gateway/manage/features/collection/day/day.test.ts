/**
 * Effects of time and money on cases: start of day, due promises, idle cases, payments, reversals.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { caseDetail, deskFigures, listCases } from '#shared/collection/cases-api.ts'
import { addDays, istDay } from '#shared/kernel/time.ts'
import { mendCounter } from '#gateway/manage/db/check-invariants.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { type CommandTx, runCommand } from '#gateway/manage/kernel/command.ts'
import type { MessageResult, OutgoingMessage } from '#gateway/manage/vendors/message-vendor.ts'
import { fallDue, makeCase, type MadeCase, makeRecord, workFloor } from '#tests/factories/cases.ts'
import { dropHolidays, makeHoliday } from '#tests/factories/holidays.ts'
import { makeOrder } from '#tests/factories/orders.ts'
import { makeCollector, makeLeader, makeUnit, type Unit } from '#tests/factories/units.ts'
import type { TestClock } from '#tests/support/clock.ts'
import type { Floor, Person } from '#tests/support/manage.ts'
import { casePaid, type PaidOrder } from './case-paid.ts'
import { intimate } from './intimate-job.ts'
import { openDayCases } from './open-day-cases.ts'
import { ptpCheck } from './ptp-check-job.ts'
import { recallIdle } from './recall-idle-job.ts'

let floor: Floor & { clock: TestClock }
let home: Unit
let outside: Unit
let manager: Person
let early: { userId: string; account: string }
let late: { userId: string; account: string }
const today = istDay(Date.now())
const ist = (clock: string, day = today) => new Date(`${day}T${clock}+05:30`).toISOString()

beforeAll(async () => {
  floor = await workFloor()
  home = await makeUnit(floor, { inHouse: true })
  outside = await makeUnit(floor, { inHouse: false })
  early = await makeCollector(floor, home, { stageIds: ['T0', 'T1', 'T2'] })
  late = await makeCollector(floor, home, { stageIds: ['S1', 'S2', 'M1', 'M2', 'M3'] })
  manager = await floor.signIn('manager')
})
afterAll(() => floor.close())
beforeEach(() => floor.clock.to('11:00'))

async function system<T>(run: (tx: CommandTx) => Promise<T>): Promise<T> {
  return (
    await runCommand(floor.context, { actor: systemActor('test'), audit: { action: 'test' } }, run)
  ).result
}
const openDay = (orderIds: readonly string[], day = today) =>
  system((tx) => openDayCases(tx, { day, orderIds }))
async function row(caseId: string) {
  return (await manager.call(caseDetail, { caseId })).case
}
async function caseOf(orderId: string) {
  const { rows } = await sql<{
    id: string
  }>`select c.id from collection_case c where c.order_id = ${orderId} order by c.created_at desc limit 1`.execute(
    floor.database.kysely,
  )
  return rows[0] ? row(rows[0].id) : null
}
/** Cases end with consistent counters, whatever a test did. */
async function countersAgree(): Promise<void> {
  const { rows } = await sql`
    select k.user_id from collector k
      where k.open_cases <> (select count(*) from collection_case c where c.collector_id = k.user_id
      and c.state in ('allocated', 'promised'))`.execute(floor.database.kysely)
  expect(rows).toEqual([])
}
async function since(): Promise<
  () => Promise<
    { type: string; data: Record<string, unknown>; rooms: string[]; version: number | null }[]
  >
> {
  const before = (await floor.events()).at(-1)?.seq ?? 0
  return async () =>
    (await floor.events(before))
      .filter(({ type }) => type.startsWith('case.'))
      .map(({ type, data, rooms, entity_version: version }) => ({ type, data, rooms, version }))
}

describe('the start of the day', () => {
  async function dueOrder(overdueDays: number) {
    const order = await makeOrder(floor, { status: 30, product: { id: 'PRC', periods: 1 } })
    await fallDue(floor, order.orderId, overdueDays)
    return order
  }

  test('opens a case on the due day, one day overdue and later, and none before', async () => {
    const orders = [await dueOrder(-1), await dueOrder(0), await dueOrder(1), await dueOrder(95)]
    const newEvents = await since()
    await openDay(orders.map((order) => order.orderId))
    const cases = await Promise.all(orders.map((order) => caseOf(order.orderId)))
    expect(
      cases.map((c) => c && [c.stageId, c.overdueDays, c.state, c.amountDue === c.outstanding]),
    ).toEqual([
      null,
      ['T0', 0, 'unallocated', true],
      ['T1', 1, 'unallocated', true],
      ['M3', 95, 'unallocated', true],
    ])
    const emitted = await newEvents()
    expect(emitted.map(({ type }) => type)).toEqual([
      'case.created',
      'case.created',
      'case.created',
    ])
    expect(emitted[0]?.rooms).toContain('scope:all')
    expect(emitted[0]?.data).toEqual({
      caseId: cases[1]?.caseId,
      orderId: orders[1]?.orderId,
      stageId: 'T0',
      outstanding: cases[1]?.outstanding,
      reopened: false,
    })
    expect(
      (await manager.call(caseDetail, { caseId: cases[1]?.caseId as string })).moves.map(
        ({ cause }) => cause,
      ),
    ).toEqual(['enter'])
  })

  test('run twice on one day changes nothing and emits nothing', async () => {
    const order = await dueOrder(2)
    await openDay([order.orderId])
    const before = await caseOf(order.orderId)
    const newEvents = await since()
    await openDay([order.orderId])
    expect(await caseOf(order.orderId)).toEqual(before)
    expect(await newEvents()).toEqual([])
  })

  /** Each row: stage before, holder, the case, overdue days of the new day → the outcome. */
  test.each([
    [
      'T2 to S1, holder does not serve S1',
      3,
      'early',
      'allocated',
      null,
      4,
      { state: 'unallocated', stageId: 'S1', isHeld: false, token: 2 },
    ],
    [
      'S1 to S2, holder serves it',
      7,
      'late',
      'allocated',
      null,
      8,
      { state: 'allocated', stageId: 'S2', isHeld: true, token: 1 },
    ],
    [
      'inside a stage',
      5,
      'late',
      'allocated',
      null,
      6,
      { state: 'allocated', stageId: 'S1', isHeld: true, token: 1 },
    ],
    [
      'T2 to S1 with a promise for tomorrow',
      3,
      'early',
      'promised',
      1,
      4,
      { state: 'promised', stageId: 'T2', isHeld: true, token: 1 },
    ],
    [
      'T2 to S1 with a promise for today',
      3,
      'early',
      'promised',
      0,
      4,
      { state: 'promised', stageId: 'T2', isHeld: true, token: 1 },
    ],
    [
      'T2 to S1 with a promise in three days',
      3,
      'early',
      'promised',
      3,
      4,
      { state: 'unallocated', stageId: 'S1', isHeld: false, token: 2 },
    ],
    [
      'T2 to S1 of a held case',
      3,
      'early',
      'held',
      null,
      4,
      { state: 'held', stageId: 'S1', isHeld: true, token: 1 },
    ],
    [
      'T2 to S1 in the pool',
      3,
      null,
      'unallocated',
      null,
      4,
      { state: 'unallocated', stageId: 'S1', isHeld: false, token: 0 },
    ],
  ] as const)('%s', async (_what, days, holder, state, ptpIn, newDays, expected) => {
    const collectorId = holder === null ? undefined : { early, late }[holder].userId
    const made = await makeCase(floor, {
      state,
      overdueDays: days,
      ...(collectorId === undefined ? {} : { collectorId }),
      ...(ptpIn === null ? {} : { ptpTime: ist('18:00', addDays(today, ptpIn)) }),
    })
    const newEvents = await since()
    await fallDue(floor, made.orderId, newDays)
    await openDay([made.orderId])
    const after = await row(made.caseId)
    expect({
      state: after.state,
      stageId: after.stageId,
      isHeld: after.collectorId !== null,
      token: after.token,
    }).toEqual(expected)
    expect(after.overdueDays).toBe(newDays)
    const types = (await newEvents()).map(({ type }) => type)
    expect(types.includes('case.recalled')).toBe(holder !== null && !expected.isHeld)
    expect(types.includes('case.stage.moved')).toBe(expected.stageId !== (days <= 3 ? 'T2' : 'S1'))
    expect(types.includes('case.ptp.changed')).toBe(ptpIn === 3)
    expect(types[0]).toBe('case.amount.changed')
    await countersAgree()
  })

  test('a holder keeps as many cases as the new stage has room for after those that leave it', async () => {
    const agent = await makeCollector(floor, home, { stageIds: ['T2', 'S1', 'S2'] })
    const coming = [
      await makeCase(floor, { collectorId: agent.userId, overdueDays: 3 }),
      await makeCase(floor, { collectorId: agent.userId, overdueDays: 3 }),
      await makeCase(floor, { collectorId: agent.userId, overdueDays: 3 }),
    ]
    const leaving = await makeCase(floor, { collectorId: agent.userId, overdueDays: 7 })
    const staying = await makeCase(floor, { collectorId: agent.userId, overdueDays: 5 })
    await sql`update stage set capacity = 3 where stage_id = 'S1'`.execute(floor.database.kysely)
    for (const made of coming) await fallDue(floor, made.orderId, 4)
    await fallDue(floor, leaving.orderId, 8)
    await openDay([...coming, leaving, staying].map((made) => made.orderId))
    const after = await Promise.all(coming.map((made) => row(made.caseId)))
    expect(after.map((one) => [one.state, one.stageId])).toEqual([
      ['allocated', 'S1'],
      ['allocated', 'S1'],
      ['unallocated', 'S1'],
    ])
    expect(await row(leaving.caseId)).toMatchObject({
      state: 'allocated',
      stageId: 'S2',
      collectorId: agent.userId,
    })
    await sql`update stage set capacity = 180 where stage_id = 'S1'`.execute(floor.database.kysely)
    await countersAgree()
  })

  test('a counter that drifted below its cases stops no day', async () => {
    const made = await makeCase(floor, { collectorId: early.userId, overdueDays: 3 })
    const db = floor.database.kysely
    await sql`update collector set open_cases = 0 where user_id = ${early.userId}`.execute(db)
    await fallDue(floor, made.orderId, 8)
    await openDay([made.orderId])
    expect(await row(made.caseId)).toMatchObject({ state: 'unallocated', stageId: 'S2' })
    await mendCounter(db, 'C03')
    await countersAgree()
  })

  test('a recall is emitted to the former holder and recorded in the history', async () => {
    const made = await makeCase(floor, { collectorId: early.userId, overdueDays: 3 })
    await fallDue(floor, made.orderId, 4)
    const newEvents = await since()
    await openDay([made.orderId])
    const recalled = (await newEvents()).find(({ type }) => type === 'case.recalled')
    expect(recalled?.rooms).toEqual(
      expect.arrayContaining([`user:${early.userId}`, `scope:group:${home.groupId}`]),
    )
    expect(recalled?.data).toMatchObject({
      caseId: made.caseId,
      from: early.userId,
      reason: 'stageMove',
      state: 'unallocated',
      token: 2,
      agencyId: null,
    })
    expect((await manager.call(caseDetail, { caseId: made.caseId })).moves[0]).toMatchObject({
      cause: 'stageMove',
      fromStage: 'T2',
      toStage: 'S1',
      to: null,
    })
  })

  test('five hundred orders are one transaction of a second or two', async () => {
    const orders = [await dueOrder(1)]
    for (let i = 0; i < 20; i += 1) orders.push(await dueOrder(i))
    const started = performance.now()
    await openDay(orders.map((order) => order.orderId))
    expect(performance.now() - started).toBeLessThan(5_000)
    expect(
      (await Promise.all(orders.map((order) => caseOf(order.orderId)))).every((c) => c !== null),
    ).toBe(true)
  })
})

/** Money on an order as the repayments feature reports it: plan and order are written first. */
async function pay(made: MadeCase, amount: number, given: Partial<PaidOrder> = {}): Promise<void> {
  const { rows } = await sql<{ outstanding: number }>`
    update repay_plan p set paid_amount = p.paid_amount + ${amount},
      outstanding = p.outstanding - ${amount}, open_principal = p.outstanding - ${amount},
      open_interest = 0, open_service = 0, open_fine = 0 where p.order_id = ${made.orderId}
      and p.serial_no = 1 returning (select sum(x.outstanding)::bigint from repay_plan x
      where x.order_id = p.order_id) - ${amount}::bigint as outstanding`.execute(
    floor.database.kysely,
  )
  const outstanding = rows[0]?.outstanding as number
  const to = given.to ?? (outstanding === 0 ? 40 : 50)
  await sql`
    update loan_order set outstanding = ${outstanding}, status = ${to} where id = ${made.orderId}`.execute(
    floor.database.kysely,
  )
  await system((tx) =>
    casePaid(tx, {
      orderId: made.orderId,
      amount,
      payTime: ist('10:30'),
      from: 43,
      outstanding,
      ...given,
      to,
    }),
  )
}

describe('a payment', () => {
  test('in part changes the amounts and counts for the day', async () => {
    const made = await makeCase(floor, { collectorId: early.userId })
    const newEvents = await since()
    const before = (await manager.call(deskFigures, {})).recoveredToday
    const recordId = 'RR-part'
    await makeRecord(floor, recordId, made, 10_000)
    await pay(made, 10_000, { payment: { recordId, principal: 0, channel: 1 } })
    expect(await row(made.caseId)).toMatchObject({
      state: 'allocated',
      paidAmount: 10_000,
      paidToday: 10_000,
      recovered: 10_000,
      outstanding: made.outstanding - 10_000,
      amountDue: made.outstanding,
    })
    expect(await newEvents()).toEqual([
      expect.objectContaining({
        type: 'case.amount.changed',
        version: 2,
        data: {
          caseId: made.caseId,
          orderId: made.orderId,
          amountDue: made.outstanding,
          paidAmount: 10_000,
          paidToday: 10_000,
          recovered: 10_000,
          outstanding: made.outstanding - 10_000,
          paid: 10_000,
          overdueDays: 1,
          rbiClass: 'standard',
        },
      }),
    ])
    expect((await manager.call(deskFigures, {})).recoveredToday).toBe(before + 10_000)
  })

  test('in full ends the case with its order and keeps the promise', async () => {
    const made = await makeCase(floor, { collectorId: early.userId, state: 'promised' })
    const newEvents = await since()
    await pay(made, made.outstanding)
    expect(await row(made.caseId)).toMatchObject({
      state: 'closed',
      endReason: 'repaid',
      recovered: made.outstanding,
      outstanding: 0,
      ptpState: 'kept',
      collectorId: early.userId,
    })
    const emitted = await newEvents()
    expect(emitted.map(({ type }) => type)).toEqual([
      'case.amount.changed',
      'case.ptp.changed',
      'case.ended',
    ])
    expect(emitted[2]?.rooms).toEqual(
      expect.arrayContaining([
        'board:all',
        `board:agency:${home.agencyId}`,
        `user:${early.userId}`,
      ]),
    )
    await countersAgree()
  })

  test.each([
    [41, 'repaidReduced', 'kept'],
    [80, 'extended', 'cancelled'],
    [100, 'writtenOff', 'cancelled'],
    [110, 'writtenOff', 'cancelled'],
  ] as const)('an order that ends at %i ends the case as %s', async (to, endReason, ptpState) => {
    const made = await makeCase(floor, { collectorId: early.userId, state: 'promised' })
    await pay(made, 1_000, { to })
    expect(await row(made.caseId)).toMatchObject({ state: 'closed', endReason, ptpState })
  })

  test('ends a case that is held or that a run is placing', async () => {
    for (const state of ['allocating', 'held', 'unallocated'] as const) {
      const made = await makeCase(floor, { state })
      await pay(made, made.outstanding)
      expect(await row(made.caseId)).toMatchObject({ state: 'closed', holdReason: null })
    }
  })

  test('of the only due instalment ends the case, and the next instalment opens another', async () => {
    const made = await makeCase(floor, {
      collectorId: early.userId,
      product: { id: 'PR3', periods: 3 },
    })
    const { rows } = await sql<{
      outstanding: number
    }>`select p.outstanding from repay_plan p where p.order_id = ${made.orderId} and p.serial_no = 1`.execute(
      floor.database.kysely,
    )
    await pay(made, rows[0]?.outstanding as number, { to: 30 })
    expect(await row(made.caseId)).toMatchObject({ state: 'closed', endReason: 'repaid' })
    const next = addDays(today, 29)
    await openDay([made.orderId], next)
    const opened = await caseOf(made.orderId)
    expect(opened).toMatchObject({
      state: 'unallocated',
      stageId: 'T0',
      overdueDays: 0,
      paidAmount: 0,
    })
    expect(opened?.caseId).not.toBe(made.caseId)
  })

  test('reversed reopens the ended case in the pool, with the amount due restored', async () => {
    const made = await makeCase(floor, { collectorId: early.userId, overdueDays: 2 })
    await pay(made, made.outstanding)
    const newEvents = await since()
    await pay(made, -made.outstanding, { from: 40, to: 50 })
    expect(await row(made.caseId)).toMatchObject({
      state: 'unallocated',
      collectorId: null,
      endReason: null,
      endTime: null,
      outstanding: made.outstanding,
      paidAmount: 0,
      recovered: 0,
      paidToday: 0,
      token: 2,
      stageId: 'T2',
    })
    expect((await newEvents()).map(({ type, data }) => [type, data.reopened])).toEqual([
      ['case.created', true],
    ])
    await countersAgree()
  })

  test('reversed on an order that was never in collection opens a case when it is due', async () => {
    const order = await makeOrder(floor, { status: 30, product: { id: 'PRC', periods: 1 } })
    await fallDue(floor, order.orderId, 1)
    await system((tx) =>
      casePaid(tx, {
        orderId: order.orderId,
        amount: -5_000,
        payTime: ist('10:00'),
        from: 40,
        to: 50,
        outstanding: 1_015_000,
      }),
    )
    expect(await caseOf(order.orderId)).toMatchObject({ state: 'unallocated', stageId: 'T1' })
  })
})

describe('a promise of 10,000 paise for today', () => {
  const promised = (given = {}) =>
    makeCase(floor, {
      collectorId: late.userId,
      overdueDays: 12,
      state: 'promised',
      ptpAmount: 10_000,
      ptpTime: ist('18:00'),
      ...given,
    })
  const yesterdays = () => promised({ ptpTime: ist('18:00', addDays(today, -1)) })

  /** Kept by 95 per cent of the promised amount, paid on its IST day at the latest. */
  test.each([
    ['9,500 at 23:59:59 of its day', 9_500, ist('23:59:59'), 'allocated', 'keptPart'],
    ['9,499 at noon', 9_499, ist('12:00:00'), 'promised', 'open'],
    [
      '10,000 at 00:00:00 of the next day',
      10_000,
      ist('00:00:00', addDays(today, 1)),
      'promised',
      'open',
    ],
    [
      '10,000 valued before it was made',
      10_000,
      ist('00:00:00', addDays(today, -3)),
      'promised',
      'open',
    ],
  ] as const)('is after %s', async (_what, amount, payTime, state, ptpState) => {
    const made = await promised()
    await pay(made, amount, { payTime })
    expect(await row(made.caseId)).toMatchObject({ state, ptpState })
  })

  test('is kept in part by two payments that reach it together', async () => {
    const made = await promised()
    await pay(made, 5_000)
    expect((await row(made.caseId)).ptpState).toBe('open')
    await pay(made, 4_500)
    expect(await row(made.caseId)).toMatchObject({
      state: 'allocated',
      ptpState: 'keptPart',
      brokenCount: 0,
    })
  })

  test('is open at 23:59:59 of its day and judged at 00:05', async () => {
    const made = await promised()
    await floor.clock.to('23:59:59')
    await ptpCheck.run(floor.context)
    expect(await row(made.caseId)).toMatchObject({ state: 'promised', ptpState: 'open' })
    const newEvents = await since()
    await floor.clock.to('00:05', addDays(today, 1))
    expect(await ptpCheck.run(floor.context)).not.toEqual({ promisesBroken: 0 })
    const after = await row(made.caseId)
    expect(after).toMatchObject({
      state: 'allocated',
      ptpState: 'broken',
      brokenCount: 1,
      collectorId: late.userId,
    })
    expect(istDay(after.nextFollowTime as string)).toBe(addDays(today, 1))
    expect(
      (await newEvents())
        .filter(({ data }) => data.caseId === made.caseId)
        .map(({ type, data }) => [type, data.ptpState]),
    ).toContainEqual(['case.ptp.changed', 'broken'])
    const { rows } = await sql<{
      n: number
    }>`
      select count(*)::int as n
      from notification n
      where n.user_id = ${late.userId} and n.kind = 'promise' and n.params ->> 'caseId' = ${made.caseId}`.execute(
      floor.database.kysely,
    )
    expect(rows[0]?.n).toBe(1)
    expect(await ptpCheck.run(floor.context)).toEqual({ promisesBroken: 0 })
  })

  test('broken, lets the case move to its deferred stage', async () => {
    const made = await promised({
      collectorId: early.userId,
      overdueDays: 4,
      stageId: 'T2',
      ptpTime: ist('18:00', addDays(today, -1)),
    })
    await ptpCheck.run(floor.context)
    expect(await row(made.caseId)).toMatchObject({
      state: 'unallocated',
      stageId: 'S1',
      collectorId: null,
      ptpState: 'broken',
    })
    await countersAgree()
  })

  test('paid in full a day late is broken', async () => {
    const made = await yesterdays()
    await pay(made, made.outstanding)
    expect(await row(made.caseId)).toMatchObject({
      state: 'closed',
      ptpState: 'broken',
      brokenCount: 1,
    })
  })
})

describe('at seven in the morning', () => {
  /** 23 November 2026 is a Monday. */
  async function followed(made: MadeCase, at: string): Promise<void> {
    await sql`
      update collection_case set last_follow_at = ${at}::timestamptz,
        allocated_at = ${at}::timestamptz - interval '1 hour' where id = ${made.caseId}`.execute(
      floor.database.kysely,
    )
  }
  async function allocated(made: MadeCase, at: string): Promise<void> {
    await sql`
      update collection_case set last_follow_at = null, allocated_at = ${at}::timestamptz
        where id = ${made.caseId}`.execute(floor.database.kysely)
  }

  test.each([
    ['T1, given on Monday and never contacted', 1, 'given', '2026-11-23', '2026-11-24', true],
    ['T1, contacted on Monday', 1, 'followed', '2026-11-23', '2026-11-24', false],
    ['T1, contacted on Monday, not on Tuesday', 1, 'followed', '2026-11-23', '2026-11-25', true],
    ['S1, one idle day', 5, 'followed', '2026-11-23', '2026-11-25', false],
    ['S1, two idle days', 5, 'followed', '2026-11-23', '2026-11-26', true],
    ['M1, two idle days', 12, 'followed', '2026-11-23', '2026-11-26', false],
    ['M1, three idle days', 12, 'followed', '2026-11-23', '2026-11-27', true],
    [
      'T1, contacted on Saturday: Sunday is no working day',
      1,
      'followed',
      '2026-11-28',
      '2026-11-30',
      false,
    ],
    ['T1, contacted before a holiday', 1, 'followed', '2026-12-24', '2026-12-26', false],
  ] as const)('%s', async (_what, overdueDays, how, day, morning, isRecalled) => {
    await makeHoliday(floor, '2026-12-25', 'Christmas')
    const made = await makeCase(floor, {
      collectorId: overdueDays === 1 ? early.userId : late.userId,
      overdueDays,
    })
    await (how === 'given' ? allocated : followed)(made, ist('10:00', day))
    await floor.clock.to('07:00', morning)
    await recallIdle.run(floor.context)
    expect((await row(made.caseId)).state).toBe(isRecalled ? 'unallocated' : 'allocated')
    await dropHolidays(floor)
    await sql`
      update collection_case set state = 'unallocated', collector_id = null where state = 'allocated'`.execute(
      floor.database.kysely,
    )
    await sql`
      update collector k set open_cases = (select count(*) from collection_case c
        where c.collector_id = k.user_id and c.state in ('allocated', 'promised'))`.execute(
      floor.database.kysely,
    )
  })

  test('cases of an agency return the morning after the last day of its term, with their promises', async () => {
    const agent = await makeCollector(floor, outside)
    const taken = [
      await makeCase(floor, { collectorId: agent.userId, overdueDays: 12 }),
      await makeCase(floor, {
        collectorId: agent.userId,
        overdueDays: 12,
        state: 'promised',
        ptpTime: ist('18:00', addDays(today, 2)),
      }),
    ]
    await sql`update agency set term_end = ${today} where id = ${outside.agencyId}`.execute(
      floor.database.kysely,
    )
    await recallIdle.run(floor.context)
    expect((await row((taken[0] as MadeCase).caseId)).state).toBe('allocated')
    await sql`update agency set term_end = ${addDays(today, -1)} where id = ${outside.agencyId}`.execute(
      floor.database.kysely,
    )
    const newEvents = await since()
    await recallIdle.run(floor.context)
    for (const made of taken)
      expect(await row(made.caseId)).toMatchObject({
        state: 'unallocated',
        collectorId: null,
        agencyId: null,
      })
    expect(
      (await newEvents())
        .filter(({ type }) => type === 'case.recalled')
        .map(({ data }) => data.reason),
    ).toEqual(['placementEnded', 'placementEnded'])
    await sql`update agency set term_end = null where id = ${outside.agencyId}`.execute(
      floor.database.kysely,
    )
    await countersAgree()
  })

  test('cases of a locked agency or disabled account return with their promises, with one notification', async () => {
    const agent = await makeCollector(floor, outside)
    const gone = await makeCollector(floor, home)
    const stays = await makeCase(floor, {
      collectorId: late.userId,
      overdueDays: 12,
      state: 'promised',
      ptpTime: ist('18:00', addDays(today, 2)),
    })
    const taken = [
      await makeCase(floor, { collectorId: agent.userId, overdueDays: 12 }),
      await makeCase(floor, {
        collectorId: agent.userId,
        overdueDays: 12,
        state: 'promised',
        ptpTime: ist('18:00', addDays(today, 2)),
      }),
      await makeCase(floor, {
        collectorId: gone.userId,
        state: 'promised',
        ptpTime: ist('18:00', addDays(today, 2)),
      }),
    ]
    await sql`update agency set status = 'locked' where id = ${outside.agencyId}`.execute(
      floor.database.kysely,
    )
    await sql`update sys_user set status = 'disabled' where id = ${gone.userId}`.execute(
      floor.database.kysely,
    )
    const newEvents = await since()
    await recallIdle.run(floor.context)
    for (const made of taken)
      expect(await row(made.caseId)).toMatchObject({
        state: 'unallocated',
        collectorId: null,
        agencyId: null,
        token: 2,
      })
    expect(await row((taken[1] as MadeCase).caseId)).toMatchObject({ ptpState: 'cancelled' })
    expect((await row(stays.caseId)).state).toBe('promised')
    expect(
      (await newEvents())
        .filter(({ type }) => type === 'case.recalled')
        .map(({ data }) => data.reason),
    ).toEqual(expect.arrayContaining(['agencyLocked', 'ownerDisabled']))
    const { rows } = await sql<{
      params: unknown
    }>`select n.params from notification n where n.user_id = ${agent.userId}`.execute(
      floor.database.kysely,
    )
    expect(rows).toEqual([{ params: { n: 2 } }])
    await sql`update agency set status = 'enabled' where id = ${outside.agencyId}`.execute(
      floor.database.kysely,
    )
    await countersAgree()
  })
})

test('leaders are notified once of promises whose holder is off duty, and the cases stay', async () => {
  const away = await makeCollector(floor, home, { onDuty: false })
  const leader = await makeLeader(floor, home, 'team_leader')
  const made = await makeCase(floor, {
    collectorId: away.userId,
    overdueDays: 12,
    state: 'promised',
  })
  await makeCase(floor, {
    collectorId: away.userId,
    overdueDays: 12,
    state: 'promised',
    ptpTime: ist('18:00', addDays(today, 1)),
  })
  await floor.clock.to('07:00')
  await recallIdle.run(floor.context)
  await recallIdle.run(floor.context)
  const { rows } = await sql<{
    params: unknown
  }>`
    select n.params
    from notification n
    where n.user_id = ${leader.userId} and n.params ->> 'userId' = ${away.userId}`.execute(
    floor.database.kysely,
  )
  expect(rows).toEqual([
    { params: { userId: away.userId, userName: `Collector ${away.account}`, n: 1 } },
  ])
  expect(await row(made.caseId)).toMatchObject({ state: 'promised', collectorId: away.userId })
})

describe('the intimation of an outside agent', () => {
  async function run(
    answer: (message: OutgoingMessage) => Promise<MessageResult>,
  ): Promise<OutgoingMessage[]> {
    const sent: OutgoingMessage[] = []
    await intimate({ code: 'test', send: (message) => (sent.push(message), answer(message)) }).run(
      floor.context,
    )
    return sent
  }
  const accepted = (message: OutgoingMessage): Promise<MessageResult> =>
    Promise.resolve({ accepted: true, vendorRef: `R-${message.key}` })

  test('goes out by SMS and e-mail once for each agent, and opens the contact', async () => {
    const agent = await makeCollector(floor, outside)
    const made = await makeCase(floor, {
      collectorId: agent.userId,
      overdueDays: 12,
      intimated: false,
    })
    await makeCase(floor, { collectorId: late.userId, overdueDays: 12, intimated: false })
    await sql`
      update customer
        set email_enc = ${floor.context.secrets.seal('customer.email_enc', made.customerId, 'asha@mailbox.example')}
        where id = ${made.customerId}`.execute(floor.database.kysely)
    const newEvents = await since()
    const sent = await run(accepted)
    expect(sent.map(({ key, way, to, template }) => [key, way, to, template])).toEqual([
      [`${made.caseId}:1:sms`, 'sms', made.phone, 'agentNamed'],
      [`${made.caseId}:1:email`, 'email', 'asha@mailbox.example', 'agentNamed'],
    ])
    expect((await row(made.caseId)).intimatedAt).not.toBeNull()
    expect((await newEvents()).map(({ type, data }) => [type, data.caseId])).toEqual([
      ['case.intimated', made.caseId],
    ])
    expect(await run(accepted)).toEqual([])
    const { rows } = await sql<{
      way: string
      state: string
    }>`select m.way, m.state from message_log m where m.case_id = ${made.caseId} order by m.id`.execute(
      floor.database.kysely,
    )
    expect(rows).toEqual([
      { way: 'sms', state: 'sent' },
      { way: 'email', state: 'sent' },
    ])
  })

  test('is repeated after a pause when the vendor refused or was down, and the number is not logged', async () => {
    const agent = await makeCollector(floor, outside)
    const made = await makeCase(floor, {
      collectorId: agent.userId,
      overdueDays: 12,
      intimated: false,
    })
    expect(
      await run(() => Promise.resolve({ accepted: false, reason: `no such number ${made.phone}` })),
    ).toHaveLength(1)
    expect((await row(made.caseId)).intimatedAt).toBeNull()
    expect(await run(accepted)).toEqual([])
    await floor.clock.to('11:11')
    expect(await run(() => Promise.reject(new Error('timeout')))).toHaveLength(1)
    await floor.clock.to('11:22')
    expect(await run(accepted)).toHaveLength(1)
    expect((await row(made.caseId)).intimatedAt).not.toBeNull()
    const { rows } = await sql<{
      text: string
    }>`select string_agg(m::text, ' ') as text from message_log m`.execute(floor.database.kysely)
    expect(rows[0]?.text).not.toContain(made.phone)
  })

  test("is sent to the others when one borrower's number cannot be read", async () => {
    const agent = await makeCollector(floor, outside)
    const [broken, whole] = [
      await makeCase(floor, { collectorId: agent.userId, overdueDays: 12, intimated: false }),
      await makeCase(floor, { collectorId: agent.userId, overdueDays: 12, intimated: false }),
    ]
    const { rows } = await sql<{
      phone_enc: Buffer
    }>`
      update customer
      set phone_enc = '\\x00'
      where id = ${broken.customerId}
      returning (select u.phone_enc from customer u where u.id = ${broken.customerId})`.execute(
      floor.database.kysely,
    )
    expect((await run(accepted)).map(({ to }) => to)).toEqual([whole.phone])
    expect([(await row(broken.caseId)).intimatedAt, (await row(whole.caseId)).intimatedAt]).toEqual(
      [null, expect.any(String)],
    )
    await sql`update customer set phone_enc = ${rows[0]?.phone_enc} where id = ${broken.customerId}`.execute(
      floor.database.kysely,
    )
  })

  test('is sent again for the new agent of a case that changed hands meanwhile', async () => {
    const [first, second] = [
      await makeCollector(floor, outside),
      await makeCollector(floor, outside),
    ]
    const made = await makeCase(floor, {
      collectorId: first.userId,
      overdueDays: 12,
      intimated: false,
    })
    let calls = 0
    const sent = await run(async (message) => {
      calls += 1
      if (calls === 1)
        await sql`
          update collection_case set collector_id = ${second.userId}, token = 2 where id = ${made.caseId}`.execute(
          floor.database.kysely,
        )
      return accepted(message)
    })
    expect(sent.map(({ key }) => key)).toEqual([`${made.caseId}:1:sms`, `${made.caseId}:2:sms`])
  })
})

test('afterwards a list still shows each case once', async () => {
  const { rows, total } = await manager.call(listCases, { tab: 'toAllocate', pageSize: 200 })
  expect(new Set(rows.map(({ caseId }) => caseId)).size).toBe(total)
})
