/**
 * Kills the console while sixteen clients move money: nothing is lost or duplicated, and the books
 * reconcile. The longer run is in tests/long.
 */
import { expect, test } from 'vitest'
import { engine, makeChaosDatabase } from '#tests/support/chaos-database.ts'
import { surviveMoneyKills } from '#tests/support/money-kills.ts'

test(`${engine}: two kills during payments lose and duplicate nothing`, async () => {
  const chaosDatabase = await makeChaosDatabase()
  try {
    const { seed, work, starts } = await surviveMoneyKills(chaosDatabase, {
      loans: 12,
      kills: 2,
      workMs: 2_500,
    })
    console.info(`${engine}: seed ${seed}; ${work}; starts ${starts.join(', ')} ms`)
    expect(work).not.toMatch(/^0 /)
  } finally {
    await chaosDatabase.drop()
  }
})
