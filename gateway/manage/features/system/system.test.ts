import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { LANGUAGES } from '#shared/kernel/languages.ts'
import { CODE_TABLE_NAMES, KEPT_TABLES } from '#shared/system/code-tables.ts'
import * as config from '#shared/system/config-api.ts'
import * as dict from '#shared/system/dict-api.ts'
import * as lines from '#shared/system/lines-api.ts'
import { SYSTEM_MENU } from '#shared/system/system-menu.ts'
import { TICKETS_MENU } from '#shared/tickets/tickets-menu.ts'
import { makeCollector, makeUnit } from '#tests/factories/units.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { parameterNames, tableNames } from './product-names.ts'
import { systemRoutes } from './system-routes.ts'

let floor: Floor
let administrator: Person
let manager: Person
beforeAll(async () => {
  floor = await testManage({
    parts: () => ({
      menus: [...TICKETS_MENU, ...SYSTEM_MENU],
      routes: (base, context) => systemRoutes(base, context),
    }),
  })
  administrator = await floor.signIn('administrator')
  manager = await floor.signIn('manager')
})
afterAll(() => floor.close())

const parameter = async (code: string) =>
  (await administrator.call(config.listConfig, { code })).rows[0] as NonNullable<
    Awaited<ReturnType<typeof administrator.call<typeof config.listConfig>>>['rows'][0]
  >
const edit = ({
  configId,
  version,
  name,
  value,
}: {
  configId: string
  version: number
  name: string
  value: string
}) => ({ configId, version, name, value })

test('a changed parameter takes effect at once, emits an event and logs its old value', async () => {
  const before = await parameter('review.maxClaimed')
  expect(
    await administrator.call(config.updateConfig, {
      ...edit(before),
      value: '5',
      remark: 'busy week',
    }),
  ).toMatchObject({
    value: '5',
    version: before.version + 1,
    updateBy: 'Administrator 1',
    remark: 'busy week',
  })
  expect(await floor.context.parameters.int('review.maxClaimed')).toBe(5)
  expect(
    (await floor.events()).filter((event) => event.type === 'config.refreshed').at(-1),
  ).toMatchObject({ rooms: ['all'], data: { area: 'parameters', ids: [before.configId] } })
  const { rows } = await sql<{
    before: object
    after: object
  }>`select l.before, l.after from operate_log l where l.target_kind = 'config' order by l.id desc limit 1`.execute(
    floor.database.kysely,
  )
  expect(rows[0]).toMatchObject({ before: { value: before.value }, after: { value: '5' } })
  expect(await administrator.refused(config.updateConfig, edit(before))).toMatchObject({
    problem: { id: 'G409' },
    data: { value: '5' },
  })
})

test('a value must match its type and bounds; built-in parameters cannot be renamed or switched off', async () => {
  const idle = await parameter('session.idleMinutes')
  for (const value of ['x', '0', ''])
    expect(
      await administrator.refused(config.updateConfig, { ...edit(idle), value }),
    ).toMatchObject({ problem: { id: 'K-VAL' }, data: { fields: { value: 'system:fault.value' } } })
  expect(
    await administrator.refused(config.updateConfig, {
      ...edit(await parameter('collection.callFrom')),
      value: '06:00',
    }),
  ).toMatchObject({ problem: { id: 'K-VAL' } })
  expect(
    await administrator.refused(config.updateConfig, { ...edit(idle), name: 'Mine' }),
  ).toMatchObject({ problem: { id: 'K-LOCK' } })
  expect(
    await administrator.refused(config.setConfigState, {
      configId: idle.configId,
      version: idle.version,
      state: 'disabled',
    }),
  ).toMatchObject({ problem: { id: 'K-LOCK' } })
})

