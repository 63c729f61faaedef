import { afterEach, expect, test } from 'vitest'
import { type EdgeUnderTest, edgeUnderTest, until } from '#gateway/edge/testing/edge-under-test.ts'

let t: EdgeUnderTest
afterEach(() => t.close())

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i)
}

function appendMany(count: number, audience = ['all']): number {
  let seq = 0
  for (let i = 0; i < count; i++) seq = t.manage.append({ subject: `order:${i % 7}`, audience })
  return seq
}

test('a returning client receives from the ring what it missed, once and in order', async () => {
  t = await edgeUnderTest()
  t.manage.addSession('c', { rooms: ['all'] })
  appendMany(5)
  appendMany(3, ['other'])
  const head = appendMany(2)
  await t.settle()
  const client = await t.connect('c', 3).live()
  expect(client.seqs).toEqual([4, 5, 9, 10])
  expect(client.upTo).toBe(head)
})

test('events older than the ring are read from the log, in pages', async () => {
  t = await edgeUnderTest({ limits: { ringEvents: 20, catchUpPage: 50 } })
  t.manage.addSession('c', { rooms: ['all'] })
  const head = appendMany(430)
  await t.settle()
  const client = t.connect('c', 10)
  await client.reaches(head)
  expect(client.seqs).toEqual(range(11, head))
  expect(client.frames.every((frame) => frame.events.length <= 50)).toBe(true)
})

test('nothing is lost or doubled while events keep coming during the catch-up', async () => {
  t = await edgeUnderTest({ limits: { ringEvents: 30, catchUpPage: 10, coalesceMs: 3 } })
  t.manage.addSession('c', { rooms: ['all'] })
  appendMany(200)
  await t.settle()
  const clients = range(1, 40).map((i) => t.connect('c', i * 4))
  for (let i = 0; i < 60; i++) {
    appendMany(3)
    await new Promise((resolve) => setImmediate(resolve))
  }
  const head = t.manage.head()
  await t.settle()
  await Promise.all(clients.map((client) => client.reaches(head)))
  clients.forEach((client, i) => expect(client.seqs).toEqual(range((i + 1) * 4 + 1, head)))
})

test('events of before the edge started are read from the log', async () => {
  const { fakeManage } = await import('#gateway/edge/testing/fake-manage.ts')
  const manage = await fakeManage()
  for (let i = 0; i < 20; i++) manage.append({ subject: 'order:1', audience: ['all'] })
  t = await edgeUnderTest({}, manage)
  manage.addSession('c', { rooms: ['all'] })
  expect(t.edge.cursor()).toBe(20)
  const client = await t.connect('c', 5).live()
  await client.reaches(20)
  expect(client.seqs).toEqual(range(6, 20))
  await t.close()
  await manage.close()
  t = await edgeUnderTest()
})

test.each([
  ['older than what is kept', 3],
  ['ahead of the log', 999],
  ['not a number', 'abc'],
  ['negative', -1],
])('a cursor %s leads to one resync, then live', async (_what, cursor) => {
  t = await edgeUnderTest({ limits: { ringEvents: 5 } })
  t.manage.addSession('c', { rooms: ['all'] })
  const head = appendMany(40)
  t.manage.prune(20)
  await t.settle()
  const client = await t.connect('c', cursor).live()
  await client.receives('resync')
  const seq = t.manage.append({ subject: 'order:1', audience: ['all'] })
  await client.reaches(seq)
  expect(client.named('resync')).toEqual([{ seq: head }])
  expect(client.seqs).toEqual([seq])
})

test('a client that repeats a bad cursor is sent at most one resync per interval', async () => {
  t = await edgeUnderTest({ limits: { resyncMs: 300 } })
  t.manage.addSession('c', { rooms: ['all'] })
  const client = await t.connect('c', -5).live()
  for (let i = 0; i < 10; i++) await client.send('sync', { lastSeq: -5 })
  expect(client.named('resync')).toHaveLength(1)
  await client.receives('resync', 2)
  for (let i = 0; i < 5; i++) await client.send('sync', { lastSeq: -5 })
  expect(client.named('resync')).toHaveLength(2)
})

test('sync replays from the cursor given', async () => {
  t = await edgeUnderTest()
  t.manage.addSession('c', { rooms: ['all'] })
  const client = await t.connect('c').live()
  appendMany(6)
  await t.settle()
  await client.reaches(6)
  expect(await client.send('sync', { lastSeq: 4 })).toMatchObject({ code: 200, data: { upTo: 6 } })
  await until(() => client.seqs.length === 8)
  expect(client.seqs).toEqual([1, 2, 3, 4, 5, 6, 5, 6])
})

test('an edge that is a little behind waits for a client that came from one further on', async () => {
  t = await edgeUnderTest()
  t.manage.addSession('c', { rooms: ['all'] })
  appendMany(3)
  await t.settle()
  const client = t.connect('c', 5)
  await until(() => client.socket.connected)
  const head = appendMany(4)
  await client.reaches(head)
  expect(client.seqs).toEqual([6, 7])
  expect(client.named('resync')).toEqual([])
})

test('a broken feed is resumed from the cursor without loss', async () => {
  t = await edgeUnderTest()
  t.manage.addSession('c', { rooms: ['all'] })
  const client = await t.connect('c').live()
  appendMany(3)
  await t.settle()
  t.manage.dropFeed()
  const head = appendMany(5)
  await client.reaches(head)
  expect(client.seqs).toEqual(range(1, head))
  expect(client.named('resync')).toEqual([])
})

test('a lost cursor or a log that went back makes every client read again', async () => {
  t = await edgeUnderTest({ limits: { resyncMs: 0 } })
  t.manage.addSession('c', { rooms: ['all'] })
  const client = await t.connect('c').live()
  appendMany(3)
  await t.settle()
  t.manage.dropFeed(true)
  appendMany(5)
  t.manage.prune(7)
  t.manage.openFeed()
  await client.receives('resync')
  expect(client.named('resync')).toEqual([{ seq: 8 }])
  t.manage.log.splice(2)
  t.manage.prune(0)
  t.manage.dropFeed()
  await client.receives('resync', 2)
  expect(client.named('resync')[1]).toEqual({ seq: 2 })
  await until(() => t.edge.cursor() === 2)
  const seq = t.manage.append({ subject: 'order:1', audience: ['all'] })
  await until(() => client.seqs.at(-1) === seq)
})

test('a silent feed counts as dead, and an edge without a feed sends no heartbeat', async () => {
  t = await edgeUnderTest({ limits: { feedSilenceMs: 100, heartbeatMs: 20 } })
  t.manage.addSession('c', { rooms: ['all'] })
  const client = await t.connect('c').live()
  await until(() => client.frames.length > 2)
  t.manage.dropFeed(true)
  await until(() => t.lines.some((line) => line.includes('the feed is down')))
  const frames = client.frames.length
  t.manage.openFeed()
  const seq = t.manage.append({ subject: 'order:1', audience: ['all'] })
  await client.reaches(seq)
  expect(client.frames.length).toBeLessThanOrEqual(frames + 3)
})

test('an unreadable event of the feed is skipped', async () => {
  t = await edgeUnderTest()
  t.manage.addSession('c', { rooms: ['all'] })
  const client = await t.connect('c').live()
  t.manage.append({ subject: '', audience: ['all'] })
  const seq = t.manage.append({ subject: 'order:1', audience: ['all'] })
  await client.reaches(seq)
  expect(client.seqs).toEqual([seq])
  expect(t.lines.some((line) => line.includes('cannot be read'))).toBe(true)
})
