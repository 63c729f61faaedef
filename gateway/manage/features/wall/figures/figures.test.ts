import { sql } from 'kysely'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allocateCases, followCase } from '#shared/collection/cases-api.ts'
import { isOf } from '#shared/kernel/live.ts'
import { istDay } from '#shared/kernel/time.ts'
import { inboundPayment } from '#shared/repayments/inbound-payment-api.ts'
import { homeFigures } from '#shared/reports/home-figures-api.ts'
import { applyTick, tickOf } from '#shared/wall/board-tick.ts'
import { ackAlert, type BoardFigures, readBoard, saveThresholds } from '#shared/wall/wall-api.ts'
import { BOARD_TICK, type BoardTick } from '#shared/wall/wall-live.ts'
import { makeCase } from '#tests/factories/cases.ts'
import { makeReview } from '#tests/factories/reviews.ts'
import { makeThreeAgencies, type ThreeAgencies } from '#tests/factories/units.ts'
import { type TestClock, testClock } from '#tests/support/clock.ts'
import { type Machine, machineOf } from '#tests/support/machine.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { initialsOf } from './figures-of.ts'

let floor: Floor
let clock: TestClock
let three: ThreeAgencies
let manager: Person
let channel: Machine
const people: Person[][] = []
beforeAll(async () => {
  floor = await testManage()
  clock = await testClock(floor.database)
  await clock.to('11:00')
  three = await makeThreeAgencies(floor)
  manager = await floor.signIn('manager')
  channel = await machineOf(floor, ['payment'])
  for (const agency of three.people) {
    const own: Person[] = []
    for (const { account } of agency) own.push(await floor.signIn(account))
    people.push(own)
  }
})
afterAll(() => floor.close())

const person = (agency: number, n: number): Person => people[agency]?.[n] as Person
let payments = 0
async function pay(orderId: string, amount: number): Promise<void> {
  payments += 1
  await channel.call(inboundPayment, {
    vendorOrderNo: `B${payments}`,
    orderId,
    amount,
    channel: 1,
    result: 'success',
    utr: String(400_000_000_000 + payments),
  })
}
/** Facts are at most a second old; a moved clock avoids waiting for that. */
async function read(
  by: Person,
  input: { agencyId?: string; stageId?: string } = {},
): Promise<BoardFigures> {
  await tick()
  return by.call(readBoard, input)
}
async function tick(): Promise<void> {
  // facts are read only after a write, and SQL of a test writes no event
  await sql`
    insert into outbox_event (type, subject, rooms, data) values ('test.written', 'test:1', '{}', '{}')`.execute(
    floor.database.kysely,
  )
  floor.context.wakeSchedule('boardTick')
  await floor.settle()
}
const ticksAfter = async (seq: number): Promise<BoardTick[]> =>
  (await floor.events(seq)).filter((event) => isOf(event, BOARD_TICK)).map(({ data }) => data)