test('custom parameters are added, switched and found, and a batch is all or none', async () => {
  const item = (n: number, code = `own.rate.${'abcdef'[n]}`): InputOf<typeof config.addConfig> => ({
    number: `C-${n}`,
    code,
    name: `Rate ${n}`,
    value: '1',
    valueType: 'int',
  })
  await administrator.call(config.addConfig, item(0))
  const added = await parameter('own.rate.a')
  expect(
    await administrator.call(config.setConfigState, {
      configId: added.configId,
      version: 1,
      state: 'disabled',
    }),
  ).toMatchObject({ state: 'disabled' })
  expect(
    await administrator.refused(config.addConfigs, { items: [item(1), item(2, 'own.rate.a')] }),
  ).toMatchObject({
    problem: { id: 'K-DUP' },
    data: { fields: { 'items.1.code': 'system:fault.taken' } },
  })
  expect((await administrator.call(config.listConfig, { code: 'own.rate' })).total).toBe(1)
  expect(await administrator.call(config.addConfigs, { items: [item(1), item(2)] })).toEqual({
    ok: 2,
    failed: 0,
  })
  const rows = (await administrator.call(config.listConfig, { code: 'own.rate' })).rows
  expect(
    await administrator.refused(config.updateConfigs, {
      items: rows.map((row) => ({ ...edit(row), value: row.code === 'own.rate.c' ? 'x' : '7' })),
    }),
  ).toMatchObject({ problem: { id: 'K-VAL' } })
  expect((await parameter('own.rate.b')).value).toBe('1')
  expect((await administrator.call(config.refreshConfig, {})).count).toBeGreaterThan(20)
})

test('every built-in parameter has a name in every language, and no other name exists', async () => {
  const { rows } = await sql<{
    code: string
  }>`select c.code from sys_config c where c.built_in order by c.code`.execute(
    floor.database.kysely,
  )
  expect(rows.length).toBeGreaterThan(70)
  for (const language of LANGUAGES)
    expect({ language, codes: Object.keys(await parameterNames(language)).toSorted() }).toEqual({
      language,
      codes: rows.map(({ code }) => code).toSorted(),
    })
})

test('a parameter is found by its translated and its stored name, and sorted by the translated one', async () => {
  const codes = async (input: InputOf<typeof config.listConfig>) =>
    (await administrator.call(config.listConfig, input)).rows.map((row) => row.code)
  expect(await codes({ name: '还款承诺', language: 'zh' })).toEqual(['collection.ptpMaxDays'])
  expect(await codes({ name: 'longest PROMISE', language: 'zh' })).toEqual([
    'collection.ptpMaxDays',
  ])
  expect(await codes({ name: '还款承诺', language: 'th' })).toEqual([])
  expect(await codes({ name: 'promise to pay' })).toEqual(['collection.ptpMaxDays'])
  const words = await parameterNames('id')
  const seen = (await codes({ sort: 'name:asc', language: 'id', name: 'keringanan:' })).map(
    (code) => words[code],
  )
  expect(seen).toHaveLength(8)
  expect(seen).toEqual([...seen].toSorted())
  await administrator.call(config.addConfig, {
    number: 'C-N',
    code: 'own.named',
    name: 'Büro 100%',
    value: '1',
    valueType: 'int',
  })
  expect(await codes({ name: 'büro 100%', language: 'zh' })).toEqual(['own.named'])
})

test("without the list's menu only public parameters are found", async () => {
  const reviewer = await floor.signIn('reviewer')
  expect(await reviewer.call(config.findConfig, { code: 'bulk.max' })).toMatchObject({
    value: '5000',
  })
  expect(await reviewer.refused(config.findConfig, { code: 'login.maxFails' })).toMatchObject({
    problem: { id: 'G403' },
  })
  expect(await reviewer.refused(config.findConfig, { code: 'no.such' })).toMatchObject({
    problem: { id: 'G403' },
  })
  expect(await manager.call(config.findConfig, { code: 'login.maxFails' })).toMatchObject({
    value: '5',
  })
})

