/** Calls and follow-ups under the contact rules. The clock is at eleven unless a test moves it. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  callBorrower,
  caseContacts,
  caseDetail,
  deskFigures,
  endCase,
  followCase,
  listCases,
  listFollows,
  noteCase,
  revealPhone,
} from '#shared/collection/cases-api.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { istDay } from '#shared/kernel/time.ts'
import { makeCase, type CaseGiven, type MadeCase, workFloor } from '#tests/factories/cases.ts'
import { dropHolidays, makeHoliday } from '#tests/factories/holidays.ts'
import { makeCollector, makeLeader, makeUnit, type Unit } from '#tests/factories/units.ts'
import type { TestClock } from '#tests/support/clock.ts'
import type { Floor, Person } from '#tests/support/manage.ts'

let floor: Floor & { clock: TestClock }
let home: Unit
let outside: Unit
let asha: Person
let ravi: Person
let supervisor: Person
let agent: Person
let manager: Person
const at = (clock: string, days = 0) =>
  new Date(
    Date.parse(
      `${new Date(Date.now() + 5.5 * 3_600_000 + days * 86_400_000).toISOString().slice(0, 10)}T${clock}:00+05:30`,
    ),
  ).toISOString()

beforeAll(async () => {
  floor = await workFloor()
  home = await makeUnit(floor, { weight: 60, inHouse: true })
  outside = await makeUnit(floor, { weight: 40, inHouse: false })
  asha = await floor.signIn(
    (await makeCollector(floor, home, { addressBookVisible: true })).account,
  )
  ravi = await floor.signIn((await makeCollector(floor, home)).account)
  supervisor = await floor.signIn((await makeLeader(floor, home, 'internal_supervisor')).account)
  agent = await floor.signIn((await makeCollector(floor, outside)).account)
  manager = await floor.signIn('manager')
})
afterAll(() => floor.close())
beforeEach(() => floor.clock.to('11:00'))

function held(given: Partial<CaseGiven> = {}): Promise<MadeCase> {
  return makeCase(floor, { collectorId: asha.userId, overdueDays: 12, ...given })
}
/** A visit; `overdueDays` 12 is stage M1: promises of up to five days. */
function visit(
  made: MadeCase,
  given: Partial<InputOf<typeof followCase>> = {},
): InputOf<typeof followCase> {
  return {
    caseId: made.caseId,
    version: 1,
    token: 1,
    contactWay: 'visit',
    contactId: made.customerId,
    contactResult: 1,
    willingness: 1,
    commitmentTime: at('18:00', 1),
    nextFollowTime: at('12:00', 1),
    remark: 'Met at home, pays tomorrow',
    ...given,
  }
}
async function idOf(call: Promise<{ problem?: { id: string } }>): Promise<string | undefined> {
  return (await call).problem?.id
}

