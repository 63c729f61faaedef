import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { listEmiServices, saveEmiService } from '#shared/vendors/emi-services-api.ts'
import * as api from '#shared/vendors/vendors-api.ts'
import { applyHealth } from '#client/features/vendors/vendor-apply.ts'
import type { LiveEvent } from '#shared/kernel/live.ts'
import { noteCall } from '#gateway/manage/vendors/routing/breaker.ts'
import { makeProduct } from '#tests/factories/orders.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { vendorHealth } from './vendor-health.ts'
import type { Service } from './vendor-queries.ts'

let floor: Floor
let admin: Person
let manager: Person
let thirdPartyId: string
let cfgId: string
beforeAll(async () => {
  floor = await testManage()
  await makeProduct(floor)
  await sql`
    insert into app (id, code, name) values ('A2', 'second', 'Second')`.execute(
    floor.database.kysely,
  )
  ;[admin, manager] = await Promise.all([floor.signIn('administrator'), floor.signIn('manager')])
  ;({ thirdPartyId } = await admin.call(api.addThirdParty, {
    code: 'swiftbank',
    name: 'Swift Bank',
    kind: 'payout',
    site: 'https://bank.example.com',
  }))
  ;({ cfgId } = await admin.call(api.addConfiguration, configuration()))
})
afterAll(() => floor.close())

function configuration(
  more: Partial<InputOf<typeof api.addConfiguration>> = {},
): InputOf<typeof api.addConfiguration> {
  return {
    thirdPartyId,
    name: 'Main',
    baseUrl: 'https://api.bank.example.com/v1/',
    values: { keyId: 'K-1', secret: 'the-secret-of-the-bank' },
    ...more,
  }
}
async function second(name: string): Promise<string> {
  return (await admin.call(api.addConfiguration, configuration({ name }))).cfgId
}
const serviceOf = async (id: string) =>
  (await admin.call(api.listServices, { pageSize: 200 })).rows.find((row) => row.id === id)

test('a secret is sealed: no call, log or event answers it', async () => {
  const found = await admin.call(api.configurationsOf, { thirdPartyId })
  expect(found).toEqual([
    {
      cfgId,
      name: 'Main',
      baseUrl: 'https://api.bank.example.com/v1',
      keys: ['keyId', 'secret'],
      status: 'enabled',
    },
  ])
  const listed = await admin.call(api.listConfigurations, {})
  expect(listed.rows[0]).toMatchObject({ cfgId, keys: ['keyId', 'secret'], unset: [], attempts: 0 })
  await floor.settle()
  const { rows } = await sql<{ text: string }>`
    select coalesce(string_agg(x.t, ' '), '') as text from (
      select l::text as t from operate_log l union all select e::text from outbox_event e
      union all select c::text from tp_cfg c) x`.execute(floor.database.kysely)
  expect(JSON.stringify([found, listed]) + rows[0]?.text).not.toContain('the-secret-of-the-bank')
})

test('what a configuration may not be is refused on its field', async () => {
  const faults = async (more: object) =>
    (await admin.refused(api.addConfiguration, { ...configuration({ name: 'X1' }), ...more })).data
  for (const [more, field] of [
    [{ baseUrl: 'ftp://bank.example.com' }, 'baseUrl'],
    [{ baseUrl: 'http://bank.example.com' }, 'baseUrl'],
    [{ baseUrl: 'https://user:pw@bank.example.com' }, 'baseUrl'],
    [{ values: { keyId: 'K' } }, 'secret'],
    [{ thirdPartyId: 'TP0' }, 'thirdPartyId'],
    [{ timeoutMs: 100 }, 'timeoutMs'],
  ] as const)
    expect(await faults(more)).toMatchObject({ fields: { [field]: expect.any(String) } })
  expect(await admin.refused(api.addConfiguration, configuration({ name: 'MAIN' }))).toMatchObject({
    problem: { id: 'K-DUP' },
  })
  expect(
    await admin.refused(api.addThirdParty, { code: 'swiftbank', name: 'Other', kind: 'sms' }),
  ).toMatchObject({ problem: { id: 'K-DUP' }, data: { fields: { code: 'vendors:fault.taken' } } })
})