test('code tables get a label per language, and changed labels are kept unless overwritten', async () => {
  const codes = Object.keys(CODE_TABLE_NAMES)
  const { added } = await administrator.call(dict.generateDict, {
    typeCodes: codes,
    mode: 'missing',
  })
  expect(added).toBeGreaterThan(100)
  const status = (
    await administrator.call(dict.listDictDetail, { typeCode: 'order_status', pageSize: 200 })
  ).rows
  expect(status).toHaveLength(19)
  expect(status.find((row) => row.code === '50')?.labels).toMatchObject({ en: 'Overdue' })
  expect(Object.keys(status[0]?.labels ?? {}).toSorted()).toEqual([...LANGUAGES].toSorted())
  for (const { detailCount, code } of (
    await administrator.call(dict.listDict, { pageSize: 200 })
  ).rows.filter(({ code }) => codes.includes(code)))
    expect([code, detailCount > 0]).toEqual([code, true])
  const one = status[0] as (typeof status)[0]
  const { detailId, version, sort, state } = one
  await administrator.call(dict.updateDictDetail, {
    detailId,
    version,
    sort,
    state,
    labels: { ...one.labels, en: 'Ours' },
  })
  expect(
    await administrator.call(dict.generateDict, { typeCodes: ['order_status'], mode: 'missing' }),
  ).toEqual({ added: 0, updated: 0 })
  expect(
    await administrator.call(dict.generateDict, { typeCodes: ['order_status'], mode: 'overwrite' }),
  ).toEqual({ added: 0, updated: 1 })
  expect(
    await administrator.refused(dict.generateDict, { typeCodes: ['nothing'], mode: 'missing' }),
  ).toMatchObject({ data: { fields: { typeCodes: 'unknown' } } })
  expect(await administrator.refused(dict.deleteDictDetail, { detailId })).toMatchObject({
    problem: { id: 'K-LOCK' },
  })
  expect(
    (await floor.events()).some(
      (event) => event.type === 'dict.changed' && event.rooms[0] === 'all',
    ),
  ).toBe(true)
})

test('a code table has a name in every language and is found by it', async () => {
  for (const language of LANGUAGES)
    expect({ language, codes: Object.keys(await tableNames(language)).toSorted() }).toEqual({
      language,
      codes: [...Object.keys(CODE_TABLE_NAMES), ...Object.keys(KEPT_TABLES)].toSorted(),
    })
  await administrator.call(dict.generateDict, {
    typeCodes: ['ptp_state', 'stop_state'],
    mode: 'missing',
  })
  const codes = async (input: InputOf<typeof dict.listDict>) =>
    (await administrator.call(dict.listDict, input)).rows.map((row) => row.code)
  expect(await codes({ typeName: '停催', language: 'zh' })).toEqual(['stop_state'])
  expect(await codes({ typeName: 'stop of', language: 'zh' })).toEqual(['stop_state'])
  expect(await codes({ typeName: '停催', language: 'ja' })).toEqual([])
})

test('holidays are entries whose code is a day, and their type cannot be deleted', async () => {
  const holiday = (await administrator.call(dict.listDict, { code: 'holiday' })).rows[0] as {
    dictId: string
  }
  const entry = { parentId: holiday.dictId, labels: { en: 'Diwali', zh: '排灯节' } }
  for (const code of ['diwali', '2027-02-29', '2026-13-01', '20261108'])
    expect(await administrator.refused(dict.addDictDetail, { ...entry, code })).toMatchObject({
      data: { fields: { code: 'system:fault.day' } },
    })
  const { detailId } = await administrator.call(dict.addDictDetail, {
    ...entry,
    code: '2026-11-08',
  })
  const days = async () =>
    (
      await sql<{
        day: string
        name: string
      }>`select h.day::text as day, h.name from holiday h`.execute(floor.database.kysely)
    ).rows
  expect(await days()).toEqual([{ day: '2026-11-08', name: 'Diwali' }])
  await administrator.call(dict.updateDictDetail, {
    detailId,
    version: 1,
    labels: entry.labels,
    sort: 0,
    state: 'disabled',
  })
  expect(await days()).toEqual([])
  expect(await administrator.refused(dict.deleteDict, { dictId: holiday.dictId })).toMatchObject({
    problem: { id: 'K-LOCK' },
  })
  await administrator.call(dict.deleteDictDetail, { detailId })
})

test('a custom dictionary has its own entries and is deleted with them', async () => {
  const { dictId } = await administrator.call(dict.addDict, {
    typeName: 'Branch',
    code: 'branch',
    sort: 3,
  })
  expect(
    await administrator.refused(dict.addDict, { typeName: 'Other', code: 'branch' }),
  ).toMatchObject({ problem: { id: 'K-DUP' } })
  const { detailId } = await administrator.call(dict.addDictDetail, {
    parentId: dictId,
    code: 'pune',
    labels: { en: 'Pune', zh: '浦那' },
  })
  expect(
    await administrator.refused(dict.addDictDetail, {
      parentId: dictId,
      code: 'pune',
      labels: { en: 'x' },
    }),
  ).toMatchObject({ data: { fields: { code: 'system:fault.taken' } } })
  expect((await manager.call(dict.listDictDetail, { parentId: dictId })).rows).toMatchObject([
    { detailId, labels: { en: 'Pune', zh: '浦那' }, state: 'enabled' },
  ])
  expect(await manager.refused(dict.deleteDict, { dictId })).toMatchObject({
    problem: { id: 'G403' },
  })
  await administrator.call(dict.deleteDict, { dictId })
  expect((await administrator.call(dict.listDictDetail, { typeCode: 'branch' })).total).toBe(0)
})