describe('a follow-up', () => {
  test('is stored with its text, counted on the case and emitted to its rooms', async () => {
    const made = await held()
    const before = (await floor.events()).at(-1)?.seq ?? 0
    const { follow, case: row } = await asha.call(followCase, visit(made))
    expect(follow).toMatchObject({
      caseId: made.caseId,
      contactNumber: `XXXXXX${made.phone.slice(-4)}`,
      relation: 'self',
      reachable: true,
      contactResult: 1,
      willingness: 1,
      operatorId: asha.userId,
      stageId: 'M1',
      remark: 'Met at home, pays tomorrow',
    })
    expect(row).toMatchObject({
      state: 'allocated',
      followCount: 1,
      lastContactResult: 1,
      lastWillingness: 1,
      commitmentTime: at('18:00', 1),
      nextFollowTime: at('12:00', 1),
      attemptsToday: 1,
      attemptsWeek: 1,
      version: 2,
      token: 1,
    })
    const [event] = (await floor.events(before)).filter(({ type }) => type === 'case.followed')
    expect(event?.rooms.toSorted()).toEqual(
      [
        `case:${made.caseId}`,
        `scope:agency:${home.agencyId}`,
        `scope:dept:${home.departmentId}`,
        `scope:group:${home.groupId}`,
        'scope:all',
        `user:${asha.userId}`,
      ].toSorted(),
    )
    expect(event?.entity_version).toBe(2)
    expect(event?.data).toEqual({
      caseId: made.caseId,
      followId: follow.followId,
      contactResult: 1,
      willingness: 1,
      commitmentTime: row.commitmentTime,
      nextFollowTime: row.nextFollowTime,
      lastFollowTime: row.lastFollowTime,
      followCount: 1,
      attemptsToday: 1,
      attemptsWeek: 1,
    })
    expect((await asha.call(listFollows, {})).rows[0]).toEqual(follow)
    const inStages = async (stageId: string) =>
      (await asha.call(listFollows, { caseId: made.caseId, stageId })).total
    expect([await inStages('S1,M1'), await inStages('S1')]).toEqual([1, 0])
    expect((await asha.call(caseDetail, { caseId: made.caseId })).follows).toEqual([follow])
  })

  test('reports at the field what is missing', async () => {
    const made = await held()
    const fields = async (given: Partial<InputOf<typeof followCase>>) =>
      (await asha.refused(followCase, visit(made, given))).data
    expect(await fields({ willingness: null, commitmentTime: null })).toEqual({
      fields: { willingness: 'required', commitmentTime: 'required' },
    })
    expect(await fields({ nextFollowTime: at('10:59') })).toEqual({
      fields: { nextFollowTime: 'future' },
    })
    expect(await fields({ contactWay: 'phone' })).toEqual({ fields: { callId: 'required' } })
    expect(await fields({ contactWay: 'phone', callId: 'CL1' })).toEqual({
      fields: { callId: 'unknown' },
    })
    expect(await fields({ contactId: 'K1' })).toEqual({ fields: { contactId: 'unknown' } })
    expect(await fields({ ptpTime: at('18:00', 1) })).toEqual({ fields: { ptpAmount: 'required' } })
    expect(await fields({ ptpAmount: 100 })).toEqual({ fields: { ptpTime: 'required' } })
    expect(await fields({ ptpTime: at('10:00'), ptpAmount: 100 })).toEqual({
      fields: { ptpTime: 'future' },
    })
    expect(await fields({ ptpTime: at('18:00', 6), ptpAmount: 100 })).toEqual({
      fields: { ptpTime: 'tooFar' },
    })
    expect(await fields({ ptpTime: at('18:00', 1), ptpAmount: made.outstanding + 1 })).toEqual({
      fields: { ptpAmount: 'aboveOutstanding' },
    })
    expect(await fields({ ptpTime: at('18:00', 1), ptpAmount: 100, willingness: 2 })).toEqual({
      fields: { willingness: 'promising' },
    })
    // nobody reached: no further field is required
    await asha.call(
      followCase,
      visit(made, {
        contactWay: 'phone',
        contactResult: 3,
        willingness: null,
        commitmentTime: null,
      }),
    )
  })

  test('is refused to others: a stranger gets a missing case, the former holder the name of the new one', async () => {
    const made = await held()
    expect(await idOf(ravi.refused(followCase, visit(made)))).toBe('G404')
    expect(await idOf(agent.refused(followCase, visit(made)))).toBe('G404')
    await sql`
      insert into case_allocation (case_id, cause, from_user_id, to_user_id, by_name)
        values (${made.caseId}, 'change', ${asha.userId}, ${ravi.userId}, 'test')`.execute(
      floor.database.kysely,
    )
    await sql`
      update collection_case set collector_id = ${ravi.userId}, token = 2, version = 2
        where id = ${made.caseId}`.execute(floor.database.kysely)
    const refusal = await asha.refused(followCase, visit(made))
    expect(refusal).toMatchObject({ code: 409, problem: { id: 'C-OWN' } })
    expect(refusal.problem?.params.userName).toMatch(/^Collector field/)
    await sql`
      update collection_case set state = 'unallocated', agency_id = null, department_id = null,
        group_id = null, collector_id = null, token = 3 where id = ${made.caseId}`.execute(
      floor.database.kysely,
    )
    expect(await idOf(asha.refused(followCase, visit(made)))).toBe('C-POOL')
  })

  test('with an old version returns the current row, and a repeated request is stored once', async () => {
    const made = await held()
    const key = { 'idempotency-key': 'follow-once-1' }
    const [first, again] = [
      await asha.send(followCase, visit(made), key),
      await asha.send(followCase, visit(made), key),
    ]
    expect(again.body).toBe(first.body)
    await floor.clock.to('14:00')
    expect(await asha.refused(followCase, visit(made))).toMatchObject({
      code: 409,
      problem: { id: 'G409' },
      data: { caseId: made.caseId, followCount: 1, version: 2 },
    })
  })

  test('of a leader of the unit counts too', async () => {
    const made = await held()
    const { follow } = await supervisor.call(followCase, visit(made))
    expect(follow.operatorId).toBe(supervisor.userId)
  })
})

