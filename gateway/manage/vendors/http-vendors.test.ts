import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { isSignatureValid } from '#gateway/manage/kernel/machine-signature.ts'
import type { AiCallOrder, AiCallVendor } from './ai-call-vendor.ts'
import { httpAiCallVendor } from './http-ai-call-vendor.ts'
import { httpPayoutVendor } from './http-payout-vendor.ts'
import type { PayoutVendor } from './payout-vendor.ts'

const instruction = {
  platformOrderNo: 'L1-1',
  payeeName: 'Asha Verma',
  account: '50100000001',
  ifsc: 'HDFC0001234',
  amount: 900_000,
  transferType: 'IMPS',
}

const order: AiCallOrder = {
  callId: 'AC1',
  robotId: 'R1',
  to: '9876543210',
  from: '1600110001',
  language: 'hi',
  script: { productName: 'Quick 7', amount: 500_000, dueDay: '2026-03-01', overdueDays: 3 },
}

let server: Server
let vendor: PayoutVendor
let robot: AiCallVendor
let reply: { status: number; body: string; location?: string } | 'silence'
let asked: { method: string; url: string; body: string; signed: boolean }[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    void answer()
    async function answer(): Promise<void> {
      const body = await bodyOf(request)
      const header = (name: string) => String(request.headers[name] ?? '')
      const signed =
        header('x-key-id') === 'K1' &&
        isSignatureValid(
          {
            signature: header('x-signature'),
            timestamp: header('x-timestamp'),
            eventId: header('x-event-id'),
            body,
          },
          'secret',
          Date.now(),
        )
      asked.push({ method: request.method ?? '', url: request.url ?? '', body, signed })
      if (reply === 'silence') return
      response
        .writeHead(reply.status, {
          'content-type': 'application/json',
          ...(reply.location ? { location: reply.location } : {}),
        })
        .end(reply.body)
    }
  })
  await new Promise<void>((resume) => server.listen(0, '127.0.0.1', resume))
  const signed = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    keyId: 'K1',
    secret: 'secret',
    timeoutMs: 300,
  }
  vendor = httpPayoutVendor({ code: 'bank', ...signed })
  robot = httpAiCallVendor({ code: 'robot', ...signed })
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  asked = []
})

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

test('an instruction travels signed and its answer is read', async () => {
  reply = { status: 200, body: JSON.stringify({ accepted: true, vendorOrderNo: 'B-77' }) }
  expect(await vendor.send(instruction)).toEqual({ accepted: true, vendorOrderNo: 'B-77' })
  expect(asked).toEqual([
    { method: 'POST', url: '/v1/transfers', body: JSON.stringify(instruction), signed: true },
  ])
  reply = {
    status: 200,
    body: JSON.stringify({ accepted: false, reason: 'Limit reached', final: false }),
  }
  expect(await vendor.send(instruction)).toEqual({
    accepted: false,
    reason: 'Limit reached',
    final: false,
  })
})

test('a permanent refusal is final, after a temporary one the outcome is unknown', async () => {
  reply = { status: 422, body: '{}' }
  expect(await vendor.send(instruction)).toEqual({
    accepted: false,
    reason: 'Refused by the vendor (422)',
    final: true,
  })
  for (const status of [408, 409, 425, 429, 500, 502, 503]) {
    reply = { status, body: '{}' }
    await expect(vendor.send(instruction)).rejects.toThrow(String(status))
  }
})

test('a malformed answer, a redirect and a timeout do not count as an answer', async () => {
  for (const body of ['', 'OK', '{"accepted":true}', '{"accepted":true,"vendorOrderNo":""}']) {
    reply = { status: 200, body }
    await expect(vendor.send(instruction)).rejects.toThrow('200')
  }
  reply = { status: 302, body: '', location: 'http://127.0.0.1:1/' }
  await expect(vendor.send(instruction)).rejects.toThrow()
  reply = 'silence'
  await expect(vendor.send(instruction)).rejects.toThrow(/timeout|aborted/i)
})

test('a transfer is asked about by our number', async () => {
  const answers = [
    { state: 'processing', vendorOrderNo: 'B-1' },
    { state: 'success', vendorOrderNo: 'B-1', utr: null },
    { state: 'fail', vendorOrderNo: 'B-1', reason: 'Bank offline' },
    { state: 'unknown' },
  ]
  for (const answer of answers) {
    reply = { status: 200, body: JSON.stringify(answer) }
    expect(await vendor.query('L1-1')).toEqual(answer)
  }
  expect(asked[0]).toEqual({ method: 'GET', url: '/v1/transfers/L1-1', body: '', signed: true })
  reply = { status: 404, body: '{}' }
  expect(await vendor.query('L1-1')).toEqual({ state: 'unknown' })
  reply = { status: 500, body: '{}' }
  await expect(vendor.query('L1-1')).rejects.toThrow('500')
})

test('a call of the robot travels signed; only a refusal for good is one', async () => {
  reply = { status: 200, body: JSON.stringify({ accepted: true, vendorCallId: 'V-1' }) }
  expect(await robot.start(order)).toEqual({ accepted: true, vendorCallId: 'V-1' })
  expect(asked).toEqual([
    { method: 'POST', url: '/v1/calls', body: JSON.stringify(order), signed: true },
  ])
  reply = { status: 403, body: '{}' }
  expect(await robot.start(order)).toEqual({ accepted: false, reason: 'refused (403)' })
  for (const status of [200, 302, 408, 409, 429, 503]) {
    reply = { status, body: '{"accepted":true}' }
    await expect(robot.start(order)).rejects.toThrow(String(status))
  }
})

test('the stand of a call is asked for by our id, and a malformed one is no answer', async () => {
  const ended = { callId: 'AC1', result: 'a', durationSec: 40 }
  for (const stand of [
    { state: 'calling', vendorCallId: 'V-1' },
    { state: 'ended', result: ended },
    { state: 'unknown' },
  ]) {
    reply = { status: 200, body: JSON.stringify(stand) }
    expect(await robot.query('AC1')).toEqual(stand)
  }
  expect(asked[0]).toEqual({ method: 'GET', url: '/v1/calls/AC1', body: '', signed: true })
  reply = { status: 404, body: '{}' }
  expect(await robot.query('AC1')).toEqual({ state: 'unknown' })
  reply = {
    status: 200,
    body: JSON.stringify({ state: 'ended', result: { ...ended, result: 'z' } }),
  }
  await expect(robot.query('AC1')).rejects.toThrow('200')
})
