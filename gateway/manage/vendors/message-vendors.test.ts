import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as api from '#shared/vendors/vendors-api.ts'
import { makeProduct } from '#tests/factories/orders.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import type { MessageVendor, OutgoingMessage } from './message-vendor.ts'
import { canSend, messageVendorsOf } from './message-vendors.ts'

let floor: Floor
let admin: Person
let server: Server
let status = 200
const received: Record<string, unknown>[] = []
const atHome: OutgoingMessage[] = []
const installation: MessageVendor = {
  code: 'home',
  send(message) {
    atHome.push(message)
    return Promise.resolve({ accepted: true, vendorRef: 'H1' })
  },
}

beforeAll(async () => {
  server = createServer((request, response) => {
    void text(request).then((body) => {
      received.push(JSON.parse(body) as Record<string, unknown>)
      response
        .writeHead(status)
        .end(status === 200 ? JSON.stringify({ accepted: true, vendorRef: 'S1' }) : '')
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  floor = await testManage()
  admin = await floor.signIn('administrator')
  await makeProduct(floor)
  await sql`insert into app (id, code, name) values ('A2', 'second', 'Second')`.execute(
    floor.database.kysely,
  )
  await serve('closed', 'http://127.0.0.1:9', 1)
  await serve('open', `http://127.0.0.1:${(server.address() as AddressInfo).port}`, 2)
})
afterAll(async () => {
  await floor.close()
  server.close()
})

async function serve(code: string, baseUrl: string, priority: number): Promise<void> {
  const { thirdPartyId } = await admin.call(api.addThirdParty, { code, name: code, kind: 'sms' })
  const { cfgId } = await admin.call(api.addConfiguration, {
    thirdPartyId,
    name: 'Main',
    baseUrl,
    values: { keyId: 'K', secret: 'S' },
  })
  await admin.call(api.addService, { appId: 'A1', thirdPartyId, cfgId, priority })
}
const message = (more: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
  key: 'M1',
  appId: 'A1',
  way: 'sms',
  to: '9876543210',
  language: 'hi',
  template: 'promotion',
  params: {},
  ...more,
})

test('a message goes through the vendors of its app, the next one when one cannot be reached', async () => {
  const vendors = messageVendorsOf(floor.context, installation, { allowPrivate: true })
  expect(await vendors.send(message())).toEqual({ accepted: true, vendorRef: 'S1' })
  // e-mail goes with SMS; the app stays in the console
  await vendors.send(message({ key: 'M2', way: 'email', to: 'asha@example.com' }))
  expect(received).toHaveLength(2)
  expect(received.every((one) => !('appId' in one))).toBe(true)
  expect(atHome).toEqual([])
  await vendors.send(message({ key: 'M3', way: 'whatsapp' }))
  await vendors.send(message({ key: 'M4', appId: 'A2' }))
  expect(atHome.map(({ key }) => key)).toEqual(['M3', 'M4'])
  const { rows } = await admin.call(api.listConfigurations, { sort: 'thirdPartyName:asc' })
  expect(rows.map((row) => [row.thirdPartyCode, row.attempts, row.successRate])).toEqual([
    ['closed', 2, 0],
    ['open', 2, 10_000],
  ])
})

test('a vendor that may have taken a message is not followed by another', async () => {
  const vendors = messageVendorsOf(floor.context, null, { allowPrivate: true })
  const before = received.length
  await sql`update tp_app_cfg set priority = 3 - priority`.execute(floor.database.kysely)
  status = 503
  await expect(vendors.send(message({ key: 'M5' }))).rejects.toThrow('503')
  expect(received.length).toBe(before + 1)
  await expect(vendors.send(message({ key: 'M6', appId: 'A2' }))).rejects.toThrow()
})

test('without a vendor of the installation, messages of apps without services wait', async () => {
  const reached = async (vendor: MessageVendor) => {
    const { rows } = await sql<{ id: string }>`
      select a.id from app a where ${canSend(vendor, 'sms', sql`a.id`)} order by a.id`.execute(
      floor.database.kysely,
    )
    return rows.map(({ id }) => id)
  }
  const none = messageVendorsOf(floor.context, null, { allowPrivate: true })
  expect(await reached(none)).toEqual(['A1'])
  const some = messageVendorsOf(floor.context, installation, { allowPrivate: true })
  expect(await reached(some)).toEqual(['A1', 'A2'])
})