test("a small floor's day shows cases, contacts, a promise and money, each in its unit", async () => {
  const [first] = [
    await makeCase(floor, { collectorId: person(0, 0).userId, overdueDays: 4 }),
    await makeCase(floor, { collectorId: person(1, 0).userId, overdueDays: 12 }),
  ]
  await makeCase(floor, { overdueDays: 1 })
  await makeReview(floor, { state: 'unclaimed' })
  const before = await read(manager)
  expect(before.tiles).toMatchObject({
    openCases: 3,
    unallocated: 1,
    recoveredToday: 0,
    recoveredCount: 0,
    target: null,
    ptpToday: 0,
    ptpKeptRate: null,
    calls: 0,
    contacted: 0,
    reachRate: null,
    onDuty: 6,
  })
  expect(Date.parse(before.tiles.unallocatedOldest ?? '')).toBeGreaterThan(0)
  expect(before.stageTable.map((line) => [line.stageId, line.cases])).toEqual([
    ['T0', 0],
    ['T1', 1],
    ['T2', 0],
    ['S1', 1],
    ['S2', 0],
    ['M1', 1],
    ['M2', 0],
    ['M3', 0],
  ])
  expect(before.queues).toMatchObject({ reviewWaiting: 1, disburseFailed: 0, ticketsOpen: 0 })
  expect(before.work).toEqual({ dueNow: 2, notContacted: 2, held: 0 })

  const collector = person(0, 0)
  const { rows: held } = await sql<{
    version: number
    token: number
  }>`select c.version, c.token from collection_case c where c.id = ${first.caseId}`.execute(
    floor.database.kysely,
  )
  await collector.call(followCase, {
    caseId: first.caseId,
    ...(held[0] as { version: number; token: number }),
    contactWay: 'visit',
    contactId: first.customerId,
    contactResult: 3,
    nextFollowTime: '2099-01-01T00:00:00Z',
    remark: 'Nobody at home',
  })
  await pay(first.orderId, 150_000)
  const after = await read(manager)
  expect(after.tiles).toMatchObject({
    recoveredToday: 150_000,
    recoveredCount: 1,
    contacted: 1,
    reachRate: 0,
  })
  expect(after.work).toEqual({ dueNow: 1, notContacted: 1, held: 0 })
  expect(after.hours.today.reduce((all, amount) => all + amount, 0)).toBe(150_000)
  // one definition: the daily figures say the same
  floor.context.wakeSchedule('reportRefresh')
  await floor.settle()
  const day = istDay(Date.now())
  const { today } = await manager.call(homeFigures, { dateFrom: day, dateTo: day })
  expect(today.collectedAmount).toBe(after.tiles.recoveredToday)
  expect(after.hours.weekAgo).toHaveLength(24)
  expect(after.hours.yesterday).toHaveLength(24)
  expect(after.hours.yesterday.reduce((sum, amount) => sum + amount, 0)).toBe(
    after.yesterday.recovered,
  )
  expect(after.stageTable.find((line) => line.stageId === 'S1')).toMatchObject({
    recovered: 150_000,
  })
  expect(after.feed[0]).toMatchObject({ kind: 'paid', amount: 150_000, stageId: 'S1', count: 1 })
  expect(after.ranking[0]).toMatchObject({
    kind: 'agency',
    id: three.units[0]?.agencyId,
    recovered: 150_000,
    rank: 1,
    cases: 1,
  })
  const mine = await read(person(0, 2))
  expect(mine).toMatchObject({
    scope: { unit: 'department', id: three.units[0]?.departmentId },
    queues: null,
    tiles: { openCases: 1, recoveredToday: 150_000 },
  })
  const theirs = await read(person(1, 2))
  expect(theirs.tiles).toMatchObject({ openCases: 1, recoveredToday: 0 })
  expect(theirs.feed).toMatchObject([
    {
      kind: 'allocated',
      collectorName: expect.stringMatching(/^C\. F\. \d+$/),
      stageId: 'M1',
      count: 1,
    },
  ])
  const collectors = await read(person(0, 1))
  expect(collectors.ranking).toMatchObject([
    { kind: 'collector', id: person(0, 1).userId, cases: 0, rank: 2 },
  ])
  expect(collectors.tiles.openCases).toBe(0)
  expect((await read(person(0, 0))).ranking).toMatchObject([
    { kind: 'collector', id: person(0, 0).userId, rank: 1 },
  ])
  expect(
    (await read(manager, { agencyId: three.units[1]?.agencyId ?? '', stageId: 'M1' })).tiles
      .openCases,
  ).toBe(1)
  expect((await manager.refused(readBoard, { stageId: 'X9' })).problem?.id).toBe('G404')
})

test('a board contains no name of a customer or a colleague', async () => {
  const { rows } = await sql<{
    name: string
  }>`
    select c.name
    from customer c
    union all
    select u.user_name
    from sys_user u
    join collector k on k.user_id = u.id`.execute(floor.database.kysely)
  const text = JSON.stringify([await read(manager), ...(await ticksAfter(0))])
  expect(rows.length).toBeGreaterThan(5)
  expect(rows.filter(({ name }) => text.includes(name))).toEqual([])
  expect([initialsOf('Asha Rao Kulkarni'), initialsOf('  อารี  สุข '), initialsOf('x')]).toEqual([
    'A. R.',
    'อ. ส.',
    'X.',
  ])
})

