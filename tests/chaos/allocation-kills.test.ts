/**
 * Kills the console while it allocates a pool: every case is allocated once and every agency gets
 * its weight.
 */
import { expect, test } from 'vitest'
import { surviveAllocationKills } from '#tests/support/allocation-kills.ts'
import { engine, makeChaosDatabase } from '#tests/support/chaos-database.ts'

test(`${engine}: three kills during an allocation of 5,000 cases duplicate and lose no case`, async () => {
  const chaosDatabase = await makeChaosDatabase()
  try {
    const { inTheMiddle, whilePlanning, seconds } = await surviveAllocationKills(chaosDatabase, {
      cases: 5_000,
      kills: 3,
    })
    console.info(
      `${engine}: ${inTheMiddle} kills in the middle, ${whilePlanning} of them while planning; ${seconds} s`,
    )
    expect(inTheMiddle).toBeGreaterThanOrEqual(1)
  } finally {
    await chaosDatabase.drop()
  }
})
