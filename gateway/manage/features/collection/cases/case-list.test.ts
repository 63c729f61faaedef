/**
 * The lists against a plain reading of the same rows, and nine people of three agencies who must
 * not see each other's cases.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  caseContacts,
  caseDetail,
  callBorrower,
  deskFigures,
  endCase,
  followCase,
  listCases,
  listFollows,
  revealPhone,
} from '#shared/collection/cases-api.ts'
import type { DataOf, Endpoint, InputOf } from '#shared/kernel/endpoint.ts'
import { liveRooms } from '#shared/session/session-api.ts'
import { makeCase, type MadeCase, makeRecord, workFloor } from '#tests/factories/cases.ts'
import { makeThreeAgencies, type ThreeAgencies } from '#tests/factories/units.ts'
import type { Floor, Person } from '#tests/support/manage.ts'

type Row = DataOf<typeof listCases>['rows'][number]
type Filters = InputOf<typeof listCases>

let floor: Floor
let three: ThreeAgencies
let manager: Person
let made: MadeCase[]
const people = new Map<string, Person>()
const at = (agency: number, n: number) =>
  (three.people[agency] as { userId: string; account: string }[])[n] as {
    userId: string
    account: string
  }
const person = (agency: number, n: number) => people.get(at(agency, n).account) as Person

beforeAll(async () => {
  floor = await workFloor()
  three = await makeThreeAgencies(floor)
  made = []
  for (let agency = 0; agency < 3; agency += 1) {
    for (let n = 0; n < 2; n += 1) {
      const collectorId = at(agency, n).userId
      made.push(
        await makeCase(floor, {
          collectorId,
          overdueDays: 1 + agency * 5,
          amount: 500_000 + n * 100_000 + agency * 10_000,
          allocatedDaysAgo: n,
        }),
      )
      made.push(
        await makeCase(floor, {
          collectorId,
          state: 'promised',
          overdueDays: 12 + agency,
          ptpAmount: 300_000,
          nextFollowTime: '2026-01-05T06:00:00.000Z',
        }),
      )
      made.push(
        await makeCase(floor, {
          collectorId,
          overdueDays: 40,
          ptpState: 'broken',
          brokenCount: 1,
          nextFollowTime: '2099-01-05T06:00:00.000Z',
        }),
      )
      made.push(await makeCase(floor, { collectorId, state: 'held', overdueDays: 3 }))
      made.push(await makeCase(floor, { collectorId, state: 'closed', overdueDays: 5 }))
    }
    made.push(
      await makeCase(floor, { agencyId: three.units[agency]?.agencyId as string, overdueDays: 2 }),
    )
  }
  made.push(await makeCase(floor, { overdueDays: 0, name: 'Zubin Mehta', amount: 900_000 }))
  await sql`
    update collection_case set paid_amount = 10000,
      paid_on = (clock_timestamp() at time zone 'Asia/Kolkata')::date, paid_on_amount = 10000,
      recovered = 10000 where id = ${(made[0] as MadeCase).caseId}`.execute(floor.database.kysely)
  await makeRecord(floor, 'RR-today', made[0] as MadeCase, 10_000)
  await sql`
    insert into recovery_bill (record_id, case_id, order_id, customer_id, stage_id, overdue_days, agency_id,
      department_id, group_id, collector_id, amount, principal, fees, channel, paid_at)
    select 'RR-today', c.id, c.order_id, c.customer_id, c.stage_id, c.overdue_days, c.agency_id,
      c.department_id, c.group_id, c.collector_id, 10000, 10000, 0, 1, clock_timestamp()
    from collection_case c where c.id = ${(made[0] as MadeCase).caseId}`.execute(
    floor.database.kysely,
  )
  manager = await floor.signIn('manager')
  for (const { account } of three.people.flat()) people.set(account, await floor.signIn(account))
})
afterAll(() => floor.close())

async function all(
  who: Person,
  tab: Filters['tab'],
  filters: Partial<Filters> = {},
): Promise<Row[]> {
  const page = await who.call(listCases, { tab, pageSize: 200, ...filters })
  expect(page.total).toBe(page.rows.length)
  expect(page.totals).toEqual({
    cases: page.rows.length,
    outstanding: page.rows.reduce((sum, row) => sum + row.outstanding, 0),
  })
  return page.rows
}
const ids = (rows: Row[]) => rows.map((row) => row.caseId)

describe('a list', () => {
  test('the pool lists cases without a holder, the work queue cases with one, the third tab ended cases', async () => {
    expect((await all(manager, 'toAllocate')).map((row) => row.state)).toEqual([
      'unallocated',
      'unallocated',
      'unallocated',
      'unallocated',
    ])
    const queue = await all(manager, 'toFollow')
    expect(queue).toHaveLength(18)
    expect(new Set(queue.map((row) => row.state))).toEqual(new Set(['allocated', 'promised']))
    expect((await all(manager, 'ended')).map((row) => row.state)).toEqual(
      Array.from({ length: 6 }, () => 'closed'),
    )
  })

  test('the queue of all starts with cases never followed up, then sorts by time and amount', async () => {
    const rows = await all(manager, 'toFollow')
    const sorted = rows.toSorted(
      (a, b) =>
        (a.nextFollowTime ?? '').localeCompare(b.nextFollowTime ?? '') ||
        b.outstanding - a.outstanding ||
        (a.caseId < b.caseId ? -1 : 1),
    )
    expect(ids(rows)).toEqual(ids(sorted))
    expect(rows[0]?.nextFollowTime).toBeNull()
  })

  test('the own queue is in the order in which contacts are due, agreed and first ones alike', async () => {
    const rows = await all(person(0, 0), 'toFollow')
    const due = (row: Row) => row.nextFollowTime ?? row.firstDueTime ?? ''
    expect(rows.map(due)).toEqual(rows.map(due).toSorted())
    // one that is late, a new one, one of the far future
    expect(rows.map((row) => row.nextFollowTime === null)).toEqual([false, true, false])
  })

  test('held cases are hidden unless a filter names them', async () => {
    expect(await all(manager, 'toFollow', { state: 'held' })).toHaveLength(6)
  })

  test('each filter finds what a plain reading finds', async () => {
    const rows = await all(manager, 'toFollow')
    const first = rows[0] as Row
    const today = (row: Row) => row.ptpState === 'open'
    // the test clock is at eleven, whenever the test runs
    const { rows: clock } = await sql<{
      at: string
    }>`select clock_timestamp() - interval '12 hours' as at`.execute(floor.database.kysely)
    const halfADayAgo = Date.parse(clock[0]?.at ?? '')
    const cases: [Partial<Filters>, (row: Row) => boolean][] = [
      [{ caseId: first.caseId }, (row) => row.caseId === first.caseId],
      [{ orderId: first.orderId }, (row) => row.orderId === first.orderId],
      [{ userId: first.userId }, (row) => row.userId === first.userId],
      [
        { userName: first.userName.toLowerCase() },
        (row) => row.userName.toLowerCase().startsWith(first.userName.toLowerCase()),
      ],
      [{ phone: made[0]?.phone }, (row) => row.caseId === made[0]?.caseId],
      [{ stageId: 'T1,M1' }, (row) => row.stageId === 'T1' || row.stageId === 'M1'],
      [{ state: 'promised' }, (row) => row.state === 'promised'],
      [{ agencyId: three.units[1]?.agencyId }, (row) => row.agencyId === three.units[1]?.agencyId],
      [
        { departmentId: three.units[1]?.departmentId },
        (row) => row.departmentId === three.units[1]?.departmentId,
      ],
      [{ groupId: three.units[2]?.groupId }, (row) => row.groupId === three.units[2]?.groupId],
      [{ collectorId: at(0, 1).userId }, (row) => row.collectorId === at(0, 1).userId],
      [{ overdueFrom: 12, overdueTo: 30 }, (row) => row.overdueDays >= 12 && row.overdueDays <= 30],
      [{ amountFrom: 600_000 }, (row) => row.outstanding >= 600_000],
      [{ amountTo: 600_000 }, (row) => row.outstanding <= 600_000],
      [{ ptpState: 'broken' }, (row) => row.ptpState === 'broken'],
      [{ ptpState: 'open,broken' }, (row) => row.ptpState !== null],
      [{ nextFollowFrom: '2090-01-01T00:00:00Z' }, (row) => (row.nextFollowTime ?? '') > '2090'],
      [
        { allocationTimeTo: new Date(halfADayAgo).toISOString() },
        (row) => Date.parse(row.allocationTime ?? '') < halfADayAgo,
      ],
      [{ view: 'dueNow' }, (row) => row.nextFollowTime === null || row.nextFollowTime < '2090'],
      [{ view: 'promisesToday' }, today],
      [{ view: 'broken' }, (row) => row.ptpState === 'broken'],
      [{ view: 'newToday' }, (row) => Date.parse(row.allocationTime ?? '') > halfADayAgo],
      [{ view: 'paidPartly' }, (row) => row.paidAmount > 0],
    ]
    for (const [filters, fits] of cases) {
      const expected = rows.filter(fits)
      expect(expected.length, JSON.stringify(filters)).toBeGreaterThan(0)
      expect(expected.length, JSON.stringify(filters)).toBeLessThan(rows.length)
      expect(ids(await all(manager, 'toFollow', filters)), JSON.stringify(filters)).toEqual(
        ids(expected),
      )
    }
    expect(ids(await all(manager, 'toFollow', { view: 'notContacted' }))).toEqual(ids(rows))
    expect(await all(manager, 'toFollow', { neverContacted: false })).toEqual([])
    expect(await all(manager, 'ended', { endReason: 'repaid' })).toHaveLength(6)
  })

  test('a case shows, and is found by, the latest reduction requested and the latest proof sent in', async () => {
    const { caseId, orderId, customerId } = made[0] as MadeCase
    await sql`
      insert into reduction (order_id, customer_id, items, amount_due, reduce_amount, pay_amount,
        cap_amount, state, reason, launched_by_name, launched_at)
      select ${orderId}, ${customerId}, '{"interest":0,"serviceFee":0,"overdueFine":100}', 1000, 100, 900,
        100, x.state, 'Pays the rest', 'Asha', clock_timestamp() - x.age::interval
        from (values ('rejected', '2 days'), ('approved', '1 day')) x (state, age)`.execute(
      floor.database.kysely,
    )
    await sql`
      insert into repay_proof (order_id, customer_id, amount, utr, paid_at, channel, submitter,
        submitted_by_name, state, decided_at, created_at)
      select ${orderId}, ${customerId}, 1000, x.utr, clock_timestamp(), 2, 'customer', 'Asha', x.state, case
        when x.state = 'rejected' then clock_timestamp() end, clock_timestamp() - x.age::interval
      from (values ('700000000001', 'rejected', '2 days'), ('700000000002', 'pending', '1 day')) x (utr,
        state, age)`.execute(floor.database.kysely)
    expect((await all(manager, 'toFollow', { caseId }))[0]).toMatchObject({
      reduceState: 'approved',
      proofState: 'pending',
    })
    expect(ids(await all(manager, 'toFollow', { reduceState: 'approved' }))).toEqual([caseId])
    expect(ids(await all(manager, 'toFollow', { proofState: 'pending' }))).toEqual([caseId])
    expect(await all(manager, 'toFollow', { reduceState: 'rejected' })).toEqual([])
    expect(await all(manager, 'toFollow', { proofState: 'rejected' })).toEqual([])
    expect(
      (await all(manager, 'toFollow')).filter(
        (row) => row.reduceState === null && row.proofState === null,
      ),
    ).toHaveLength(17)
  })

  test('every column sorts both ways, rows without a value last', async () => {
    for (const [field, value] of [
      ['outstanding', (row: Row) => row.outstanding],
      ['overdueDays', (row: Row) => row.overdueDays],
      ['ptpTime', (row: Row) => (row.ptpTime === null ? null : Date.parse(row.ptpTime))],
    ] as const) {
      for (const direction of ['asc', 'desc'] as const) {
        const values = (await all(manager, 'toFollow', { sort: `${field}:${direction}` })).map(
          value,
        )
        const known = values.filter((v) => v !== null)
        expect(known, `${field} ${direction}`).toEqual(
          known.toSorted((a, b) => (direction === 'asc' ? a - b : b - a)),
        )
        expect(values.slice(known.length).every((v) => v === null)).toBe(true)
      }
    }
    expect((await manager.refused(listCases, { tab: 'toFollow', sort: 'phone:asc' })).data).toEqual(
      { fields: { sort: 'unknown' } },
    )
    expect((await manager.refused(listCases, { tab: 'toFollow', state: 'lost' })).data).toEqual({
      fields: { state: 'enum' },
    })
  })

  test('pages do not overlap, and the sums cover all pages', async () => {
    const whole = await manager.call(listCases, { tab: 'toFollow', pageSize: 200 })
    const pages = [
      await manager.call(listCases, { tab: 'toFollow', pageSize: 10 }),
      await manager.call(listCases, { tab: 'toFollow', pageSize: 10, pageNum: 2 }),
    ]
    expect(pages.flatMap((page) => ids(page.rows))).toEqual(ids(whole.rows))
    for (const page of pages)
      expect({ totals: page.totals, total: page.total, stages: page.stages }).toEqual({
        totals: whole.totals,
        total: whole.total,
        stages: whole.stages,
      })
  })

  test('stage chips count the open cases of the tab regardless of filters, in the order of the stages', async () => {
    const { rows, stages } = await manager.call(listCases, { tab: 'toFollow', pageSize: 200 })
    const filtered = await manager.call(listCases, { tab: 'toFollow', stageId: 'T1' })
    expect(filtered.stages).toEqual(stages)
    expect(stages.map((chip) => chip.stageId)).toEqual(
      ['T1', 'S1', 'M1', 'S2', 'M2']
        .toSorted(
          (a, b) =>
            ['T0', 'T1', 'T2', 'S1', 'S2', 'M1', 'M2', 'M3'].indexOf(a) -
            ['T0', 'T1', 'T2', 'S1', 'S2', 'M1', 'M2', 'M3'].indexOf(b),
        )
        .filter((id) => rows.some((row) => row.stageId === id)),
    )
    for (const chip of stages) {
      const own = rows.filter((row) => row.stageId === chip.stageId)
      expect(chip).toEqual({
        stageId: chip.stageId,
        cases: own.length,
        outstanding: own.reduce((sum, row) => sum + row.outstanding, 0),
      })
    }
  })

  test('a collector sees neither the pool nor a full phone number', async () => {
    expect((await person(0, 0).refused(listCases, { tab: 'toAllocate' })).code).toBe(403)
    const text = JSON.stringify([
      await all(person(0, 0), 'toFollow'),
      await person(0, 0).call(caseDetail, { caseId: (made[0] as MadeCase).caseId }),
    ])
    for (const { phone } of made) expect(text).not.toContain(phone)
  })
})

test('the figures of the day are those of the list', async () => {
  for (const who of [manager, person(0, 0), person(1, 2)]) {
    const rows = await all(who, 'toFollow')
    const figures = await who.call(deskFigures, {})
    expect(figures).toMatchObject({
      open: rows.length,
      dueNow: rows.filter((row) => row.nextFollowTime === null || row.nextFollowTime < '2090')
        .length,
      ptpToday: rows.filter((row) => row.ptpState === 'open').length,
      ptpTodayAmount: rows
        .filter((row) => row.ptpState === 'open')
        .reduce((sum, row) => sum + (row.ptpAmount ?? 0), 0),
      recoveredToday: rows.reduce((sum, row) => sum + row.paidToday, 0),
      broken: rows.filter((row) => row.ptpState === 'broken').length,
      notContacted: rows.length,
      callFrom: '08:00',
      callTo: '19:00',
    })
  }
  expect((await person(0, 0).call(deskFigures, {})).recoveredToday).toBe(10_000)
})

describe("three agencies with three people each and each other's ids", () => {
  /** Every call that takes a case, with a valid input except for the id. */
  const calls = (caseId: string, userId: string): [Endpoint, Record<string, unknown>][] => [
    [caseDetail, { caseId }],
    [caseContacts, { caseId }],
    [callBorrower, { caseId, contactId: userId, way: 'phone' }],
    [
      followCase,
      {
        caseId,
        version: 1,
        token: 1,
        contactWay: 'visit',
        contactId: userId,
        contactResult: 3,
        nextFollowTime: '2099-01-01T00:00:00Z',
        remark: 'Nobody at home',
      },
    ],
    [endCase, { caseId, version: 1, endReason: 'duplicate', remark: 'Same case twice' }],
    [revealPhone, { caseId, reason: 'Call back asked for' }],
  ]

  test('everybody lists exactly their own cases, those of their unit or of their agency', async () => {
    for (let agency = 0; agency < 3; agency += 1) {
      const unit = three.units[agency]
      for (let n = 0; n < 2; n += 1) {
        const own = await all(person(agency, n), 'toFollow')
        expect(own).toHaveLength(3)
        expect(new Set(own.map((row) => row.collectorId))).toEqual(new Set([at(agency, n).userId]))
        expect(await all(person(agency, n), 'ended')).toHaveLength(1)
      }
      const led = await all(person(agency, 2), 'toFollow')
      expect(led).toHaveLength(6)
      expect(new Set(led.map((row) => row.agencyId))).toEqual(new Set([unit?.agencyId]))
    }
  })

  test('the id of another agency is answered like a missing one, in every call', async () => {
    for (let agency = 0; agency < 3; agency += 1) {
      for (let n = 0; n < 3; n += 1) {
        const who = person(agency, n)
        const foreign = made.filter((_, i) => Math.floor(i / 11) === (agency + 1) % 3)
        for (const { caseId, customerId } of [foreign[0] as MadeCase, foreign[10] as MadeCase]) {
          for (const [e, input] of calls(caseId, customerId)) {
            const given = (await who.send(e, input)).json<{
              code: number
              msg: string
              data: unknown
            }>()
            const missing = (await who.send(e, { ...input, caseId: 'CA1' })).json<{
              code: number
              msg: string
              data: unknown
            }>()
            expect(given, `${at(agency, n).account} ${e.path}`).toEqual(missing)
            expect([400, 403]).toContain(given.code)
          }
          expect(await all(who, 'toFollow', { caseId })).toEqual([])
          expect((await who.call(listFollows, { caseId })).rows).toEqual([])
        }
      }
    }
  })

  test('the server names the rooms: own scope and own cases only', async () => {
    const [mine, foreign] = [made[11] as MadeCase, made[0] as MadeCase]
    const collector = await person(1, 0).call(liveRooms, {
      watch: `case:${mine.caseId},case:${foreign.caseId},case:CA1`,
    })
    expect(collector.rooms).toContain(`case:${mine.caseId}`)
    expect(collector.rooms.some((room) => room.startsWith('scope:'))).toBe(false)
    expect(collector.refused).toEqual([`case:${foreign.caseId}`, 'case:CA1'])
    const supervisor = await person(1, 2).call(liveRooms, {
      watch: `case:${mine.caseId},case:${foreign.caseId}`,
    })
    expect(supervisor.rooms).toEqual(
      expect.arrayContaining([`scope:agency:${three.units[1]?.agencyId}`, `case:${mine.caseId}`]),
    )
    expect(supervisor.refused).toEqual([`case:${foreign.caseId}`])
    // list presence shows who has a row open, without a room for the row
    expect(
      await person(1, 0).call(liveRooms, {
        rows: `case:${mine.caseId},case:${foreign.caseId},case:CA1,order:L1`,
      }),
    ).toMatchObject({
      rows: [`case:${mine.caseId}`],
      rooms: expect.not.arrayContaining([`case:${mine.caseId}`]),
    })
    expect(
      (
        await person(1, 0).refused(liveRooms, {
          rows: Array.from({ length: 101 }, (_, i) => `case:CA${i}`).join(','),
        })
      ).code,
    ).toBe(400)
    const inHouse = await person(0, 2).call(liveRooms, {})
    expect(inHouse.rooms).toContain(`scope:dept:${three.units[0]?.departmentId}`)
  })
})
