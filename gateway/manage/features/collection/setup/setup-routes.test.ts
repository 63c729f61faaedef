/** Set-up over real calls: stages, agencies, units, people and their duty table. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readDutyFile } from '#client/features/collection/setup/duty-file.ts'
import {
  collectionRules,
  lastRulesSave,
  saveCollectionRules,
} from '#shared/collection/rules-api.ts'
import * as api from '#shared/collection/setup-api.ts'
import { collectionTree } from '#shared/collection/tree-api.ts'
import { makeCase } from '#tests/factories/cases.ts'
import { makeComplaint } from '#tests/factories/complaints.ts'
import { makeCollector, makeUnit, type Unit } from '#tests/factories/units.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { SETUP_MENU } from '#shared/collection/setup-menu.ts'
import { setupRoutes } from './setup-routes.ts'

let floor: Floor
let manager: Person
let supervisor: Person
let mine: Unit
let other: Unit
const MONDAY = '2026-11-16'

beforeAll(async () => {
  floor = await testManage({ parts: () => ({ menus: SETUP_MENU, routes: setupRoutes }) })
  mine = await makeUnit(floor, { name: 'Inner house', weight: 60 })
  other = await makeUnit(floor, { name: 'Outer agency', weight: 40, inHouse: false })
  await sql`
    update sys_user set agency_id = ${mine.agencyId}, department_id = ${mine.departmentId}
      where account = 'internal_supervisor'`.execute(floor.database.kysely)
  await sql`update sys_user set agency_id = ${other.agencyId} where account = 'external_supervisor'`.execute(
    floor.database.kysely,
  )
  ;[manager, supervisor] = await Promise.all([
    floor.signIn('manager'),
    floor.signIn('internal_supervisor'),
  ])
})
afterAll(() => floor.close())

/** Initial password. */
const FIRST = 'Teal#Otter91'
const person = (account: string, unit: Unit, more: Record<string, unknown> = {}) => ({
  account,
  password: FIRST,
  name: 'Asha Rao',
  roleMark: 'collector' as const,
  ...unit,
  stageIds: ['S1', 'S2'],
  allocationFlag: true,
  addressBookVisible: false,
  weight: 10,
  certNo: 'DRA-77',
  certExpiry: '2099-01-31',
  capacity: 150,
  ...more,
})

describe('stages', () => {
  test('cover every overdue day; an edit that leaves a gap reports both neighbours and changes nothing', async () => {
    const { rows } = await manager.call(api.listStages, {})
    expect(rows.map((row) => row.stageId)).toEqual(['T0', 'T1', 'T2', 'S1', 'S2', 'M1', 'M2', 'M3'])
    const s1 = rows.find((row) => row.stageId === 'S1') as (typeof rows)[number]
    const { stageId, name, minOverdueDays, addressBookVisible, mode, capacity, status, version } =
      s1
    const refused = await manager.refused(api.editStage, {
      stageId,
      version,
      name,
      minOverdueDays,
      maxOverdueDays: 6,
      addressBookVisible,
      mode,
      capacity,
      status,
    })
    expect(refused).toMatchObject({
      code: 400,
      problem: { id: 'A-BND' },
      data: { stages: ['S1', 'S2'] },
    })
    const saved = await manager.call(api.editStage, {
      stageId,
      version,
      name,
      minOverdueDays,
      maxOverdueDays: 7,
      addressBookVisible: true,
      mode: 'amount',
      capacity,
      status,
    })
    expect(saved).toMatchObject({ mode: 'amount', addressBookVisible: true, version: version + 1 })
    expect(
      await manager.refused(api.editStage, {
        stageId,
        version,
        name,
        minOverdueDays,
        maxOverdueDays: 7,
        addressBookVisible,
        mode,
        capacity,
        status,
      }),
    ).toMatchObject({ code: 409, problem: { id: 'G409', params: { userName: 'Manager 1' } } })
  })

  test('have a unique name and id', async () => {
    const fields = {
      minOverdueDays: 0,
      maxOverdueDays: 0,
      addressBookVisible: false,
      mode: 'average' as const,
      capacity: 10,
      status: 'disabled' as const,
    }
    expect(
      await manager.refused(api.addStage, { stageId: 'T0', name: 'new', ...fields }),
    ).toMatchObject({ problem: { id: 'K-DUP' } })
    expect(
      await manager.refused(api.addStage, { stageId: 'X1', name: 'M3', ...fields }),
    ).toMatchObject({ problem: { id: 'K-DUP' } })
    expect(
      await manager.call(api.addStage, { stageId: 'X1', name: 'Later', ...fields }),
    ).toMatchObject({ stageId: 'X1', status: 'disabled' })
  })
})