describe('a promise', () => {
  const promise = { ptpTime: at('18:00', 2), ptpAmount: 500_000 }

  test('sets the case to promised and is emitted', async () => {
    const made = await held()
    const before = (await floor.events()).at(-1)?.seq ?? 0
    const { case: row } = await asha.call(followCase, visit(made, promise))
    expect(row).toMatchObject({
      state: 'promised',
      ptpState: 'open',
      ptpTime: promise.ptpTime,
      ptpAmount: 500_000,
      brokenCount: 0,
    })
    const emitted = (await floor.events(before)).filter(({ type }) => type === 'case.ptp.changed')
    expect(emitted.map(({ data }) => data)).toEqual([
      {
        caseId: made.caseId,
        ptpTime: promise.ptpTime,
        ptpAmount: 500_000,
        ptpState: 'open',
        state: 'promised',
        brokenCount: 0,
        nextFollowTime: row.nextFollowTime,
      },
    ])
    await floor.clock.to('14:00')
    expect(await idOf(asha.refused(followCase, visit(made, { ...promise, version: 2 })))).toBe(
      'C-STATE',
    )
  })

  test("is broken at once when the borrower refuses, and the holder is notified of a leader's record", async () => {
    const made = await held({ state: 'promised', ptpTime: at('18:00', 3) })
    const { case: row } = await supervisor.call(followCase, visit(made, { willingness: 3 }))
    expect(row).toMatchObject({ state: 'allocated', ptpState: 'broken', brokenCount: 1 })
    const { rows } = await sql<{
      title_key: string
    }>`
      select n.title_key
      from notification n
      where n.user_id = ${asha.userId} and n.params ->> 'caseId' = ${made.caseId}`.execute(
      floor.database.kysely,
    )
    expect(rows).toEqual([{ title_key: 'collection:notification.promiseBroken' }])
  })

  test('survives a reminder', async () => {
    const made = await held({ state: 'promised', ptpTime: at('18:00', 3) })
    expect((await asha.call(followCase, visit(made, { willingness: 2 }))).case).toMatchObject({
      state: 'promised',
      ptpState: 'open',
    })
  })

  test('after two broken ones requires the leader', async () => {
    const made = await held({ brokenCount: 2 })
    expect(await asha.refused(followCase, visit(made, promise))).toMatchObject({
      code: 400,
      problem: { id: 'C-PTP', params: { n: 2 } },
    })
    expect((await supervisor.call(followCase, visit(made, promise))).case.state).toBe('promised')
  })
})

