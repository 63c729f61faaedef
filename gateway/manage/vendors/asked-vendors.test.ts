/** Vendors that are asked: payment pages, the register of PANs, the credit bureau. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { VendorKind } from '#shared/vendors/vendor-kinds.ts'
import * as api from '#shared/vendors/vendors-api.ts'
import { makeProduct } from '#tests/factories/orders.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { checkVendorsOf } from './check-vendors.ts'
import { pageVendorsOf } from './page-vendors.ts'

let floor: Floor
let admin: Person
let server: Server
const received: { path: string; body: Record<string, unknown> }[] = []
const answers: Record<string, { status: number; body: object }> = {}

beforeAll(async () => {
  server = createServer((request, response) => {
    void text(request).then((body) => {
      const path = request.url ?? ''
      received.push({ path, body: JSON.parse(body) as Record<string, unknown> })
      const { status, body: answer } = answers[path] ?? { status: 404, body: {} }
      response.writeHead(status).end(JSON.stringify(answer))
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  floor = await testManage()
  admin = await floor.signIn('administrator')
  await makeProduct(floor)
  for (const kind of ['collect', 'kyc', 'bureau'] as const) {
    await serve(kind, 'first', 1)
    await serve(kind, 'second', 2)
  }
})
afterAll(async () => {
  await floor.close()
  server.close()
})
beforeEach(() => {
  received.length = 0
})

async function serve(kind: VendorKind, which: string, priority: number): Promise<void> {
  const code = `${which}-${kind}`
  const { thirdPartyId } = await admin.call(api.addThirdParty, { code, name: code, kind })
  const { cfgId } = await admin.call(api.addConfiguration, {
    thirdPartyId,
    name: 'Main',
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${which}`,
    values: { keyId: 'K', secret: 'S' },
  })
  await admin.call(api.addService, { appId: 'A1', thirdPartyId, cfgId, priority })
}

const APPLICANT = {
  checkId: 'RV1-kyc',
  name: 'Asha Rao',
  pan: 'ABCPR1234K',
  birthday: '1993-02-11',
  phone: '9876543210',
}

test('the second vendor is asked when the first one fails, and the register hears no phone number', async () => {
  const checks = checkVendorsOf(floor.context, { allowPrivate: true })
  answers['/first/identities'] = { status: 503, body: {} }
  answers['/second/identities'] = { status: 200, body: { panValid: true, nameMatch: 96 } }
  expect(await checks.check('kyc', 'A1', APPLICANT)).toMatchObject({
    vendorCode: 'second-kyc',
    answer: { panValid: true, nameMatch: 96 },
  })
  const { phone: _phone, ...facts } = APPLICANT
  expect(received).toEqual([
    { path: '/first/identities', body: facts },
    { path: '/second/identities', body: facts },
  ])
  expect(await checks.check('kyc', 'A2', APPLICANT)).toBeNull()
})

test('an answer that is no report is a failure of the bureau', async () => {
  const checks = checkVendorsOf(floor.context, { allowPrivate: true })
  answers['/first/reports'] = { status: 200, body: { score: 'good' } }
  answers['/second/reports'] = { status: 200, body: { score: 5_000 } }
  await expect(checks.check('bureau', 'A1', APPLICANT)).rejects.toThrow('no vendor of the app')
  answers['/second/reports'] = {
    status: 200,
    body: { score: null, openLoans: 0, overdueAmount: 0 },
  }
  expect((await checks.check('bureau', 'A1', APPLICANT))?.answer.score).toBeNull()
  const { rows } = await admin.call(api.listConfigurations, { pageSize: 200 })
  expect(rows.find((row) => row.thirdPartyCode === 'first-bureau')).toMatchObject({
    attempts: 2,
    successRate: 0,
    lastError: 'answer',
  })
})

test('a page is made by the vendor of the app, at an address with TLS only', async () => {
  const pages = pageVendorsOf(floor.context, { allowPrivate: true })
  const link = { linkId: 'PL1', orderId: 'L1', amount: 12_345, expires: '2026-12-01T10:00:00Z' }
  answers['/first/links'] = { status: 200, body: { url: 'http://pay.example.com/PL1' } }
  answers['/second/links'] = { status: 200, body: { url: 'https://pay.example.com/PL1' } }
  expect(await pages.make('A1', link)).toMatchObject({
    vendorCode: 'second-collect',
    answer: { url: 'https://pay.example.com/PL1' },
  })
  expect(received.map(({ body }) => body)).toEqual([link, link])
  expect(await pages.make('A2', link)).toBeNull()
})