const line = (
  more: Partial<InputOf<typeof lines.addLine>> = {},
): InputOf<typeof lines.addLine> => ({
  number: '+911400000001',
  kind: 'service',
  vendorCode: 'voice1',
  seatNumber: 'S-1',
  concurrency: 1,
  dailyCap: 200,
  status: 'enabled',
  ...more,
})
const lineOf = async (lineId: string) =>
  (await manager.call(lines.listLines, { pageSize: 200 })).rows.find((row) => row.lineId === lineId)

test('a line can be bound to a person who makes calls, and cannot be switched off while bound', async () => {
  const { lineId } = await manager.call(lines.addLine, line())
  expect(await manager.refused(lines.addLine, line({ number: '+911400000002' }))).toMatchObject({
    problem: { id: 'K-DUP' },
    data: { fields: { seatNumber: 'system:fault.taken' } },
  })
  const salesman = await floor.signIn('salesman')
  expect((await manager.call(lines.linePeople, {})).rows.map((row) => row.account)).toContain(
    'salesman',
  )
  expect(
    await manager.call(lines.bindSeat, { lineId, version: 1, userId: salesman.userId }),
  ).toMatchObject({ boundName: 'Salesman 1', usedToday: 0 })
  expect(
    await manager.call(lines.setLineStatus, { lineIds: [lineId], status: 'disabled' }),
  ).toMatchObject({ ok: [], failed: [{ id: lineId, problem: 'K-USED' }] })
  const { lineId: other } = await manager.call(
    lines.addLine,
    line({ number: '+911400000003', seatNumber: 'S-3' }),
  )
  expect(
    await manager.refused(lines.bindSeat, { lineId: other, version: 1, userId: salesman.userId }),
  ).toMatchObject({ problem: { id: 'K-USED' } })
  expect(
    await manager.refused(lines.bindSeat, { lineId: other, version: 1, userId: manager.userId }),
  ).toMatchObject({ data: { fields: { userId: 'unknown' } } })
  // both supervisors dial through an extension too
  const callers = (await manager.call(lines.linePeople, {})).rows.map((row) => row.account)
  expect(callers).toEqual(
    expect.arrayContaining([
      'internal_supervisor',
      'external_supervisor',
      'team_leader',
      'collector',
    ]),
  )
  expect(callers).not.toContain('director')
  await manager.call(lines.bindSeat, { lineId, version: 2 })
  expect(
    await manager.call(lines.setLineStatus, { lineIds: [lineId, other], status: 'blocked' }),
  ).toMatchObject({ failed: [] })
  expect(await lineOf(lineId)).toMatchObject({ status: 'blocked', boundUserId: null })
  await manager.call(lines.editLine, {
    ...line({ dailyCap: 300, status: 'enabled' }),
    lineId,
    version: (await lineOf(lineId))?.version ?? 0,
  })
  expect(await lineOf(lineId)).toMatchObject({ dailyCap: 300, status: 'enabled' })
  expect(
    (
      await (
        await floor.signIn('group_leader')
      ).call(lines.listLines, { kind: 'service', number: '0001' })
    ).rows,
  ).toMatchObject([{ lineId }])
})

test('a line for messages keeps the extension its person is dialled on', async () => {
  const { userId } = await makeCollector(floor, await makeUnit(floor, { inHouse: false }))
  await sql`update collector set seat_number = 'S-40' where user_id = ${userId}`.execute(
    floor.database.kysely,
  )
  const { lineId } = await manager.call(
    lines.addLine,
    line({ number: '+911400000040', kind: 'whatsapp', seatNumber: 'W-40' }),
  )
  await manager.call(lines.bindSeat, { lineId, version: 1, userId })
  await manager.call(lines.bindSeat, { lineId, version: 2 })
  expect(
    (
      await sql<{
        seat_number: string | null
      }>`select k.seat_number from collector k where k.user_id = ${userId}`.execute(
        floor.database.kysely,
      )
    ).rows,
  ).toEqual([{ seat_number: 'S-40' }])
})