describe('a contact', () => {
  test.each([
    ['07:59:59', 'C-WIN'],
    ['08:00:00', null],
    ['18:59:50', null],
    ['19:00:00', 'C-WIN'],
  ])('at %s IST', async (clock, refused) => {
    const made = await held()
    await floor.clock.to(clock)
    const answer = (
      await asha.send(callBorrower, {
        caseId: made.caseId,
        contactId: made.customerId,
        way: 'phone',
      })
    ).json<{ code: number; problem?: { id: string } }>()
    expect(answer.problem?.id ?? null).toBe(refused)
  })

  test('is limited to three a day, two hours apart, over calls and visits', async () => {
    const made = await held()
    const call = { caseId: made.caseId, contactId: made.customerId, way: 'phone' as const }
    await floor.clock.to('08:30')
    await asha.call(callBorrower, call)
    await floor.clock.to('09:00')
    expect(await asha.refused(callBorrower, call)).toMatchObject({
      problem: { id: 'C-GAP', params: { time: '10:30' } },
      data: { openTime: expect.stringContaining('T05:00:') as string },
    })
    await floor.clock.to('11:00')
    await asha.call(
      followCase,
      visit(made, { contactResult: 3, willingness: null, commitmentTime: null }),
    )
    await floor.clock.to('13:30')
    await asha.call(callBorrower, call)
    await floor.clock.to('16:00')
    expect(await idOf(asha.refused(callBorrower, call))).toBe('C-LIM')
    expect((await asha.call(caseDetail, { caseId: made.caseId })).gate?.id).toBe('C-LIM')
    expect(
      (await asha.call(listCases, { tab: 'toFollow', caseId: made.caseId })).rows[0],
    ).toMatchObject({ attemptsToday: 3, attemptsWeek: 3 })
  })

  test('started twice is one call, and recording it does not count again', async () => {
    const made = await held()
    const call = { caseId: made.caseId, contactId: made.customerId, way: 'phone' as const }
    const first = await asha.call(callBorrower, call)
    expect(await asha.call(callBorrower, call)).toEqual(first)
    const { case: row } = await asha.call(
      followCase,
      visit(made, { contactWay: 'phone', callId: first.callId }),
    )
    expect(row.attemptsToday).toBe(1)
    await floor.clock.to('11:30')
    const again = visit(made, {
      contactWay: 'phone',
      callId: first.callId,
      version: 2,
      nextFollowTime: at('15:00', 1),
    })
    expect((await asha.refused(followCase, again)).data).toEqual({ fields: { callId: 'unknown' } })
  })

  test('a call started in time may be recorded after the last hour', async () => {
    const made = await held()
    await floor.clock.to('18:58')
    const { callId } = await asha.call(callBorrower, {
      caseId: made.caseId,
      contactId: made.customerId,
      way: 'phone',
    })
    await floor.clock.to('19:04')
    await asha.call(followCase, visit(made, { contactWay: 'phone', callId }))
    expect(await idOf(asha.refused(followCase, visit(await held())))).toBe('C-WIN')
  })

  test('waits for the intimation of an outside agent; in-house staff need none', async () => {
    const made = await makeCase(floor, {
      collectorId: agent.userId,
      intimated: false,
      overdueDays: 12,
    })
    const call = { caseId: made.caseId, contactId: made.customerId, way: 'phone' as const }
    expect(await idOf(agent.refused(callBorrower, call))).toBe('C-TOLD')
    expect(await idOf(agent.refused(followCase, visit(made)))).toBe('C-TOLD')
    await sql`update collection_case set intimated_at = clock_timestamp() where id = ${made.caseId}`.execute(
      floor.database.kysely,
    )
    expect((await agent.call(callBorrower, call)).link).toBeNull()
    const own = await held({ intimated: false })
    await asha.call(callBorrower, { caseId: own.caseId, contactId: own.customerId, way: 'phone' })
  })

  test('is refused while collection is stopped and on a holiday', async () => {
    const made = await held({ state: 'held' })
    expect(await idOf(asha.refused(followCase, visit(made)))).toBe('C-HELD')
    await sql`update collection_case set hold_until = '2099-01-31' where id = ${made.caseId}`.execute(
      floor.database.kysely,
    )
    expect(
      await asha.refused(callBorrower, {
        caseId: made.caseId,
        contactId: made.customerId,
        way: 'phone',
      }),
    ).toMatchObject({ problem: { id: 'C-STOP', params: { date: '2099-01-31' } } })
    const free = await held()
    await makeHoliday(floor, istDay(Date.now()), 'Diwali')
    expect(
      await asha.refused(callBorrower, {
        caseId: free.caseId,
        contactId: free.customerId,
        way: 'phone',
      }),
    ).toMatchObject({ problem: { id: 'C-HOL', params: { name: 'Diwali' } } })
    await dropHolidays(floor)
  })

  test("respects the borrower's do-not-contact times, and names the next possible time", async () => {
    const made = await held()
    await sql`
      update customer
        set no_contact = ${JSON.stringify([{ days: [1, 2, 3, 4, 5, 6, 7], from: '10:30', to: '15:00' }])}::jsonb
        where id = ${made.customerId}`.execute(floor.database.kysely)
    const call = { caseId: made.caseId, contactId: made.customerId, way: 'phone' as const }
    await floor.clock.to('11:00')
    expect(await asha.refused(callBorrower, call)).toMatchObject({
      problem: { id: 'C-ASKED', params: { from: '10:30', to: '15:00' } },
      data: { openTime: expect.stringContaining('T09:30:') as string },
    })
    expect(await idOf(asha.refused(followCase, visit(made)))).toBe('C-ASKED')
    const { gate, gateFacts } = await asha.call(caseDetail, { caseId: made.caseId })
    expect(gate?.id).toBe('C-ASKED')
    expect(gateFacts.noContact).toEqual([
      { days: [1, 2, 3, 4, 5, 6, 7], from: '10:30', to: '15:00' },
    ])
    await floor.clock.to('15:00')
    await asha.call(callBorrower, call)
  })

  test('of a microfinance loan keeps the tighter hours', async () => {
    const made = await held({ product: { id: 'PRM', periods: 1 } })
    await sql`update product set microfinance = true where id = 'PRM'`.execute(
      floor.database.kysely,
    )
    await floor.clock.to('18:30')
    expect(
      await asha.refused(callBorrower, {
        caseId: made.caseId,
        contactId: made.customerId,
        way: 'phone',
      }),
    ).toMatchObject({ problem: { id: 'C-WIN', params: { from: '09:00', to: '18:00' } } })
  })

  test('by WhatsApp returns the number once to in-house staff only, logged and not stored', async () => {
    const made = await held()
    const { link } = await asha.call(
      callBorrower,
      { caseId: made.caseId, contactId: made.customerId, way: 'whatsapp' },
      { 'idempotency-key': 'whatsapp-link-1' },
    )
    expect(link).toBe(`https://wa.me/91${made.phone}`)
    const { rows } = await sql<{
      n: number
    }>`select count(*)::int as n from idempotency_key k where k.response like ${`%${made.phone}%`}`.execute(
      floor.database.kysely,
    )
    expect(rows[0]?.n).toBe(0)
    const { rows: logged } = await sql<{
      action: string
    }>`
      select l.action
      from operate_log l
      where l.target_id in (${made.customerId}, ${made.caseId})
      order by l.id`.execute(floor.database.kysely)
    expect(logged.map(({ action }) => action)).toEqual(['call', 'reveal'])
    const theirs = await makeCase(floor, { collectorId: agent.userId, overdueDays: 12 })
    expect(
      (
        await agent.refused(callBorrower, {
          caseId: theirs.caseId,
          contactId: theirs.customerId,
          way: 'whatsapp',
        })
      ).code,
    ).toBe(403)
    const whatsappOf = async (who: Person, { caseId }: MadeCase) => [
      (await who.call(caseDetail, { caseId })).whatsapp,
      (await who.call(deskFigures, {})).whatsapp,
    ]
    expect([await whatsappOf(asha, made), await whatsappOf(agent, theirs)]).toEqual([
      ['link', 'link'],
      ['none', 'none'],
    ])
  })

  test("by WhatsApp uses the caller's business line, and no number leaves the console", async () => {
    const { userId, account } = await makeCollector(floor, outside)
    await sql`
      insert into phone_line (number, kind, vendor_code, seat_number, bound_user_id, concurrency, daily_cap,
        status) values ('+911400000077', 'whatsapp', 'wa1', 'W-77', ${userId}, 1, 200, 'enabled')`.execute(
      floor.database.kysely,
    )
    const writer = await floor.signIn(account)
    const theirs = await makeCase(floor, { collectorId: userId, overdueDays: 12, intimated: true })
    expect((await writer.call(caseDetail, { caseId: theirs.caseId })).whatsapp).toBe('line')
    expect(
      await writer.call(callBorrower, {
        caseId: theirs.caseId,
        contactId: theirs.customerId,
        way: 'whatsapp',
      }),
    ).toMatchObject({ link: null, seatNumber: 'W-77' })
    const { rows: logged } = await sql<{
      action: string
    }>`
      select l.action
      from operate_log l
      where l.target_id in (${theirs.customerId}, ${theirs.caseId})
      order by l.id`.execute(floor.database.kysely)
    expect(logged.map(({ action }) => action)).toEqual(['call'])
  })
})

