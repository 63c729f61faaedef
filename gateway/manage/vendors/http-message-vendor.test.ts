/** A real HTTP server plays the vendor. */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { httpMessageVendor } from './http-message-vendor.ts'
import type { OutgoingMessage } from './message-vendor.ts'

let server: Server
let answer: { status: number; body: string }
const asked: { url: string | undefined; headers: IncomingMessage['headers']; body: string }[] = []
const message: OutgoingMessage = {
  key: 'C1:2:sms',
  way: 'sms',
  to: '9876543210',
  language: 'hi',
  template: 'agentNamed',
  params: { agency: 'North', agent: 'Asha' },
}

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      asked.push({ url: request.url, headers: request.headers, body })
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
})
afterAll(() => new Promise<void>((done) => server.close(() => done())))

function vendor() {
  return httpMessageVendor({
    code: 'sms',
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    keyId: 'k',
    secret: 's'.repeat(32),
    timeoutMs: 2_000,
  })
}

test('a message is posted signed, and its reference comes back', async () => {
  answer = { status: 200, body: JSON.stringify({ accepted: true, vendorRef: 'X1' }) }
  expect(await vendor().send(message)).toEqual({ accepted: true, vendorRef: 'X1' })
  const last = asked.at(-1)
  expect(last?.url).toBe('/v1/messages')
  expect(JSON.parse(last?.body ?? '')).toEqual(message)
  expect(Object.keys(last?.headers ?? {}).some((name) => name.includes('signature'))).toBe(true)
})

test('a refusal is final, a failure of the vendor is not', async () => {
  answer = {
    status: 200,
    body: JSON.stringify({ accepted: false, reason: 'number is not in service' }),
  }
  expect(await vendor().send(message)).toEqual({
    accepted: false,
    reason: 'number is not in service',
  })
  answer = { status: 422, body: '{}' }
  expect(await vendor().send(message)).toEqual({ accepted: false, reason: 'refused (422)' })
  for (const status of [429, 500, 503]) {
    answer = { status, body: 'busy' }
    await expect(vendor().send(message)).rejects.toThrow(String(status))
  }
})
