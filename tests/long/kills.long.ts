/** Twenty-five kills under load, on every engine. */
import { expect, test } from 'vitest'
import { engine, makeChaosDatabase } from '#tests/support/chaos-database.ts'
import { surviveKills } from '#tests/support/kill-run.ts'

test(`${engine}: twenty-five kills under load lose and duplicate nothing`, async () => {
  const chaosDatabase = await makeChaosDatabase()
  try {
    const { starts, work, payouts } = await surviveKills(chaosDatabase, {
      kills: 25,
      workMs: 4_000,
    })
    console.info(`${engine}: ${work}, ${payouts} paid out; starts ${starts.join(', ')} ms`)
    expect(payouts).toBeGreaterThan(0)
  } finally {
    await chaosDatabase.drop()
  }
})
