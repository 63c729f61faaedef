/**
 * The opening of IST days for running loans: fines, 30 → 50 → 90, classes and cases; missed days, a
 * crash in between, concurrent payments.
 */
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { RunCounts } from '#shared/scheduling/scheduling-sets.ts'
import { addDays, istDay } from '#shared/kernel/time.ts'
import { inboundPayment } from '#shared/repayments/inbound-payment-api.ts'
import { brokenInvariants } from '#gateway/manage/db/check-invariants.ts'
import { casePaid, openDayCases } from '#gateway/manage/features/collection/public.ts'
import { makeOrder, type MadeOrder } from '#tests/factories/orders.ts'
import { type TestClock, testClock } from '#tests/support/clock.ts'
import { type Machine, machineOf } from '#tests/support/machine.ts'
import { type Floor, testManage } from '#tests/support/manage.ts'
import { dayToOpen, openDay } from './open-day-job.ts'
import { openDays } from './open-day.ts'
import { paymentTimeout } from './payment-timeout-job.ts'
import { repaymentsRoutes } from './repayments-routes.ts'

/**
 * A loan of 10,000.00 over three instalments of 30 days at 5 bp a day: each owes 3,333.34 or
 * 3,333.33 + 150.00. Fine: 10 bp of the open principal of an overdue instalment = 3.33 a day.
 */
const FINE = 333
const DUE = 30

let floor: Floor
let clock: TestClock
let channel: Machine
let start: string
let serial = 0

// ledger rows cannot be deleted, so each test begins with a database of its own
beforeEach(async () => {
  floor = await testManage({
    parts: (context) => ({
      schedules: [openDay([openDayCases]), paymentTimeout],
      routes: (base) => repaymentsRoutes(base, context, { whenPaid: [casePaid] }),
    }),
  })
  channel = await machineOf(floor, ['payment'])
  clock = await testClock(floor.database)
  start = istDay(Date.now())
  await clock.to('11:00', start)
})
afterEach(async () => {
  expect(await brokenInvariants(floor.database)).toEqual([])
  await floor.close()
})

/**
 * Sets the clock to that time of the n-th day and runs the minute's check of the scheduled class.
 */
async function dayComes(n: number, time = '00:05'): Promise<RunCounts> {
  await clock.to(time, addDays(start, n))
  return look()
}
async function look(): Promise<RunCounts> {
  const counts = await openDay([openDayCases]).run(floor.context)
  await floor.settle()
  return counts
}
const loan = (): Promise<MadeOrder> => makeOrder(floor, { status: 30, amount: 1_000_000 })
async function orderOf({ orderId }: MadeOrder) {
  const { rows } = await sql<{
    status: number
    outstanding: number
    overdueDays: number
    rbiClass: string
  }>`
    select o.status, o.outstanding, o.overdue_days as "overdueDays", o.rbi_class as "rbiClass"
      from loan_order o where o.id = ${orderId}`.execute(floor.database.kysely)
  return rows[0]
}
async function caseOf({ orderId }: MadeOrder) {
  const { rows } = await sql<{
    stage: string
    state: string
    overdueDays: number
    outstanding: number
    n: number
  }>`
    select c.stage_id as stage, c.state, c.overdue_days as "overdueDays", c.outstanding,
      (count(*) over ())::int as n from collection_case c where c.order_id = ${orderId}
      order by c.created_at desc limit 1`.execute(floor.database.kysely)
  return rows[0] ?? null
}
/** Fines in the ledger, by the day they are booked on. */
async function finesOf({ orderId }: MadeOrder): Promise<Record<string, number>> {
  const { rows } = await sql<{ day: string; amount: number }>`
    select e.biz_date as day, sum(e.debit)::bigint as amount from ledger_entry e
      where e.order_id = ${orderId} and e.kind = 'overdueFine' group by 1 order by 1`.execute(
    floor.database.kysely,
  )
  return Object.fromEntries(rows.map(({ day, amount }) => [day, amount]))
}
async function openedDays() {
  const { rows } = await sql<{
    day: string
    orders: number
    overdue: number
    bad: number
    fines: number
    done: boolean
  }>`
    select d.day, d.orders, d.overdue, d.bad, d.fines, d.finished_at is not null as done from day_opening d
      order by d.started_at, d.day`.execute(floor.database.kysely)
  return rows
}
function pay(order: MadeOrder, amount: number, more: Record<string, unknown> = {}) {
  serial += 1
  return channel.call(inboundPayment, {
    vendorOrderNo: `V${serial}`,
    orderId: order.orderId,
    amount,
    channel: 1,
    result: 'success',
    utr: String(100_000_000_000 + serial),
    ...more,
  })
}