test('figures and targets of the units add up to the whole', async () => {
  await manager.call(saveThresholds, {
    target: 5_000_000,
    ptpKept: 7_000,
    unallocatedMinutes: 30,
    reviewMinutes: 10,
    disburseFailed: 10,
  })
  const whole = await read(manager)
  expect(whole.tiles.target).toBe(5_000_000)
  const agencies = whole.ranking.filter((line) => line.kind === 'agency')
  const pool = whole.tiles.unallocated
  expect(agencies.reduce((all, line) => all + line.cases, 0) + pool).toBe(whole.tiles.openCases)
  expect(agencies.reduce((all, line) => all + line.recovered, 0)).toBe(whole.tiles.recoveredToday)
  const targets = agencies.reduce((all, line) => all + (line.target ?? 0), 0)
  expect(targets).toBeLessThanOrEqual(5_000_000)
  expect((await read(person(1, 2))).tiles.target).toBe(
    agencies.find((line) => line.id === three.units[1]?.agencyId)?.target,
  )
  const limits = {
    target: 1_000_000,
    ptpKept: null,
    unallocatedMinutes: 5,
    reviewMinutes: null,
    disburseFailed: null,
  }
  await person(1, 2).call(saveThresholds, limits)
  expect(await read(person(1, 2))).toMatchObject({
    tiles: { target: 1_000_000 },
    thresholds: limits,
  })
  expect((await read(manager)).thresholds).toMatchObject({
    target: 5_000_000,
    unallocatedMinutes: 30,
  })
  // an agency whose people lead departments gets its limits from scope all
  const agencyId = three.units[0]?.agencyId ?? ''
  await manager.call(saveThresholds, { ...limits, agencyId })
  expect((await read(manager, { agencyId })).thresholds).toEqual(limits)
  expect((await read(manager)).thresholds).toMatchObject({ target: 5_000_000 })
  expect((await person(1, 2).refused(saveThresholds, { ...limits, agencyId })).problem?.id).toBe(
    'G404',
  )
})

test('a reading with the ticks received since equals a new reading', async () => {
  await tick()
  const readers = [manager, person(0, 2), person(1, 2)]
  const seen = await Promise.all(readers.map((by) => by.call(readBoard, {})))
  const from = Math.max(0, ...(await floor.events()).map((event) => event.seq))
  const made = await makeCase(floor, { overdueDays: 12, agencyId: three.units[1]?.agencyId ?? '' })
  await sql`
    update collection_case set department_id = ${three.units[1]?.departmentId} where id = ${made.caseId}`.execute(
    floor.database.kysely,
  )
  await tick()
  await pay(made.orderId, 70_000)
  await tick()
  expect(
    (
      await person(1, 2).call(allocateCases, {
        caseIds: [made.caseId],
        collectorId: person(1, 1).userId,
      })
    ).ok,
  ).toEqual([made.caseId])
  await tick()
  const ticks = await ticksAfter(from)
  expect(ticks.length).toBeGreaterThan(2)
  for (const [n, by] of readers.entries()) {
    const before = seen[n] as BoardFigures
    const key = before.scope.unit === 'all' ? 'all' : `${before.scope.unit}:${before.scope.id}`
    const applied = ticks.filter((one) => one.scope === key).reduce(applyTick, before)
    const again = await by.call(readBoard, {})
    expect({ ...applied, asOf: '' }).toEqual({ ...again, asOf: '' })
  }
})

test('a tick contains only what changed, and none is sent without a change', async () => {
  await read(manager)
  await tick()
  const from = Math.max(0, ...(await floor.events()).map((event) => event.seq))
  await tick()
  expect(await ticksAfter(from)).toEqual([])
  const made = await makeCase(floor, { collectorId: person(2, 0).userId, overdueDays: 40 })
  await pay(made.orderId, 30_000)
  await tick()
  const emitted = (await ticksAfter(from)).find((one) => one.scope === 'all')
  expect(emitted?.stageTable?.map((line) => line.stageId)).toEqual(['M2'])
  expect(emitted?.queues).toBeUndefined()
  expect(JSON.stringify(emitted).length).toBeLessThan(4_000)
})

