/** Twenty-five kills while sixteen clients move money, on every engine. */
import { expect, test } from 'vitest'
import { engine, makeChaosDatabase } from '#tests/support/chaos-database.ts'
import { surviveMoneyKills } from '#tests/support/money-kills.ts'

test(`${engine}: twenty-five kills during payments lose and duplicate nothing`, async () => {
  const chaosDatabase = await makeChaosDatabase()
  try {
    const { seed, work, starts } = await surviveMoneyKills(chaosDatabase, {
      loans: 80,
      kills: 25,
      workMs: 4_000,
    })
    console.info(`${engine}: seed ${seed}; ${work}; starts ${starts.join(', ')} ms`)
    expect(work).not.toMatch(/^0 /)
  } finally {
    await chaosDatabase.drop()
  }
})