test('a remark with threats or abuse is stored only as what was said to the collector', async () => {
  const made = await held()
  const harsh = visit(made, { remark: 'He said he would THREATEN us' })
  expect((await asha.refused(followCase, harsh)).data).toEqual({
    fields: { remark: 'collection:desk.fault.harsh' },
  })
  expect((await asha.call(caseDetail, { caseId: made.caseId })).harshWords).toEqual(
    expect.arrayContaining(['threaten', '威胁']),
  )
  expect((await asha.call(followCase, { ...harsh, asSaid: true })).follow.remark).toBe(
    'He said he would THREATEN us',
  )
  const { rows } = await sql<{
    said: boolean | null
  }>`
    select (l.after ->> 'asSaid')::boolean as said
    from operate_log l
    where l.target_id = ${made.caseId} and l.action = 'follow'`.execute(floor.database.kysely)
  expect(rows).toEqual([{ said: true }])
})

describe('the first contact of a new holder', () => {
  test.each([
    // 23 November 2026 is a Monday; 8 to 19
    [
      'inside the hours it is due after the hours of the stage',
      '2026-11-23T11:00',
      2,
      '2026-11-23T13:00',
    ],
    [
      'a due time in the night moves to the next morning',
      '2026-11-23T18:30',
      2,
      '2026-11-24T09:30',
    ],
    [
      'a case given before the hours counts from their beginning',
      '2026-11-23T05:00',
      2,
      '2026-11-23T10:00',
    ],
    [
      'a case given after the hours counts from the next morning',
      '2026-11-23T22:00',
      2,
      '2026-11-24T10:00',
    ],
    [
      'a full day ends at the same time of the next day',
      '2026-11-23T18:30',
      24,
      '2026-11-24T18:30',
    ],
  ])('%s', async (_title, since, hours, due) => {
    const { rows } = await sql<{
      due: string
    }>`
      select to_char(
        first_contact_due(
          ${`${since}:00+05:30`}::timestamptz, ${hours}::int, '08:00', '19:00'
        ) at time zone 'Asia/Kolkata',
          'YYYY-MM-DD"T"HH24:MI'
      ) as due`.execute(floor.database.kysely)
    expect(rows[0]?.due).toBe(due)
  })

  test('is due by the stage of the case, until it is recorded', async () => {
    const made = await held()
    const row = async () => (await asha.call(caseDetail, { caseId: made.caseId })).case
    const { allocationTime, firstDueTime } = await row()
    expect(Date.parse(firstDueTime ?? '') - Date.parse(allocationTime ?? '')).toBe(24 * 3_600_000)
    await asha.call(followCase, visit(made))
    expect((await row()).firstDueTime).toBeNull()
    const waiting = await makeCase(floor, { overdueDays: 12 })
    expect(
      (await manager.call(caseDetail, { caseId: waiting.caseId })).case.firstDueTime,
    ).toBeNull()
  })
})

