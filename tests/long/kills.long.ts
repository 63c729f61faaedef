/** Twenty-five kills in the middle of work, on every engine there is (trust.md A3, B3, C6). */
import { expect, test } from 'vitest'
import { engine, makeGround } from '#tests/support/ground.ts'
import { surviveKills } from '#tests/support/kill-run.ts'

test(`${engine}: twenty-five kills in the middle of work lose nothing and double nothing`, async () => {
  const ground = await makeGround()
  try {
    const { starts, work, payouts } = await surviveKills(ground, { kills: 25, workMs: 4_000 })
    console.info(`${engine}: ${work}, ${payouts} paid out; starts ${starts.join(', ')} ms`)
    expect(payouts).toBeGreaterThan(0)
  } finally {
    await ground.drop()
  }
})