describe('agencies', () => {
  test('have weights that total 100 over the enabled ones, saved together', async () => {
    const { rows } = await manager.call(api.listAgencies, {})
    const weights = rows.map(({ agencyId, version, status }) => ({
      agencyId,
      version,
      status,
      weight: 45,
    }))
    const key = { 'idempotency-key': crypto.randomUUID() }
    expect(await manager.refused(api.weighAgencies, { weights }, key)).toMatchObject({
      code: 400,
      problem: { id: 'A-100' },
      data: { total: 90 },
    })
    const saved = await manager.call(
      api.weighAgencies,
      { weights: weights.map((one, at) => ({ ...one, weight: at === 0 ? 70 : 30 })) },
      { 'idempotency-key': crypto.randomUUID() },
    )
    expect(saved.rows.map((row) => row.weight)).toEqual([70, 30])
    // one is locked: the other must have the full weight
    const locked = saved.rows.map(({ agencyId, version }, at) => ({
      agencyId,
      version,
      status: at === 0 ? ('enabled' as const) : ('locked' as const),
      weight: at === 0 ? 100 : 30,
    }))
    expect(
      (
        await manager.call(
          api.weighAgencies,
          { weights: locked },
          { 'idempotency-key': crypto.randomUUID() },
        )
      ).rows.map((row) => row.status),
    ).toEqual(['enabled', 'locked'])
    expect(
      await manager.refused(
        api.weighAgencies,
        { weights: locked },
        { 'idempotency-key': crypto.randomUUID() },
      ),
    ).toMatchObject({ code: 409, problem: { id: 'G409' } })
  })

  test('start locked and without weight; the officer must be a leader, and the phone is masked', async () => {
    const officers = await manager.call(api.officerOptions, {})
    const officerId = officers.find((one) => one.roleMark === 'external_supervisor')
      ?.userId as string
    const made = await manager.call(api.addAgency, {
      name: 'Third agency',
      officerId,
      officerPhone: '9876543210',
      inHouse: false,
    })
    expect(made).toMatchObject({
      weight: 0,
      status: 'locked',
      officerPhone: 'XXXXXX3210',
      inHouse: false,
      termEnd: null,
    })
    const { agencyId, version } = made
    const ended = await manager.call(api.editAgency, {
      agencyId,
      version,
      name: 'Third agency',
      officerId,
      inHouse: false,
      termEnd: '2027-03-31',
    })
    expect(ended.termEnd).toBe('2027-03-31')
    expect(
      (
        await manager.refused(api.editAgency, {
          agencyId,
          version: ended.version,
          name: 'Third agency',
          officerId,
          inHouse: false,
          termEnd: '2027-02-30',
        })
      ).code,
    ).toBe(400)
    expect(
      await manager.refused(api.addAgency, { name: 'third AGENCY', officerId, inHouse: false }),
    ).toMatchObject({ problem: { id: 'K-DUP' } })
    expect(
      await manager.refused(api.addAgency, {
        name: 'Fourth agency',
        officerId: 'U1',
        inHouse: false,
      }),
    ).toMatchObject({ code: 400, data: { fields: { officerId: 'unknown' } } })
    const department = await manager.call(api.addDepartment, {
      name: 'North',
      officerId,
      agencyId: made.agencyId,
    })
    const group = await manager.call(api.addGroup, {
      name: 'North 1',
      officerId,
      departmentId: department.id,
    })
    expect(group).toMatchObject({ agencyId: made.agencyId, departmentName: 'North' })
    expect(
      await manager.call(api.editGroup, {
        id: group.id,
        version: group.version,
        name: 'North A',
        officerId,
      }),
    ).toMatchObject({ name: 'North A', version: 2 })
    // filtered by officer
    const { userName = '' } = officers.find((one) => one.userId === officerId) ?? {}
    expect(
      (await manager.call(api.listGroups, { officer: userName.toUpperCase() })).rows.map(
        (row) => row.name,
      ),
    ).toEqual(['North A'])
    expect((await manager.call(api.listDepartments, { officer: 'nobody' })).rows).toEqual([])
  })
})

