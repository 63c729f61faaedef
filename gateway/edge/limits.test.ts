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

test('one address cannot try many accounts', async () => {
  t = await edgeUnderTest({ clock: manualClock(0), limits: { loginsPerIpPerMinute: 20 } })
  const answers = []
  for (let i = 0; i < 21; i++) answers.push((await login(t, `user${i}`)).status)
  expect(answers.filter((status) => status === 429)).toHaveLength(1)
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