describe('declared contacts', () => {
  test('are shown with address-book visibility, and dialled only when the owner allows it', async () => {
    const made = await held()
    const theirs = await held({ collectorId: ravi.userId })
    for (const { customerId } of [made, theirs]) {
      await sql`
        insert into customer_contact (id, customer_id, seq, relation, name, phone_enc, phone_last4)
        values (
          ${`K-${customerId}`}, ${customerId}, 1, 'sibling', 'Meena',
            ${floor.context.secrets.seal('customer_contact.phone_enc', `K-${customerId}`, '9876500001')}, '0001'
        )`.execute(floor.database.kysely)
    }
    const self = {
      contactId: made.customerId,
      relation: 'self',
      name: made.name,
      phone: `XXXXXX${made.phone.slice(-4)}`,
      callable: true,
    }
    expect(await asha.call(caseContacts, { caseId: made.caseId })).toEqual([self])
    await sql`update stage set address_book_visible = true where stage_id = 'M1'`.execute(
      floor.database.kysely,
    )
    expect(await asha.call(caseContacts, { caseId: made.caseId })).toEqual([
      self,
      {
        contactId: `K-${made.customerId}`,
        relation: 'sibling',
        name: 'Meena',
        phone: 'XXXXXX0001',
        callable: false,
      },
    ])
    expect(await ravi.call(caseContacts, { caseId: theirs.caseId })).toHaveLength(1)
    expect(
      await idOf(
        asha.refused(callBorrower, {
          caseId: made.caseId,
          contactId: `K-${made.customerId}`,
          way: 'phone',
        }),
      ),
    ).toBe('C-REF')
    expect(
      await idOf(asha.refused(followCase, visit(made, { contactId: `K-${made.customerId}` }))),
    ).toBe('C-REF')
    await sql`update sys_config set value = 'true' where code = 'contact.references'`.execute(
      floor.database.kysely,
    )
    expect((await asha.call(caseContacts, { caseId: made.caseId }))[1]?.callable).toBe(true)
    await asha.call(callBorrower, {
      caseId: made.caseId,
      contactId: `K-${made.customerId}`,
      way: 'phone',
    })
    await sql`update sys_config set value = 'false' where code = 'contact.references'`.execute(
      floor.database.kysely,
    )
  })
})