describe('collectors', () => {
  test('are added with an account, inside the unit of the user who adds them', async () => {
    const made = await supervisor.call(api.addPerson, person('asha_rao', mine), {
      'idempotency-key': crypto.randomUUID(),
    })
    expect(made).toMatchObject({
      account: 'asha_rao',
      status: 'normal',
      certValid: true,
      onDuty: false,
      openCases: 0,
    })
    expect((await floor.signIn('asha_rao', FIRST)).userId).toBe(made.userId)
    expect(
      await supervisor.refused(api.addPerson, person('ASHA_RAO', mine), {
        'idempotency-key': crypto.randomUUID(),
      }),
    ).toMatchObject({ problem: { id: 'K-DUP' }, data: { fields: { account: 'taken' } } })
    expect(
      await supervisor.refused(api.addPerson, person('elsewhere', other), {
        'idempotency-key': crypto.randomUUID(),
      }),
    ).toMatchObject({ code: 400, data: { fields: { groupId: 'unknown' } } })
    expect(
      await supervisor.refused(api.addPerson, person('weak_one', mine, { password: 'short' }), {
        'idempotency-key': crypto.randomUUID(),
      }),
    ).toMatchObject({ problem: { id: 'P-FMT' } })
    expect(
      await supervisor.refused(
        api.addPerson,
        person('guessed', mine, { password: 'Welcome@123' }),
        { 'idempotency-key': crypto.randomUUID() },
      ),
    ).toMatchObject({ problem: { id: 'P-WEAK' } })
    expect(
      await supervisor.refused(api.addPerson, person('no_stage', mine, { stageIds: ['Z9'] }), {
        'idempotency-key': crypto.randomUUID(),
      }),
    ).toMatchObject({ code: 400, data: { fields: { stageIds: 'unknown' } } })
  })

  test('of another unit are answered like missing ones for a supervisor', async () => {
    const outside = await makeCollector(floor, other)
    expect(
      (await supervisor.call(api.listPersons, { pageSize: 200 })).rows.map((row) => row.userId),
    ).not.toContain(outside.userId)
    for (const certValid of [true, false])
      expect(
        (await supervisor.call(api.listPersons, { pageSize: 200, certValid })).rows.every(
          (row) => row.certValid === certValid,
        ),
      ).toBe(true)
    const result = await supervisor.call(api.openAllocation, {
      userIds: [outside.userId],
      open: false,
    })
    expect(result).toMatchObject({ ok: [], failed: [{ id: outside.userId, problem: 'G404' }] })
    const missing = await supervisor.call(api.openAllocation, { userIds: ['U999999'], open: false })
    expect({ ...missing.failed[0], id: '' }).toEqual({ ...result.failed[0], id: '' })
    expect((await supervisor.call(collectionTree, {})).agencies.map((agency) => agency.id)).toEqual(
      [mine.agencyId],
    )
  })

  test('lose their sessions at once when switched off', async () => {
    const { userId, account } = await makeCollector(floor, mine)
    const himself = await floor.signIn(account)
    const result = await supervisor.call(
      api.setPersonStatus,
      { userIds: [userId], status: 'frozen' },
      { 'idempotency-key': crypto.randomUUID() },
    )
    expect(result.ok).toEqual([userId])
    expect(await himself.refused(api.listSchedule, { weekStart: MONDAY })).toMatchObject({
      code: 401,
    })
    const row = (await supervisor.call(api.listPersons, { account })).rows[0]
    expect(row).toMatchObject({ status: 'frozen' })
  })

  test('switched off pass their cases to the named colleague, except those barred by an upheld complaint', async () => {
    const [leaving, colleague] = [
      await makeCollector(floor, mine),
      await makeCollector(floor, mine),
    ]
    const [complained, other] = [
      await makeCase(floor, { collectorId: leaving.userId, tags: ['reLoan'] }),
      await makeCase(floor, { collectorId: leaving.userId, tags: ['reLoan'] }),
    ]
    await makeComplaint(floor, { caseId: complained.caseId, aboutId: colleague.userId })
    await supervisor.call(
      api.setPersonStatus,
      { userIds: [leaving.userId], status: 'frozen', moveCasesTo: colleague.userId },
      { 'idempotency-key': crypto.randomUUID() },
    )
    const { rows } = await sql<{
      id: string
      state: string
      collector_id: string | null
    }>`
      select c.id, c.state, c.collector_id
      from collection_case c
      where c.id in (${complained.caseId}, ${other.caseId})
      order by c.id`.execute(floor.database.kysely)
    expect(rows).toEqual([
      { id: complained.caseId, state: 'unallocated', collector_id: null },
      { id: other.caseId, state: 'allocated', collector_id: colleague.userId },
    ])
  })
})