test('a third party serves an app once, and the last service of a kind stays on', async () => {
  const given = { appId: 'A1', thirdPartyId, cfgId, priority: 1 }
  const { id } = await admin.call(api.addService, given)
  expect(await serviceOf(id)).toMatchObject({
    appId: 'A1',
    kind: 'payout',
    thirdPartyCode: 'swiftbank',
    share: 0,
    isLast: true,
    breaker: 'closed',
    successRate: null,
  })
  expect(await admin.refused(api.addService, given)).toMatchObject({ problem: { id: 'K-DUP' } })
  const off = (version: number) => ({ id, version, status: 'disabled' as const })
  expect(await admin.refused(api.setServiceStatus, off(1))).toMatchObject({
    problem: { id: 'K-USED' },
  })
  expect(
    await admin.refused(api.editService, { id, version: 1, ...given, appId: 'A2' }),
  ).toMatchObject({ problem: { id: 'K-USED' } })
  const other = await admin.call(api.addService, { ...given, cfgId: await second('Reserve') })
  expect(await admin.call(api.setServiceStatus, off(1))).toMatchObject({ status: 'disabled' })
  expect((await serviceOf(other.id))?.isLast).toBe(true)
  expect(await admin.refused(api.setServiceStatus, off(1))).toMatchObject({
    problem: { id: 'G409' },
  })
  expect((await floor.events()).at(-1)).toMatchObject({
    type: 'config.refreshed',
    rooms: ['menu:three_config', 'menu:three_configure'],
    data: { area: 'thirdParties', ids: [id] },
  })
})

test('a configuration that serves an app cannot be switched off', async () => {
  const name = 'Retired'
  const retired = await second(name)
  await admin.call(api.addService, { appId: 'A1', thirdPartyId, cfgId: retired, priority: 9 })
  const change = { cfgId: retired, version: 1, status: 'disabled' as const }
  expect(await admin.refused(api.setConfigurationStatus, change)).toMatchObject({
    problem: { id: 'K-USED' },
  })
  const idle = await second('Idle')
  expect(await admin.call(api.setConfigurationStatus, { ...change, cfgId: idle })).toMatchObject({
    status: 'disabled',
  })
  expect(
    await admin.refused(api.addService, { appId: 'A1', thirdPartyId, cfgId: idle, priority: 1 }),
  ).toMatchObject({ data: { fields: { cfgId: 'unknown' } } })
})

test('the services of an app are copied to another, and replace its own only when asked', async () => {
  const own = await second('Own of A2')
  await admin.call(api.addService, { appId: 'A2', thirdPartyId, cfgId: own, priority: 1 })
  const from = { fromAppId: 'A1', toAppId: 'A2' }
  const cfgs = async () =>
    (await admin.call(api.listServices, { appId: 'A2' })).rows.map((row) => row.cfgName).toSorted()
  expect(await admin.call(api.generateServices, from)).toEqual({ added: 2, skipped: 0 })
  expect(await cfgs()).toEqual(['Own of A2', 'Reserve', 'Retired'])
  expect(await admin.call(api.generateServices, from)).toEqual({ added: 0, skipped: 2 })
  await admin.call(api.generateServices, { ...from, overwrite: true })
  expect(await cfgs()).toEqual(['Reserve', 'Retired'])
  expect(
    await admin.refused(api.generateServices, { fromAppId: 'A1', toAppId: 'A1' }),
  ).toMatchObject({ data: { fields: { toAppId: 'vendors:fault.sameApp' } } })
})