describe('one loan through its days', () => {
  test('from the due day to a bad debt: status, class, fines and case of each day', async () => {
    const order = await loan()
    await dayComes(DUE - 1)
    expect([await orderOf(order), await caseOf(order)]).toEqual([
      { status: 30, outstanding: 1_045_000, overdueDays: 0, rbiClass: 'standard' },
      null,
    ])
    await dayComes(DUE)
    expect([await orderOf(order), await caseOf(order)]).toEqual([
      { status: 30, outstanding: 1_045_000, overdueDays: 0, rbiClass: 'standard' },
      { stage: 'T0', state: 'unallocated', overdueDays: 0, outstanding: 1_045_000, n: 1 },
    ])
    await dayComes(DUE + 1)
    expect([await orderOf(order), await caseOf(order)]).toEqual([
      { status: 50, outstanding: 1_045_000 + FINE, overdueDays: 1, rbiClass: 'sma0' },
      { stage: 'T1', state: 'unallocated', overdueDays: 1, outstanding: 1_045_000 + FINE, n: 1 },
    ])
    // overdue day 30 is the last day of SMA-0; the second instalment falls due on it and is overdue
    // the day after
    await dayComes(DUE + 30)
    expect(await orderOf(order)).toEqual({
      status: 50,
      outstanding: 1_045_000 + 30 * FINE,
      overdueDays: 30,
      rbiClass: 'sma0',
    })
    await dayComes(DUE + 31)
    expect(await orderOf(order)).toEqual({
      status: 50,
      outstanding: 1_045_000 + (31 + 1) * FINE,
      overdueDays: 31,
      rbiClass: 'sma1',
    })
    await dayComes(DUE + 61)
    expect(await orderOf(order)).toEqual({
      status: 50,
      outstanding: 1_045_000 + (61 + 31 + 1) * FINE,
      overdueDays: 61,
      rbiClass: 'sma2',
    })
    await dayComes(DUE + 90)
    expect(await orderOf(order)).toMatchObject({ status: 50, overdueDays: 90, rbiClass: 'sma2' })
    await dayComes(DUE + 91)
    const owed = 1_045_000 + (91 + 61 + 31) * FINE
    expect(await orderOf(order)).toEqual({
      status: 90,
      outstanding: owed,
      overdueDays: 91,
      rbiClass: 'npa',
    })
    expect(await caseOf(order)).toEqual({
      stage: 'M3',
      state: 'unallocated',
      overdueDays: 91,
      outstanding: owed,
      n: 1,
    })
    const { rows } = await sql<{ account: string; amount: number }>`
      select e.account, sum(e.debit - e.credit)::bigint as amount from ledger_entry e
        where e.order_id = ${order.orderId} and e.kind = 'badDebt' group by e.account order by e.account`.execute(
      floor.database.kysely,
    )
    expect(rows).toEqual([
      { account: 'doubtfulPrincipal', amount: 1_000_000 },
      { account: 'principalReceivable', amount: -1_000_000 },
    ])
    // on the day after it only the fines grow
    await dayComes(DUE + 92)
    expect(await orderOf(order)).toEqual({
      status: 90,
      outstanding: owed + 3 * FINE,
      overdueDays: 92,
      rbiClass: 'npa',
    })
  })

  test('paid arrears end the overdue days of the order and its case', async () => {
    const order = await loan()
    await dayComes(DUE)
    await dayComes(DUE + 40)
    expect(await orderOf(order)).toMatchObject({ status: 50, overdueDays: 40, rbiClass: 'sma1' })
    await pay(order, 348_334 + 348_333 + (40 + 10) * FINE)
    await dayComes(DUE + 41)
    expect(await orderOf(order)).toEqual({
      status: 30,
      outstanding: 348_333,
      overdueDays: 0,
      rbiClass: 'standard',
    })
    expect(await caseOf(order)).toMatchObject({ state: 'closed' })
    // the third instalment opens a case of its own
    await dayComes(DUE + 60)
    expect(await caseOf(order)).toMatchObject({ stage: 'T0', state: 'unallocated', n: 2 })
  })

  test('a payment in progress keeps the status of its order while the overdue days count', async () => {
    const order = await loan()
    await dayComes(DUE)
    const { recordId } = await pay(order, 50_000, { result: 'processing' })
    await dayComes(DUE + 2)
    expect(await orderOf(order)).toMatchObject({
      status: 43,
      overdueDays: 2,
      outstanding: 1_045_000 + 2 * FINE,
    })
    // no result for a day: it fails, and the order gets the status of its days
    await clock.to('12:00', addDays(start, DUE + 2))
    await sql`
      update repay_record set created_at = clock_timestamp() - interval '25 hours' where id = ${recordId}`.execute(
      floor.database.kysely,
    )
    expect(await paymentTimeout.run(floor.context)).toEqual({ failed: 1 })
    await floor.settle()
    expect(await orderOf(order)).toMatchObject({ status: 50 })
    expect(await paymentTimeout.run(floor.context)).toEqual({ failed: 0 })
  })

  test('a younger payment in progress and a payment that waits for staff do not time out', async () => {
    const order = await loan()
    await pay(order, 50_000, { result: 'processing' })
    await pay({ ...order, orderId: 'L404' }, 50_000, { result: 'processing' })
    await sql`
      update repay_record set created_at = clock_timestamp() - interval '25 hours' where flag is not null`.execute(
      floor.database.kysely,
    )
    expect(await paymentTimeout.run(floor.context)).toEqual({ failed: 0 })
  })
})

