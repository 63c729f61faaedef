import { afterEach, expect, test } from 'vitest'
import { type EdgeUnderTest, edgeUnderTest, until } from '#gateway/edge/testing/edge-under-test.ts'
import { manualClock } from '#gateway/kernel/clock.ts'

let t: EdgeUnderTest
afterEach(() => t.close())

test('health reports what runs and whether traffic may come', async () => {
  t = await edgeUnderTest()
  const get = async (path: string) => ({
    status: (await fetch(t.url + path)).status,
    body: await (await fetch(t.url + path)).json(),
  })
  expect(await get('/livez')).toEqual({ status: 200, body: { status: 'ok' } })
  expect(await get('/readyz')).toEqual({ status: 200, body: { status: 'ok', feed: true } })
  expect(await get('/healthz')).toEqual({
    status: 200,
    body: { status: 'ok' },
  })
  expect((await get('/metrics')).status).toBe(404)
})

test('an edge whose feed is down for over ten seconds is not ready, and is again when it is back', async () => {
  const clock = manualClock(Date.now())
  t = await edgeUnderTest({ clock })
  t.manage.dropFeed(true)
  await until(() => t.lines.some((line) => line.includes('the feed is down')))
  expect((await fetch(`${t.url}/readyz`)).status).toBe(200)
  clock.advance(10_001)
  expect((await fetch(`${t.url}/readyz`)).status).toBe(503)
  t.manage.openFeed()
  let status = 0
  for (const end = Date.now() + 5_000; status !== 200 && Date.now() < end;)
    status = (await fetch(`${t.url}/readyz`)).status
  expect(status).toBe(200)
})

test('an edge that starts before manage comes up with it', async () => {
  const { fakeManage } = await import('#gateway/edge/testing/fake-manage.ts')
  const manage = await fakeManage()
  manage.dropFeed(true)
  t = await edgeUnderTest({}, manage)
  manage.addSession('c', { rooms: ['all'] })
  const early = t.connect('c')
  await early.receives('connect_error')
  expect(early.named('connect_error')[0]).toMatchObject({ code: 400, problem: { id: 'G-DOWN' } })
  manage.openFeed()
  let status = false
  for (const end = Date.now() + 5_000; !status && Date.now() < end;)
    status = ((await (await fetch(`${t.url}/readyz`)).json()) as { feed: boolean }).feed
  const client = await t.connect('c').live()
  const seq = manage.append({ subject: 'order:1', audience: ['all'] })
  await client.reaches(seq)
  await t.close()
  await manage.close()
  t = await edgeUnderTest()
})

test('draining notifies the sockets, finishes requests under way, and closes in time', async () => {
  t = await edgeUnderTest({ limits: { drainJitterMs: 300 } })
  t.manage.addSession('c', { rooms: ['all'] })
  const client = await t.connect('c').live()
  const file = fetch(`${t.url}/api/manage/file`)
  await file
  const start = Date.now()
  const drained = t.edge.drain()
  const ready = await fetch(`${t.url}/readyz`)
  expect([ready.status, await ready.json()]).toEqual([503, { status: 'draining', feed: true }])
  expect((await (await file).text()).length).toBe(300_000)
  await client.receives('server.draining')
  const { retryAfterMs } = client.named('server.draining')[0] as { retryAfterMs: number }
  expect(retryAfterMs).toBeGreaterThanOrEqual(0)
  expect(retryAfterMs).toBeLessThanOrEqual(300)
  const late = t.connect('c')
  await late.receives('connect_error')
  await client.receives('disconnect')
  await drained
  expect(Date.now() - start).toBeLessThan(10_000)
  await expect(fetch(`${t.url}/livez`)).rejects.toThrow()
})

test('a Unix socket serves as well as an address', async () => {
  const { mkdtempSync, rmSync } = await import('node:fs')
  const { tmpdir } = await import('node:os')
  const { join } = await import('node:path')
  const { default: Fastify } = await import('fastify')
  const dir = mkdtempSync(join(tmpdir(), 'edge-'))
  const path = join(dir, 'manage.sock')
  const app = Fastify()
  app.get('/api/manage/echo', () => ({ code: 200, msg: '', data: 'over a socket' }))
  await app.listen({ path })
  const { fakeManage } = await import('#gateway/edge/testing/fake-manage.ts')
  const fake = await fakeManage()
  t = await edgeUnderTest({ cores: [{ calls: `unix:${path}`, internal: fake.feedUrl }] }, fake)
  expect(await (await fetch(`${t.url}/api/manage/echo`)).json()).toEqual({
    code: 200,
    msg: '',
    data: 'over a socket',
  })
  await fake.close()
  await app.close()
  rmSync(dir, { recursive: true })
})