test('an older tick changes nothing, and any two readings agree with their tick', () => {
  const some: Partial<BoardFigures> = {
    asOf: '2026-11-20T06:00:00.000Z',
    stageTable: [],
    ranking: [],
  }
  const base = some as BoardFigures
  expect(applyTick(base, { scope: 'all', asOf: '2026-11-20T05:00:00.000Z', alerts: [] })).toBe(base)
  const line = fc.record({
    kind: fc.constantFrom('agency', 'group', 'collector'),
    id: fc.constantFrom('a', 'b', 'c', 'd'),
    recovered: fc.nat(3),
  })
  fc.assert(
    fc.property(
      fc.uniqueArray(line, { selector: (one) => one.kind + one.id }),
      fc.uniqueArray(line, { selector: (one) => one.kind + one.id }),
      (one, two) => {
        const ranked = (lines: typeof one) =>
          lines
            .map((entry, n) => ({ ...entry, rank: n + 1 }))
            .toSorted(
              (a, b) =>
                ['agency', 'group', 'collector'].indexOf(a.kind) -
                  ['agency', 'group', 'collector'].indexOf(b.kind) || a.rank - b.rank,
            )
        const before = { ...base, ranking: ranked(one) } as BoardFigures
        const after = {
          ...base,
          asOf: '2026-11-20T06:00:01.000Z',
          ranking: ranked(two),
        } as BoardFigures
        const tick = tickBetween(before, after)
        expect((tick ? applyTick(before, tick) : before).ranking).toEqual(after.ranking)
      },
    ),
  )
})
function tickBetween(before: BoardFigures, after: BoardFigures): BoardTick | null {
  return tickOf('all', [before], after)
}

test('an alert is raised once, acknowledged by a leader of the unit, and ends by itself', async () => {
  await clock.to('12:00')
  await sql`update board_scope set asked_at = clock_timestamp()`.execute(floor.database.kysely)
  // cases of other tests were written by the real clock, at whatever hour that is
  await sql`update collection_case set waiting_since = clock_timestamp() where state = 'unallocated'`.execute(
    floor.database.kysely,
  )
  const made = await makeCase(floor, { overdueDays: 1 })
  await sql`
    update collection_case set waiting_since = clock_timestamp() - interval '45 minutes'
      where id = ${made.caseId}`.execute(floor.database.kysely)
  await read(manager)
  const raised = await read(manager)
  const waiting = (figures: BoardFigures) =>
    figures.alerts.filter((alert) => alert.key === 'unallocatedAge')
  expect(waiting(raised)).toMatchObject([{ level: 'warning', value: 45, ackBy: null }])
  expect((await person(1, 2).refused(ackAlert, { alertKey: 'unallocatedAge' })).problem?.id).toBe(
    'G404',
  )
  // for another unit it is another alert: acknowledged there, it stays here
  const agencyId = three.units[0]?.agencyId ?? ''
  await sql`
    insert into board_alert (unit_key, alert_key, level, value, since)
    values (${`agency:${agencyId}`}, 'unallocatedAge', 'warning', 50, clock_timestamp())`.execute(
    floor.database.kysely,
  )
  await manager.call(ackAlert, { alertKey: 'unallocatedAge', agencyId })
  const { rows: acked } = await sql<{
    unit_key: string
  }>`select l.unit_key from board_alert l where l.acked_by is not null`.execute(
    floor.database.kysely,
  )
  expect(acked).toEqual([{ unit_key: `agency:${agencyId}` }])
  expect(
    (await person(1, 2).refused(ackAlert, { alertKey: 'unallocatedAge', agencyId })).problem?.id,
  ).toBe('G404')
  await manager.call(ackAlert, { alertKey: 'unallocatedAge' })
  expect(waiting(await read(manager))).toMatchObject([{ ackBy: 'Manager 1' }])
  await sql`
    update collection_case set waiting_since = clock_timestamp() + interval '1 hour'
      where state = 'unallocated'`.execute(floor.database.kysely)
  await pay(made.orderId, 10_000)
  expect(waiting(await read(manager))).toHaveLength(1)
  await clock.to('12:03')
  await sql`update board_scope set asked_at = clock_timestamp()`.execute(floor.database.kysely)
  await pay(made.orderId, 10_000)
  await read(manager)
  expect(waiting(await read(manager))).toEqual([])
})

test('many boards of many scopes within a second cost one read of the facts', async () => {
  const { FigureCache } = await import('./figure-cache.ts')
  const desk = new FigureCache(floor.context)
  const scopes = [
    { unit: 'all' as const, id: null, stageId: null },
    ...three.units.map((unit) => ({ unit: 'agency' as const, id: unit.agencyId, stageId: null })),
  ]
  await Promise.all(
    Array.from({ length: 200 }, (_, n) =>
      desk.read(scopes[n % scopes.length] as (typeof scopes)[number]),
    ),
  )
  expect(desk.reads).toBe(1)
})