describe('the duty table', () => {
  test('is saved per person with a version, and a week begins on Monday', async () => {
    const { userId } = await makeCollector(floor, mine, { onDuty: false })
    const week = ['day', 'day', 'morning', 'evening', 'day', 'off', 'leave'] as const
    const saved = await supervisor.call(
      api.saveSchedule,
      { weekStart: MONDAY, rows: [{ userId, days: [...week], version: 0 }] },
      { 'idempotency-key': crypto.randomUUID() },
    )
    expect(saved.rows).toMatchObject([{ userId, days: week, version: 1 }])
    expect(
      await supervisor.refused(
        api.saveSchedule,
        { weekStart: MONDAY, rows: [{ userId, days: [...week], version: 0 }] },
        { 'idempotency-key': crypto.randomUUID() },
      ),
    ).toMatchObject({ code: 409, problem: { id: 'G409' } })
    expect(await supervisor.refused(api.listSchedule, { weekStart: '2026-11-17' })).toMatchObject({
      code: 400,
      data: { fields: { weekStart: 'monday' } },
    })
    expect(
      await supervisor.call(
        api.copySchedule,
        { fromWeek: MONDAY, toWeek: '2026-11-23' },
        { 'idempotency-key': crypto.randomUUID() },
      ),
    ).toMatchObject({ count: expect.any(Number) as number })
    expect(
      (await supervisor.call(api.listSchedule, { weekStart: '2026-11-23' })).rows.find(
        (row) => row.userId === userId,
      )?.days,
    ).toEqual(week)
  })

  test('imports the valid rows of a file and reports the faulty ones', async () => {
    const { account } = await makeCollector(floor, mine, { onDuty: false })
    const days = ['day', 'day', 'day', 'day', 'day', 'off', 'off']
    const result = await supervisor.call(
      api.importSchedule,
      {
        weekStart: MONDAY,
        rows: [
          { account, days },
          { account: 'nobody', days },
          { account, days },
          { account: 'asha_rao', days: ['night', ...days.slice(1)] },
        ],
      },
      { 'idempotency-key': crypto.randomUUID() },
    )
    expect(result).toEqual({
      ok: 1,
      failed: [
        { row: 3, column: 'account', messageKey: 'unknown' },
        { row: 4, column: 'account', messageKey: 'twice' },
        { row: 5, column: '1', messageKey: 'shift' },
      ],
    })
  })

  test('exported and imported unchanged changes nothing; one edited line changes one person', async () => {
    const [{ userId, account }] = await Promise.all([
      makeCollector(floor, mine, { onDuty: false }),
      makeCollector(floor, other, { onDuty: false }),
    ])
    await supervisor.call(
      api.saveSchedule,
      {
        weekStart: MONDAY,
        rows: [
          { userId, days: ['day', 'morning', 'evening', 'leave', 'off', 'off', 'off'], version: 0 },
        ],
      },
      { 'idempotency-key': crypto.randomUUID() },
    )
    const before = await supervisor.call(api.listSchedule, { weekStart: MONDAY })
    const given = readDutyFile(
      (await supervisor.send(api.scheduleTemplate, { weekStart: MONDAY })).body,
    )
    expect(given).toMatchObject({ faults: [], rows: { length: before.rows.length } })
    expect(given.rows.find((row) => row.account === account)?.days).toEqual([
      'day',
      'morning',
      'evening',
      'leave',
      'off',
      'off',
      'off',
    ])
    const seq = (await floor.events()).at(-1)?.seq ?? 0
    const send = (rows: typeof given.rows) =>
      supervisor.call(
        api.importSchedule,
        { weekStart: MONDAY, rows },
        { 'idempotency-key': crypto.randomUUID() },
      )
    expect(await send(given.rows)).toEqual({ ok: given.rows.length, failed: [] })
    expect((await supervisor.call(api.listSchedule, { weekStart: MONDAY })).rows).toEqual(
      before.rows,
    )
    expect(await floor.events(seq)).toEqual([])
    await send(
      given.rows.map((row) =>
        row.account === account ? { ...row, days: ['leave', ...row.days.slice(1)] } : row,
      ),
    )
    const after = (await supervisor.call(api.listSchedule, { weekStart: MONDAY })).rows
    expect(after.filter((row, at) => row.version !== before.rows[at]?.version)).toMatchObject([
      { userId, days: ['leave', 'morning', 'evening', 'leave', 'off', 'off', 'off'] },
    ])
    expect(readDutyFile((await supervisor.send(api.scheduleTemplate, {})).body)).toEqual({
      rows: [],
      faults: [],
    })
    const { rows: logged } = await sql<{
      target: string
      rows: number
    }>`
      select l.target_id as target, (l.after->>'rows')::int as rows
      from operate_log l
      where l.action = 'export'
      order by l.id`.execute(floor.database.kysely)
    expect(logged).toEqual([
      { target: MONDAY, rows: given.rows.length },
      { target: 'template', rows: 0 },
    ])
  })

  test('without a row means off duty, and a change of today is emitted to the screens', async () => {
    const { userId } = await makeCollector(floor, mine, { onDuty: false })
    const { today } = await supervisor.call(api.listSchedule, { weekStart: MONDAY })
    const weekStart = new Date(
      Date.parse(`${today}T00:00:00Z`) -
        ((new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7) * 86_400_000,
    )
      .toISOString()
      .slice(0, 10)
    const before = (await floor.events()).at(-1)?.seq ?? 0
    await supervisor.call(
      api.saveSchedule,
      {
        weekStart,
        rows: [{ userId, days: Array.from({ length: 7 }, () => 'day' as const), version: 0 }],
      },
      { 'idempotency-key': crypto.randomUUID() },
    )
    const emitted = (await floor.events(before)).filter(
      (event) => event.type === 'collector.changed',
    )
    expect(emitted).toMatchObject([{ subject: `collector:${userId}`, data: { onDuty: true } }])
    expect(emitted[0]?.rooms).toContain(`scope:dept:${mine.departmentId}`)
  })
})

describe('rules', () => {
  test('are saved, emitted to everyone and for each stage concerned, and logged with the values before', async () => {
    const rules = await manager.call(collectionRules, {})
    const after = (await floor.events()).at(-1)?.seq ?? 0
    const perStage = rules.perStage.map((stage) =>
      stage.stageId === 'M1' ? { ...stage, capacity: 120, dailyTarget: 2_500_000 } : stage,
    )
    const caps = rules.caps.map((cap) =>
      cap.role === 'collection_specialist' ? { ...cap, percent: 25 } : cap,
    )
    const saved = await manager.call(saveCollectionRules, {
      ...rules,
      callFrom: '09:00',
      allocationTimes: ['13:00', '07:30'],
      perStage,
      caps,
    })
    expect(saved).toEqual({
      ...rules,
      callFrom: '09:00',
      allocationTimes: ['07:30', '13:00'],
      perStage,
      caps,
      version: rules.version + 4,
    })
    const { rows } = await sql<{
      code: string
      value: string
    }>`
      select c.code, c.value
      from sys_config c
      where c.code in ('collection.callFrom', 'collection.allocationTimes', 'reduce.cap.specialist')
      order by c.code`.execute(floor.database.kysely)
    expect(rows.map((row) => row.value)).toEqual(['07:30,13:00', '09:00', '25'])
    expect((await floor.events(after)).map((event) => [event.type, event.subject])).toEqual([
      ['stage.changed', 'stage:M1'],
      ['config.refreshed', 'config:collection'],
    ])
    expect(await manager.call(lastRulesSave, {})).toMatchObject({ by: 'Manager 1' })
    const { rows: logged } = await sql<{
      before: unknown
    }>`
      select l.before->>'callFrom' as before
      from operate_log l
      where l.target_kind = 'config' and l.target_id = 'collection'`.execute(floor.database.kysely)
    expect(logged).toEqual([{ before: '08:00' }])
  })

  test('saved twice from the same page conflict, as with a stage edited on its own screen', async () => {
    const rules = await manager.call(collectionRules, {})
    const once = await manager.call(saveCollectionRules, { ...rules, ptpMaxBroken: 3 })
    expect(await manager.refused(saveCollectionRules, { ...rules, ptpMaxBroken: 4 })).toMatchObject(
      {
        code: 409,
        data: { ptpMaxBroken: 3, version: once.version },
        problem: { params: { userName: 'Manager 1' } },
      },
    )
    await sql`update stage set capacity = 199, version = version + 1 where stage_id = 'T1'`.execute(
      floor.database.kysely,
    )
    expect(await manager.refused(saveCollectionRules, once)).toMatchObject({
      code: 409,
      problem: { id: 'G409' },
    })
  })

  test('that contradict each other or omit stages or roles are refused at their fields', async () => {
    const rules = await manager.call(collectionRules, {})
    expect(
      await manager.refused(saveCollectionRules, {
        ...rules,
        callTo: '21:00',
        perStage: rules.perStage.slice(1),
        caps: rules.caps.map((cap) => ({ ...cap, role: 'manager' })),
      }),
    ).toMatchObject({
      code: 400,
      data: {
        fields: {
          callTo: 'collection:rules.fault.lawful',
          perStage: 'collection:rules.fault.eachStage',
          caps: 'collection:rules.fault.eachRole',
        },
      },
    })
    expect(await manager.call(collectionRules, {})).toEqual(rules)
  })

  test('can be read but not saved by a supervisor', async () => {
    const rules = await supervisor.call(collectionRules, {})
    expect(await supervisor.refused(saveCollectionRules, rules)).toMatchObject({ code: 403 })
  })
})
