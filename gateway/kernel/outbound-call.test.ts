import { createServer, type Server } from 'node:http'
import { type AddressInfo, createServer as createSocket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callOut, CallTimeout, checkedLookup, NotReached } from './outbound-call.ts'

let server: Server
let base: string
beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/silent') return
    if (request.url === '/elsewhere') response.writeHead(302, { location: '/ok' }).end()
    else if (request.url === '/long') response.end('x'.repeat(2 * 1024 * 1024))
    else if (request.url === '/cut') response.writeHead(200, { 'content-length': '9' }).destroy()
    else response.end('{"ok":true}')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const call = (url: string, allowPrivate = true) =>
  callOut({ method: 'POST', url, headers: {}, body: '{}', timeoutMs: 300, allowPrivate })

test('an answer is read, and a redirect is an answer', async () => {
  expect(await call(`${base}/ok`)).toEqual({ status: 200, body: { ok: true } })
  expect(await call(`${base}/elsewhere`)).toEqual({ status: 302, body: null })
})

test('a call that was sent and not answered may have been taken', async () => {
  await expect(call(`${base}/silent`)).rejects.toBeInstanceOf(CallTimeout)
  for (const path of ['/cut', '/long'])
    await expect(call(base + path)).rejects.not.toBeInstanceOf(NotReached)
})

test('without a connection nothing was sent', async () => {
  const closed = createSocket()
  await new Promise<void>((done) => closed.listen(0, '127.0.0.1', done))
  const { port } = closed.address() as AddressInfo
  await new Promise((done) => closed.close(done))
  await expect(call(`http://127.0.0.1:${port}/`)).rejects.toBeInstanceOf(NotReached)
  // a server that takes connections and never speaks TLS
  const mute = createSocket(() => undefined)
  await new Promise<void>((done) => mute.listen(0, '127.0.0.1', done))
  await expect(
    call(`https://127.0.0.1:${(mute.address() as AddressInfo).port}/`),
  ).rejects.toBeInstanceOf(NotReached)
  mute.close()
})

test('the own network is not called unless it may be', async () => {
  await expect(call(`${base}/ok`, false)).rejects.toMatchObject({ code: 'ownNetwork' })
})

test('a name that leads into the own network is refused when it is resolved', () => {
  const found: [unknown, unknown][] = []
  const answer = (...addresses: string[]) =>
    ((_name: string, _options: unknown, back: (error: null, all: object[]) => void) =>
      back(
        null,
        addresses.map((address) => ({ address, family: 4 })),
      )) as Parameters<typeof checkedLookup>[1]
  const look = (allowPrivate: boolean, ...addresses: string[]) =>
    checkedLookup(allowPrivate, answer(...addresses))('bank.example.com', {}, (error, address) =>
      found.push([error?.name ?? null, address]),
    )
  look(false, '203.0.113.9')
  look(false, '203.0.113.9', '169.254.169.254')
  look(false, '10.0.0.1')
  look(true, '10.0.0.1')
  expect(found).toEqual([
    [null, '203.0.113.9'],
    ['NotReached', ''],
    ['NotReached', ''],
    [null, '10.0.0.1'],
  ])
})
