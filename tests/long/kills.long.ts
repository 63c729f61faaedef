/** Twenty-five kills in the middle of work, on every engine there is (trust.md A3, B3, C6). */
import { expect, test } from 'vitest'
import { grounds } from '#tests/support/ground.ts'
import { surviveKills } from '#tests/support/kill-run.ts'

test.each(grounds)('$engine: twenty-five kills in the middle of work lose nothing and double nothing', async ({ engine, make }) => {
  const ground = await make()
  try {
    const { starts, work, payouts } = await surviveKills(ground, { kills: 25, workMs: 4_000 })
    console.info(`${engine}: ${work}, ${payouts} paid out; starts ${starts.join(', ')} ms`)
    expect(payouts).toBeGreaterThan(0)
  } finally {
    await ground.drop()
  }
})
