/**
 * Kills the console under load: every acknowledged change is present exactly once, and the next
 * start is quick.
 */
import { expect, test } from 'vitest'
import { engine, makeChaosDatabase } from '#tests/support/chaos-database.ts'
import { surviveKills } from '#tests/support/kill-run.ts'

test(`${engine}: three kills under load lose and duplicate nothing`, async () => {
  const chaosDatabase = await makeChaosDatabase()
  try {
    const { starts, work, payouts } = await surviveKills(chaosDatabase, { kills: 3, workMs: 2_500 })
    console.info(
      `${chaosDatabase.engine}: ${work}, ${payouts} paid out; starts ${starts.join(', ')} ms`,
    )
    expect(payouts).toBeGreaterThan(0)
  } finally {
    await chaosDatabase.drop()
  }
})
