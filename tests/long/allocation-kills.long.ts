/** Twelve kills during an allocation of 100,000 cases, on every engine. */
import { expect, test } from 'vitest'
import { surviveAllocationKills } from '#tests/support/allocation-kills.ts'
import { engine, makeChaosDatabase } from '#tests/support/chaos-database.ts'

test(`${engine}: twelve kills during an allocation of 100,000 cases duplicate and lose no case`, async () => {
  const chaosDatabase = await makeChaosDatabase()
  try {
    const { inTheMiddle, whilePlanning, seconds } = await surviveAllocationKills(chaosDatabase, {
      cases: 100_000,
      kills: 12,
    })
    console.info(
      `${engine}: ${inTheMiddle} kills before the end, ${whilePlanning} while planning; ` +
        `${seconds} s with all restarts`,
    )
    expect(inTheMiddle).toBeGreaterThanOrEqual(10)
  } finally {
    await chaosDatabase.drop()
  }
})