describe('a case ended by hand', () => {
  test('leaves the work lists, loses its promise and is listed as ended', async () => {
    const made = await held({ state: 'promised' })
    const inHand = async () =>
      (
        await sql<{
          n: number
        }>`select k.open_cases as n from collector k where k.user_id = ${asha.userId}`.execute(
          floor.database.kysely,
        )
      ).rows[0]?.n
    const count = (await inHand()) ?? 0
    const before = (await floor.events()).at(-1)?.seq ?? 0
    const row = await supervisor.call(endCase, {
      caseId: made.caseId,
      version: 1,
      endReason: 'deceased',
      remark: 'Death certificate seen',
    })
    expect(row).toMatchObject({
      state: 'held',
      endReason: 'deceased',
      ptpState: 'cancelled',
      collectorId: asha.userId,
      version: 2,
    })
    expect(
      (await floor.events(before))
        .map(({ type }) => type)
        .filter((type) => type.startsWith('case.')),
    ).toEqual(['case.ptp.changed', 'case.ended'])
    expect(
      (
        await asha.call(listCases, {
          tab: 'toFollow',
          caseId: made.caseId,
          state: 'allocated,promised,held',
        })
      ).rows,
    ).toEqual([])
    expect((await asha.call(listCases, { tab: 'ended', caseId: made.caseId })).rows).toHaveLength(1)
    expect((await supervisor.call(caseDetail, { caseId: made.caseId })).allowed).toEqual([])
    expect(
      await idOf(
        supervisor.refused(endCase, {
          caseId: made.caseId,
          version: 2,
          endReason: 'duplicate',
          remark: 'Once more',
        }),
      ),
    ).toBe('C-STATE')
    expect(
      (
        await asha.refused(endCase, {
          caseId: made.caseId,
          version: 2,
          endReason: 'duplicate',
          remark: 'Once more',
        })
      ).code,
    ).toBe(403)
    expect(await inHand()).toBe(count - 1)
  })
})

test('a supervisor dials through the extension of their assigned line', async () => {
  const made = await held()
  const call = { caseId: made.caseId, contactId: made.customerId, way: 'phone' as const }
  expect((await supervisor.call(callBorrower, call)).seatNumber).toBeNull()
  await sql`
    insert into phone_line (number, kind, vendor_code, seat_number, concurrency, daily_cap, status,
      bound_user_id) values ('+911600000077', 'service', 'voice1', '2077', 1, 200, 'enabled',
      ${supervisor.userId})`.execute(floor.database.kysely)
  // a repeated click within a minute is the same call
  expect((await supervisor.call(callBorrower, call)).seatNumber).toBe('2077')
})

test('a call occupies the line until its result is recorded, or for its longest time', async () => {
  const { userId, account } = await makeCollector(floor, home)
  await sql`
    insert into phone_line (number, kind, vendor_code, seat_number, concurrency, daily_cap, status,
      bound_user_id) values ('+911600000078', 'service', 'voice1', '2078', 1, 200, 'enabled',
      ${userId})`.execute(floor.database.kysely)
  const caller = await floor.signIn(account)
  const [first, second, third] = await Promise.all(
    [1, 2, 3].map(() => held({ collectorId: userId })),
  )
  const callOf = ({ caseId, customerId }: MadeCase) => ({
    caseId,
    contactId: customerId,
    way: 'phone' as const,
  })
  const busyLine = async ({ caseId }: MadeCase) =>
    (await caller.call(caseDetail, { caseId })).busyLine
  const { callId } = await caller.call(callBorrower, callOf(first as MadeCase))
  expect((await caller.refused(callBorrower, callOf(second as MadeCase))).problem).toMatchObject({
    id: 'C-LINEB',
    params: { number: '+911600000078', n: 1, time: '11:10' },
  })
  expect(await busyLine(second as MadeCase)).toMatchObject({ number: '+911600000078', n: 1 })
  // the borrower of the call itself is not told to wait for it
  expect(await busyLine(first as MadeCase)).toBeNull()
  await caller.call(followCase, visit(first as MadeCase, { contactWay: 'phone', callId }))
  expect(await busyLine(second as MadeCase)).toBeNull()
  await caller.call(callBorrower, callOf(second as MadeCase))
  expect(await idOf(caller.refused(callBorrower, callOf(third as MadeCase)))).toBe('C-LINEB')
  await floor.clock.to('11:11')
  await caller.call(callBorrower, callOf(third as MadeCase))
})

