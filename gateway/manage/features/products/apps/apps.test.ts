import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { inboundApplication } from '#shared/orders/inbound-api.ts'
import * as api from '#shared/products/apps-api.ts'
import { linkProducts, listMerchants, unlinkProducts } from '#shared/products/products-api.ts'
import { makeApplication } from '#tests/factories/applications.ts'
import { makeProduct } from '#tests/factories/orders.ts'
import { type Machine, machineOf } from '#tests/support/machine.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'

let floor: Floor
let admin: Person
let manager: Person
let app: Machine
let groupId: string
beforeAll(async () => {
  floor = await testManage()
  await makeProduct(floor)
  await sql`
    insert into merchant (id, name) values ('MC777', 'Second lender') on conflict do nothing`.execute(
    floor.database.kysely,
  )
  ;[admin, manager, app] = await Promise.all([
    floor.signIn('administrator'),
    floor.signIn('manager'),
    machineOf(floor, ['application']),
  ])
  ;({ groupId } = await admin.call(api.addGroup, { name: 'Consumer apps' }))
})
afterAll(() => floor.close())

const fields = (more: Partial<InputOf<typeof api.addApp>> = {}): InputOf<typeof api.addApp> => ({
  name: 'RupeeOnce',
  code: 'rupeeonce',
  groupId,
  merchantId: 'MC001',
  package: 'in.rupeeonce.app',
  appVersion: '2.10.0',
  minVersion: '2.9',
  forceUpdate: false,
  storeUrl: 'https://store.example.com/rupeeonce?hl=en',
  privacyUrl: 'https://rupeeonce.example.com/privacy',
  servicePhone: '18001234567',
  status: 'enabled',
  ...more,
})
const rowOf = async (appId: string) =>
  (await manager.call(api.listApps, { pageSize: 200 })).rows.find((row) => row.appId === appId)
async function edited(appId: string, more: Partial<InputOf<typeof api.addApp>>) {
  const version = (await rowOf(appId))?.version ?? 0
  return admin.call(api.editApp, { appId, version, ...fields(more) })
}

test('an app from before product groups offers every enabled product', async () => {
  expect(await rowOf('A1')).toMatchObject({ groupId: null, merchantId: null, version: 1 })
  const received = await app.call(api.inboundApp, { appId: 'A1' })
  expect(received.products.length).toBe((await rowOf('A1'))?.offered)
  expect(received.update).toBeNull()
})

test('an app is added with the defaults of its form, and all consoles read it again', async () => {
  const { values, groups } = await admin.call(api.newAppForm, {})
  expect(values).toMatchObject({ groupId, forceUpdate: false, status: 'enabled' })
  expect(groups).toEqual([{ id: groupId, name: 'Consumer apps' }])
  const { appId } = await admin.call(api.addApp, fields({ code: 'second', name: 'Second' }))
  expect((await admin.call(api.appForm, { appId })).values).toMatchObject({
    appId,
    ...fields({ code: 'second', name: 'Second' }),
    version: 1,
  })
  expect((await manager.call(api.listApps, { name: 'sec', groupId })).rows).toHaveLength(1)
  expect((await manager.call(api.listGroups, {}))[0]).toMatchObject({ groupId, apps: 1 })
  expect(
    (await floor.events()).filter((event) => event.type === 'config.refreshed').at(-1),
  ).toMatchObject({ rooms: ['all'], data: { area: 'apps', ids: [appId] } })
})

test('invalid values of an app are refused at their field', async () => {
  const faults = async (more: object) =>
    (await admin.refused(api.addApp, { ...fields({ code: 'third' }), ...more })).data
  for (const [more, field] of [
    [{ storeUrl: 'ftp://store.example.com' }, 'storeUrl'],
    [{ privacyUrl: 'javascript:alert(1)' }, 'privacyUrl'],
    [{ privacyUrl: 'https://user@evil.example.com/' }, 'privacyUrl'],
    [{ servicePhone: '1800-CALL' }, 'servicePhone'],
    [{ appVersion: '2.x' }, 'appVersion'],
    [{ minVersion: '2.11' }, 'minVersion'],
    [{ forceUpdate: true, storeUrl: undefined }, 'storeUrl'],
    [{ groupId: 'AG0' }, 'groupId'],
    [{ merchantId: 'MC0' }, 'merchantId'],
  ] as const)
    expect(await faults(more)).toEqual({ fields: { [field]: expect.any(String) } })
  expect(await admin.refused(api.addApp, fields({ code: 'second' }))).toMatchObject({
    problem: { id: 'K-DUP' },
    data: { fields: { code: 'products:app.fault.codeTaken' } },
  })
  expect(await admin.refused(api.addGroup, { name: 'consumer APPS' })).toMatchObject({
    problem: { id: 'K-DUP' },
  })
  expect(await manager.refused(api.addApp, fields({ code: 'fourth' }))).toMatchObject({ code: 403 })
})

