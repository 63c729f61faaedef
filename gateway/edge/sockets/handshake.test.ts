import { afterEach, expect, test } from 'vitest'
import WebSocket from 'ws'
import { type EdgeUnderTest, edgeUnderTest, until } from '#gateway/edge/testing/edge-under-test.ts'

let t: EdgeUnderTest
afterEach(() => t.close())

/** Status of an upgrade: 101 when it was taken. */
function upgrade(headers: Record<string, string>, edge = t): Promise<number> {
  return new Promise((resolve) => {
    const socket = new WebSocket(
      `ws://127.0.0.1:${edge.port}/socket.io/?EIO=4&transport=websocket`,
      { headers },
    )
    socket.on('open', () => (socket.terminate(), resolve(101)))
    socket.on('unexpected-response', (_request, answer) => resolve(answer.statusCode ?? 0))
    socket.on('error', () => undefined)
  })
}

test('a handshake from a missing or foreign origin is answered 403', async () => {
  t = await edgeUnderTest()
  const own = `http://127.0.0.1:${t.port}`
  expect(await upgrade({})).toBe(403)
  for (const origin of [
    'http://evil.example',
    'null',
    `${own}.evil.example`,
    `http://127.0.0.1:${t.port + 1}`,
    'file://',
    `ftp://127.0.0.1:${t.port}`,
    `${own}@evil.example`,
  ])
    expect([origin, await upgrade({ origin })]).toEqual([origin, 403])
  expect(await upgrade({ origin: own })).toBe(101)
})

test('with origins configured only those are taken', async () => {
  t = await edgeUnderTest({ publicOrigins: ['https://console.example'] })
  expect(await upgrade({ origin: `http://127.0.0.1:${t.port}` })).toBe(403)
  expect(await upgrade({ origin: 'https://console.example' })).toBe(101)
})

test('one address opens no more sockets a second than allowed', async () => {
  t = await edgeUnderTest({ limits: { handshakesPerSecondPerIp: 3 } })
  const origin = `http://127.0.0.1:${t.port}`
  const answers = await Promise.all(Array.from({ length: 6 }, () => upgrade({ origin })))
  expect(answers.toSorted()).toEqual([101, 101, 101, 429, 429, 429])
})

test('one person opens no more sockets than allowed, even all at once', async () => {
  t = await edgeUnderTest({ limits: { socketsPerUser: 2 } })
  t.manage.addSession('tab')
  const clients = Array.from({ length: 5 }, () => t.connect('tab'))
  await until(
    () => clients.filter((client) => client.named('connect_error').length > 0).length === 3,
  )
  await until(() => clients.filter((client) => client.upTo >= 0).length === 2)
  expect(clients.flatMap((client) => client.named('connect_error'))[0]).toMatchObject({
    code: 400,
    problem: { id: 'G-RATE' },
  })
})

test('the cookie and Sec-Fetch-Site of the handshake are sent with the request for rights', async () => {
  t = await edgeUnderTest()
  t.manage.addSession('tok')
  const socket = new WebSocket(`ws://127.0.0.1:${t.port}/socket.io/?EIO=4&transport=websocket`, {
    headers: {
      origin: `http://127.0.0.1:${t.port}`,
      cookie: 'bind=xyz',
      'sec-fetch-site': 'same-origin',
      'x-forwarded-for': '6.6.6.6',
    },
  })
  socket.on('message', (data) => {
    if (String(data).startsWith('0')) socket.send('40/ops,{"token":"tok"}')
  })
  await until(() => t.manage.questions.length > 0)
  const question = t.manage.seen.find((request) => request.url.includes('/live/rooms'))
  expect(question?.headers).toMatchObject({
    authorization: 'tok',
    cookie: 'bind=xyz',
    'sec-fetch-site': 'same-origin',
    'x-forwarded-for': '127.0.0.1',
  })
  socket.terminate()
})

test('a socket that sends too much is refused, then disconnected', async () => {
  t = await edgeUnderTest({ limits: { messagesPerSecond: 20 } })
  t.manage.addSession('loud')
  const client = await t.connect('loud').live()
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => client.send('presence:set', { state: 'busy' })),
  )
  expect(answers.filter((answer) => answer.problem?.id === 'G-RATE').length).toBeGreaterThanOrEqual(
    15,
  )
  for (let i = 0; i < 400; i++) client.socket.emit('presence:set', { state: 'busy' })
  await client.receives('disconnect')
  expect(await t.edge.registry.metrics()).toContain('live_sockets_cut_total{reason="flood"} 1')
})

test('a message over 64 KiB ends the socket', async () => {
  t = await edgeUnderTest()
  t.manage.addSession('big')
  const client = await t.connect('big').live()
  client.socket.emit('watch', { kind: 'order', key: 'x'.repeat(70_000) })
  await client.receives('disconnect')
})

test('sockets of one session with the same watches share one request for rights', async () => {
  t = await edgeUnderTest()
  t.manage.addSession('tabs', { rooms: ['all', 'user:tabs'] })
  const clients = await Promise.all(Array.from({ length: 4 }, () => t.connect('tabs').live()))
  const before = t.manage.questions.length
  t.manage.append({ subject: 'user:tabs', audience: ['user:tabs'], recheck: true })
  await t.settle()
  expect(t.manage.questions.length - before).toBe(1)
  expect(clients.every((client) => client.named('kick').length === 0)).toBe(true)
})

test('rights are asked again regularly, and a session that ended quietly is kicked', async () => {
  t = await edgeUnderTest({ limits: { recheckMs: 10 } })
  t.manage.addSession('idle')
  const client = await t.connect('idle').live()
  t.manage.sessions.delete('idle')
  await client.receives('kick')
  expect(client.named('kick')).toEqual([{ reason: 'expired' }])
})
