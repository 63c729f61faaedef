/**
 * A refused sign-in takes as long for an unknown account as for a known one, and a storm of
 * sign-ins keeps other calls waiting for less than half a second. Measured, so on a quiet machine;
 * what the times follow from is tested in `session/password.test.ts`.
 */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { serverTime } from '#shared/session/session-api.ts'
import { BASE } from '#gateway/manage/core.ts'
import { type Floor, testManage } from '#tests/support/manage.ts'

const PAIRS = 100
const STORM_SECONDS = 4
const SIGN_INS_A_SECOND = 50

const signIn = async (floor: Floor, username: string): Promise<number> => {
  const start = performance.now()
  await floor.manage.app.inject({
    method: 'POST',
    url: `${BASE}/login`,
    payload: { username, password: 'Wrong#2026' },
  })
  return performance.now() - start
}

/** Nobody is locked, and no address is slowed. */
const forgetFailures = (floor: Floor) =>
  sql`delete from login_failure`.execute(floor.database.kysely)

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

test('unknown and known accounts are refused in the same time', async () => {
  const floor = await testManage()
  const known: number[] = []
  const unknown: number[] = []
  for (let i = 0; i < PAIRS; i += 1) {
    // the first of a pair may find a colder cache, so they take turns at it
    if (i % 2 === 0) known.push(await signIn(floor, 'manager'))
    unknown.push(await signIn(floor, 'nobody'))
    if (i % 2 === 1) known.push(await signIn(floor, 'manager'))
    await forgetFailures(floor)
  }
  await floor.close()
  // pair by pair: what else the machine does lasts longer than a pair
  const ratio = median(unknown.map((time, i) => time / (known[i] ?? time)))
  console.info(
    `known ${median(known).toFixed(1)} ms, unknown ${median(unknown).toFixed(1)} ms, ratio ${ratio.toFixed(3)}`,
  )
  expect(Math.abs(ratio - 1)).toBeLessThanOrEqual(0.1)
})

test('fifty sign-ins a second keep other calls waiting for less than half a second', async () => {
  const floor = await testManage()
  const person = await floor.signIn('manager')
  const storm: Promise<number>[] = []
  const feeding = setInterval(
    () => storm.push(signIn(floor, `nobody${storm.length}`)),
    1_000 / SIGN_INS_A_SECOND,
  )
  const times: number[] = []
  const end = Date.now() + STORM_SECONDS * 1_000
  while (Date.now() < end) {
    const start = performance.now()
    await person.call(serverTime, {})
    times.push(performance.now() - start)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  clearInterval(feeding)
  await Promise.all(storm)
  await floor.close()
  const p99 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0
  console.info(
    `${storm.length} sign-ins, ${times.length} calls: half ${median(times).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
  )
  expect(p99).toBeLessThanOrEqual(500)
})