describe('days', () => {
  test('23:59 and the first five minutes of a day belong to the day before', () => {
    const newest = [
      '2026-03-01T18:29:59.999Z',
      '2026-03-01T18:30:00.000Z',
      '2026-03-01T18:34:59.999Z',
      '2026-03-01T18:35:00.000Z',
    ].map((instant) => dayToOpen(instant, '00:05'))
    expect(newest).toEqual(['2026-03-01', '2026-03-01', '2026-03-01', '2026-03-02'])
  })

  test('the day is opened at 00:05 IST, not at 23:59 or midnight, and once', async () => {
    await loan()
    await dayComes(DUE)
    expect(await dayComes(DUE, '23:59')).toMatchObject({ days: 0 })
    expect(await dayComes(DUE + 1, '00:00')).toMatchObject({ days: 0 })
    expect(await dayComes(DUE + 1, '00:04')).toMatchObject({ days: 0 })
    expect(await dayComes(DUE + 1, '00:05')).toEqual({
      days: 1,
      loans: 1,
      overdue: 1,
      badDebts: 0,
      fines: 333,
    })
    expect(await dayComes(DUE + 1, '00:06')).toMatchObject({ days: 0 })
    expect(await dayComes(DUE + 1, '23:59')).toMatchObject({ days: 0 })
  })

  test('the run time is the parameter', async () => {
    await sql`update sys_config set value = '03:00' where code = 'collection.stageRunTime'`.execute(
      floor.database.kysely,
    )
    floor.context.parameters.forget()
    await look()
    await dayComes(1, '02:59')
    expect((await openedDays()).map(({ day }) => day)).toEqual([start])
    await dayComes(1, '03:00')
    expect((await openedDays()).map(({ day }) => day)).toEqual([start, addDays(start, 1)])
    await sql`update sys_config set value = '00:05' where code = 'collection.stageRunTime'`.execute(
      floor.database.kysely,
    )
    floor.context.parameters.forget()
  })

  test('missed days are opened one after the other, each with its own fine', async () => {
    const order = await loan()
    await dayComes(DUE)
    await dayComes(DUE + 3, '14:20')
    expect((await openedDays()).slice(-3)).toEqual([
      { day: addDays(start, DUE + 1), orders: 1, overdue: 1, bad: 0, fines: FINE, done: true },
      { day: addDays(start, DUE + 2), orders: 1, overdue: 0, bad: 0, fines: FINE, done: true },
      { day: addDays(start, DUE + 3), orders: 1, overdue: 0, bad: 0, fines: FINE, done: true },
    ])
    expect(await finesOf(order)).toEqual({
      [addDays(start, DUE + 1)]: FINE,
      [addDays(start, DUE + 2)]: FINE,
      [addDays(start, DUE + 3)]: FINE,
    })
    const { rows } = await sql<{
      from: string | null
      to: string
    }>`select m.from_stage as from, m.to_stage as to from case_allocation m order by m.id`.execute(
      floor.database.kysely,
    )
    expect(rows).toEqual([
      { from: null, to: 'T0' },
      { from: 'T0', to: 'T1' },
      { from: 'T1', to: 'T2' },
    ])
  })

  test('a database that was never opened begins with today and charges the fines of all its days', async () => {
    const order = await loan()
    await dayComes(DUE + 3)
    expect(await openedDays()).toEqual([
      { day: addDays(start, DUE + 3), orders: 1, overdue: 1, bad: 0, fines: 3 * FINE, done: true },
    ])
    expect(await orderOf(order)).toMatchObject({
      status: 50,
      overdueDays: 3,
      outstanding: 1_045_000 + 3 * FINE,
    })
  })

  test('two processes at once open a day once', async () => {
    const orders = [await loan(), await loan(), await loan(), await loan(), await loan()]
    await dayComes(DUE)
    await clock.to('00:05', addDays(start, DUE + 1))
    const day = addDays(start, DUE + 1)
    await Promise.all([
      openDays(floor.context, day, [openDayCases], 2),
      openDays(floor.context, day, [openDayCases], 2),
    ])
    await floor.settle()
    expect((await openedDays()).at(-1)).toEqual({
      day,
      orders: 5,
      overdue: 5,
      bad: 0,
      fines: 5 * FINE,
      done: true,
    })
    for (const order of orders) expect(await finesOf(order)).toEqual({ [day]: FINE })
  })
})

