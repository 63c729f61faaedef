import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { manualClock } from '#gateway/kernel/clock.ts'
import { TokenBuckets } from '#gateway/edge/limits.ts'
import { type EdgeUnderTest, edgeUnderTest } from '#gateway/edge/testing/edge-under-test.ts'

let t: EdgeUnderTest | undefined
afterEach(async () => {
  await t?.close()
  t = undefined
})

function login(edge: EdgeUnderTest, username: string) {
  return fetch(`${edge.url}/api/manage/login?username=${username}&password=x`, { method: 'POST' })
}

test('a sixth login of an account within a minute is refused, whichever way the name is spelled', async () => {
  const clock = manualClock('2026-11-21T00:00:00Z')
  t = await edgeUnderTest({ clock, limits: { loginsPerAccountPerMinute: 5 } })
  for (const name of ['ravi', ' ravi', 'RAVI', 'ravi', 'ravi'])
    expect((await login(t, name)).status).toBe(200)
  const refused = await login(t, 'ravi')
  expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
    429,
    '12',
    {
      code: 400,
      msg: 'Too many requests, try again in 12 s',
      data: null,
      problem: { id: 'G-RATE', params: { s: 12 } },
    },
  ])
  expect((await login(t, 'meera')).status).toBe(200)
  clock.advance(12_000)
  expect((await login(t, 'ravi')).status).toBe(200)
})

test('an address that tries many accounts is slowed, and refused when its tries pile up', async () => {
  const limits = { loginsPerIpPerMinute: 20, slowSignInMs: 300, slowSignIns: 2 }
  t = await edgeUnderTest({ clock: manualClock(0), limits })
  const edge = t
  for (let i = 0; i < 20; i++) expect((await login(edge, `user${i}`)).status).toBe(200)
  const began = performance.now()
  const [more, last] = await Promise.all([
    Promise.all([login(edge, 'a'), login(edge, 'b')]),
    new Promise((resume) => setTimeout(resume, 100)).then(() => login(edge, 'c')),
  ])
  expect(more.map(({ status }) => status)).toEqual([200, 200])
  expect(performance.now() - began).toBeGreaterThanOrEqual(295)
  expect(last.status).toBe(429)
})

test('a device that gave a right password is not slowed by a flood from its address', async () => {
  const limits = { loginsPerIpPerMinute: 1, slowSignIns: 0 }
  t = await edgeUnderTest({ clock: manualClock(0), limits })
  const edge = t
  const browser = (headers: Record<string, string>) =>
    fetch(`${edge.url}/api/manage/login?username=meera&password=x`, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin', ...headers },
    })
  const first = await browser({})
  const device = first.headers.getSetCookie().find((one) => one.startsWith('device='))
  expect(device).toMatch(/; HttpOnly; SameSite=Strict$/)
  expect((await browser({})).status).toBe(429)
  const cookie = device?.split(';')[0] ?? ''
  const known = await browser({ cookie: `a=b; ${cookie}` })
  expect([known.status, known.headers.getSetCookie()]).toEqual([200, []])
  expect((await browser({ cookie })).status).toBe(429)
  expect((await browser({ cookie: `${cookie}x` })).status).toBe(429)
})

test('calls of one session are limited without touching another', async () => {
  t = await edgeUnderTest({
    clock: manualClock(0),
    limits: { requestsPerSecond: 50, requestBurst: 100 },
  })
  const call = (token: string) =>
    fetch(`${t?.url}/api/manage/echo`, { headers: { authorization: token } }).then(
      (answer) => answer.status,
    )
  const busy = await Promise.all(Array.from({ length: 105 }, () => call('busy')))
  expect(busy.filter((status) => status === 429)).toHaveLength(5)
  expect(await call('calm')).toBe(200)
})

test('health is never limited', async () => {
  t = await edgeUnderTest({
    clock: manualClock(0),
    limits: { requestBurst: 1, requestsPerSecond: 1 },
  })
  for (let i = 0; i < 5; i++) expect((await fetch(`${t.url}/livez`)).status).toBe(200)
})

test('a bucket never gives more than its burst plus what time refills', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 20 }),
      fc.array(fc.integer({ min: 0, max: 500 }), { maxLength: 200 }),
      (perSecond, burst, waits) => {
        const buckets = new TokenBuckets(perSecond, burst)
        let now = 0
        let given = 0
        for (const wait of waits) {
          now += wait
          if (buckets.take('k', now) === 0) given += 1
        }
        expect(given).toBeLessThanOrEqual(burst + Math.floor((now / 1000) * perSecond) + 1)
      },
    ),
  )
})