test('only administrators see and change third parties', async () => {
  for (const [call, input] of [
    [api.listServices, {}],
    [api.listConfigurations, {}],
    [api.configurationsOf, { thirdPartyId }],
    [api.flushVendors, {}],
  ] as const)
    expect(await manager.refused(call, input)).toMatchObject({ code: 403 })
  expect((await admin.call(api.flushVendors, {})).count).toBeGreaterThan(0)
})

test('services of EMI apps are saved by their own call, those of other apps are not', async () => {
  const fields = { appId: 'A2', thirdPartyId, cfgId: await second('For EMI'), priority: 3 }
  expect((await admin.refused(saveEmiService, fields)).problem?.id).toBe('G-FIELD')
  await sql`
    insert into emi_app (app_id, config) values ('A2', '{}'::jsonb) on conflict do nothing`.execute(
    floor.database.kysely,
  )
  const added = await admin.call(saveEmiService, fields)
  expect(added).toMatchObject({ appId: 'A2', priority: 3, status: 'enabled' })
  const { id, version } = added
  const off = await admin.call(saveEmiService, { id, version, ...fields, status: 'disabled' })
  expect(off.status).toBe('disabled')
  expect((await admin.refused(saveEmiService, { id, version, ...fields, priority: 4 })).code).toBe(
    409,
  )
  const rows = (await admin.call(listEmiServices, {})).rows
  expect(rows.every(({ appId }) => appId === 'A2')).toBe(true)
  expect(rows.map((row) => row.id)).toContain(id)
})

test('health told live and put into the rows gives what a new read gives, once in a run', async () => {
  const other = await second('Told')
  const { id } = await admin.call(api.addService, {
    appId: 'A2',
    thirdPartyId,
    cfgId: other,
    priority: 7,
  })
  await vendorHealth.run(floor.context)
  const services = new Map([[id, (await serviceOf(id)) as Service]])
  const configurations = async () =>
    new Map(
      (await admin.call(api.listConfigurations, { pageSize: 200 })).rows.map((row) => [
        row.cfgId,
        row,
      ]),
    )
  const stale = await configurations()
  for (const [outcome, error] of [
    ['ok', null],
    ['failed', 'http503'],
  ] as const)
    await noteCall(floor.context, { cfgId: other, outcome, ms: 40, error })
  expect(await vendorHealth.run(floor.context)).toEqual({ updated: 1 })
  expect(await vendorHealth.run(floor.context)).toEqual({ updated: 0 })
  const { rows: events } = await sql<LiveEvent & { rooms: string[] }>`
    select e.type, e.subject, e.data, e.rooms from outbox_event e
    where e.type = 'vendor.health' and e.subject = ${`configuration:${other}`}`.execute(
    floor.database.kysely,
  )
  expect(events).toMatchObject([{ rooms: ['menu:three_config', 'menu:three_configure'] }])
  const patched = <Row extends { cfgId: string }>(rows: ReadonlyMap<string, Row>) => {
    const { changes } = applyHealth(rows, events)
    return changes.map((change) => ({ ...rows.get(change.id), ...change.changes }))
  }
  expect(patched(services)).toEqual([await serviceOf(id)])
  expect(patched(stale)).toEqual([(await configurations()).get(other)])
  expect((await serviceOf(id))?.lastError).toBe('http503')
})

test('a configuration that is taken out of use is told to both screens of services', async () => {
  const failing = await second('Failing')
  const before = (await floor.events()).at(-1)?.seq ?? 0
  for (let n = 0; n < 20; n += 1)
    await noteCall(floor.context, { cfgId: failing, outcome: 'failed', ms: 9, error: 'http503' })
  const refreshed = (await floor.events(before)).filter(({ type }) => type === 'config.refreshed')
  expect(refreshed).toMatchObject([{ rooms: ['menu:three_config', 'menu:three_configure'] }])
  const { rows } = await admin.call(api.listConfigurations, { pageSize: 200 })
  expect(rows.find(({ cfgId }) => cfgId === failing)?.breaker).toBe('open')
})