test('an outdated edit is refused with the app as it is now', async () => {
  const version = (await rowOf('A1'))?.version ?? 0
  await edited('A1', {})
  expect(await admin.refused(api.editApp, { appId: 'A1', version, ...fields() })).toMatchObject({
    problem: { id: 'G409' },
    data: { appId: 'A1', version: version + 1 },
  })
})

test('the next request of an installation returns a change and what it has to do', async () => {
  await edited('A1', { appVersion: '3.0.0', minVersion: '2.5' })
  const update = async (installed: string) =>
    (await app.call(api.inboundApp, { appId: 'A1', installed })).update
  expect([await update('2.4.9'), await update('2.10'), await update('3')]).toEqual([
    'required',
    'offered',
    'none',
  ])
  await edited('A1', { appVersion: '3.0.0', minVersion: '2.5', forceUpdate: true })
  expect(await update('2.10')).toBe('required')
  expect(await app.call(api.inboundApp, { appId: 'A1' })).toMatchObject({
    storeUrl: 'https://store.example.com/rupeeonce?hl=en',
    privacyUrl: 'https://rupeeonce.example.com/privacy',
    servicePhone: '18001234567',
  })
  expect(await app.refused(api.inboundApp, { appId: 'A0' })).toMatchObject({
    problem: { id: 'G404' },
  })
})

test('the request of an app is signed: its query cannot be changed, and the key needs its scope', async () => {
  expect(
    await app.refused(api.inboundApp, { appId: 'A0' }, { sentBody: 'appId=A1' }),
  ).toMatchObject({ problem: { id: 'G-SIGN' } })
  const other = await machineOf(floor, ['payout'])
  expect(await other.refused(api.inboundApp, { appId: 'A1' })).toMatchObject({ code: 403 })
})

test('the merchant of an app decides what it offers, and a link adds to it', async () => {
  const { productId } = await makeProduct(floor, { id: 'PR7' })
  await edited('A1', {})
  const isOffered = async () =>
    (await app.call(api.inboundApp, { appId: 'A1' })).products.some(
      (one) => one.productId === productId,
    )
  await sql`update product set merchant_id = 'MC001' where id = ${productId}`.execute(
    floor.database.kysely,
  )
  expect(await isOffered()).toBe(true)
  await edited('A1', { merchantId: 'MC777' })
  expect(await isOffered()).toBe(false)
  expect(await app.refused(inboundApplication, makeApplication(71, { productId }))).toMatchObject({
    problem: { id: 'O-RULE', params: { reason: 'productClosed' } },
  })
  await admin.call(linkProducts, { merchantId: 'MC777', productIds: [productId] })
  expect(await isOffered()).toBe(true)
  await app.call(inboundApplication, makeApplication(71, { productId }))
  const link = { merchantId: 'MC777', productIds: [productId] }
  expect(await admin.call(unlinkProducts, link)).toEqual({ count: 1 })
  expect(await isOffered()).toBe(false)
  expect(await admin.call(unlinkProducts, link)).toEqual({ count: 0 })
  await admin.call(linkProducts, link)
  await edited('A1', { merchantId: 'MC777', status: 'disabled' })
  expect(await app.call(api.inboundApp, { appId: 'A1' })).toMatchObject({
    status: 'disabled',
    products: [],
  })
  expect((await manager.call(listMerchants, {})).map(({ name }) => name)).toContain('Second lender')
  await edited('A1', { merchantId: 'MC777' })
})