test('a subscriber receives each change once, in the rooms of the order and the case', async () => {
  const order = await loan()
  await dayComes(DUE)
  const before = (await floor.events()).at(-1)?.seq ?? 0
  await dayComes(DUE + 1)
  const published = (await floor.events(before)).map(({ type, subject, data }) => [
    type,
    subject.split(':')[0],
    data.to ?? data.toStage ?? data.paymentStatus ?? null,
  ])
  expect(published).toEqual([
    ['plan.changed', 'plan', 'overdue'],
    ['order.status.changed', 'order', 50],
    ['case.amount.changed', 'case', null],
    ['case.stage.moved', 'case', 'T1'],
  ])
  const second = (await floor.events()).at(-1)?.seq ?? 0
  await dayComes(DUE + 2)
  const again = await floor.events(second)
  expect(again.map(({ type }) => type)).toEqual([
    'plan.changed',
    'order.updated',
    'case.amount.changed',
    'case.stage.moved',
  ])
  expect(again[1]).toMatchObject({
    subject: `order:${order.orderId}`,
    data: { orderId: order.orderId, fields: ['overdueDays', 'outstanding', 'rbiClass'] },
  })
  expect(again[1]?.rooms).toEqual([`order:${order.orderId}`, 'scope:all'])
})

test('after a crash at any point the days are finished and nothing is done twice', async () => {
  const orders: MadeOrder[] = []
  for (let n = 0; n < 9; n += 1) orders.push(await loan())
  await dayComes(DUE)
  let n = DUE
  await fc.assert(
    // for each chunk of two orders: whether the process crashes in it
    fc.asyncProperty(fc.array(fc.boolean(), { minLength: 4, maxLength: 8 }), async (crashes) => {
      n += 2
      const day = addDays(start, n)
      await clock.to('00:05', day)
      const dies = [...crashes, false]
      const hook = async (
        tx: Parameters<typeof openDayCases>[0],
        opened: Parameters<typeof openDayCases>[1],
      ): Promise<void> => {
        await openDayCases(tx, opened)
        if (dies.shift() === true) throw new Error('the process died')
      }
      for (;;) {
        const done = await openDays(floor.context, day, [hook], 2).then(
          () => true,
          (error: unknown) => {
            if ((error as Error).message !== 'the process died') throw error
            return false
          },
        )
        if (done) break
      }
      expect(
        (await openedDays()).slice(-2).map(({ day: of, orders: count, done }) => [of, count, done]),
      ).toEqual([
        [addDays(day, -1), 9, true],
        [day, 9, true],
      ])
      for (const order of orders)
        expect((await finesOf(order))[day]).toBe(
          n - DUE > 60 ? 3 * FINE : n - DUE > 30 ? 2 * FINE : FINE,
        )
      expect(await brokenInvariants(floor.database)).toEqual([])
    }),
    { numRuns: 10 },
  )
})

test('payments that arrive while the day is opened count once, and so do the fines', async () => {
  const orders: MadeOrder[] = []
  for (let n = 0; n < 12; n += 1) orders.push(await loan())
  await dayComes(DUE)
  await clock.to('00:05', addDays(start, DUE + 1))
  const day = addDays(start, DUE + 1)
  const payments = orders.map((order, n) =>
    n % 3 === 0
      ? pay(order, 1_045_000 + FINE)
      : n % 3 === 1
        ? pay(order, 100_000)
        : pay(order, 348_334, { payTime: `${addDays(day, -1)}T23:59:59+05:30` }),
  )
  const [, ...answers] = await Promise.all([
    openDays(floor.context, day, [openDayCases], 3),
    ...payments,
  ])
  await floor.settle()
  expect(answers.every(({ applied }) => applied)).toBe(true)
  const after = await Promise.all(
    orders.map(async (order) => [
      (await orderOf(order))?.status,
      (await orderOf(order))?.outstanding,
    ]),
  )
  expect(after.filter((_, n) => n % 3 === 0)).toEqual(Array.from({ length: 4 }, () => [40, 0]))
  expect(after.filter((_, n) => n % 3 === 1)).toEqual(
    Array.from({ length: 4 }, () => [50, 945_000 + FINE]),
  )
  // paid in time: no fine, and the next instalment is the open one
  expect(after.filter((_, n) => n % 3 === 2)).toEqual(
    Array.from({ length: 4 }, () => [30, 696_666]),
  )
})