test('an in-house supervisor can reveal the number for a minute, one of an outside agency cannot', async () => {
  const made = await held()
  expect(
    await supervisor.call(revealPhone, { caseId: made.caseId, reason: 'Complaint call back' }),
  ).toEqual({ value: made.phone, seconds: 60 })
  expect(
    await manager.call(revealPhone, { caseId: made.caseId, reason: 'Complaint call back' }),
  ).toEqual({ value: made.phone, seconds: 60 })
  const external = await floor.signIn(
    (await makeLeader(floor, outside, 'internal_supervisor')).account,
  )
  const theirs = await makeCase(floor, { collectorId: agent.userId })
  expect(
    (await external.refused(revealPhone, { caseId: theirs.caseId, reason: 'Complaint call back' }))
      .code,
  ).toBe(403)
})

test('staff of an outside agency see only what they need for recovery', async () => {
  const made = await makeCase(floor, { collectorId: agent.userId, overdueDays: 12 })
  await sql`
    update customer set company_name = 'Tata Motors', pan_masked = 'AB******4F', aadhaar_last4 = '1234'
      where id = ${made.customerId}`.execute(floor.database.kysely)
  const detail = await agent.call(caseDetail, { caseId: made.caseId })
  expect(detail.customer.company).toBeNull()
  expect(JSON.stringify(detail)).not.toMatch(/Tata|AB\*|1234/)
  expect((await manager.call(caseDetail, { caseId: made.caseId })).customer.company).toBe(
    'Tata Motors',
  )
  expect(detail.allowed.toSorted()).toEqual(['FOLLOW_UP', 'HOLD', 'PROMISE'])
})

describe('a call without a result', () => {
  const open = async (person: Person, caseId: string) =>
    (await person.call(caseDetail, { caseId })).openCall

  test('stays open on the case for its caller until it is recorded', async () => {
    const made = await held()
    expect(await open(asha, made.caseId)).toBeNull()
    const { callId } = await asha.call(callBorrower, {
      caseId: made.caseId,
      contactId: made.customerId,
      way: 'phone',
    })
    expect(await open(asha, made.caseId)).toMatchObject({
      callId,
      way: 'phone',
      contactId: made.customerId,
    })
    expect(await open(supervisor, made.caseId)).toBeNull()
    await floor.clock.to('21:00')
    await asha.call(followCase, visit(made, { contactWay: 'phone', callId }))
    expect(await open(asha, made.caseId)).toBeNull()
  })
})

describe('a contact the borrower began', () => {
  const incoming = (made: MadeCase, given: Partial<InputOf<typeof followCase>> = {}) =>
    visit(made, { direction: 'in', contactWay: 'phone', ...given })

  test('is recorded outside calling hours, without a call of ours, and counts for no limit', async () => {
    const made = await held()
    await floor.clock.to('21:00')
    expect(await idOf(asha.refused(followCase, visit(made)))).toBe('C-WIN')
    const { follow, case: row } = await asha.call(followCase, incoming(made))
    expect(follow).toMatchObject({ direction: 'in', contactResult: 1 })
    expect(row).toMatchObject({ followCount: 1, attemptsToday: 0, attemptsWeek: 0 })
  })

  test('has reached someone, and names no call of ours', async () => {
    const made = await held()
    const { callId } = await asha.call(callBorrower, {
      caseId: made.caseId,
      contactId: made.customerId,
      way: 'phone',
    })
    for (const [given, fields] of [
      [
        { contactResult: 3 as const, willingness: null, commitmentTime: null },
        { contactResult: 'choice' },
      ],
      [{ callId }, { callId: 'unknown' }],
    ] as const)
      expect(await asha.refused(followCase, incoming(made, given))).toMatchObject({
        problem: { id: 'G-FIELD' },
        data: { fields },
      })
  })
})

describe('a note', () => {
  const note = (made: MadeCase, remark: string) => ({ caseId: made.caseId, token: 1, remark })

  test('is kept at any hour and leaves the case and its limits as they are', async () => {
    const made = await held()
    await floor.clock.to('22:30')
    const { noteId } = await asha.call(noteCase, note(made, 'Office moved to Pune'))
    const { case: row, notes } = await asha.call(caseDetail, { caseId: made.caseId })
    expect(notes).toMatchObject([
      { noteId, remark: 'Office moved to Pune', operatorId: asha.userId },
    ])
    expect(row).toMatchObject({
      followCount: 0,
      attemptsToday: 0,
      version: 1,
      lastFollowTime: null,
    })
  })

  test('of a person who does not hold the case is refused', async () => {
    const made = await held()
    expect(await idOf(ravi.refused(noteCase, note(made, 'Not mine')))).toBe('G404')
  })
})
