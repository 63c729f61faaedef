/** The longer version of the kills while missed days are opened. */
import { expect, test } from 'vitest'
import { surviveDayKills } from '#tests/support/day-kills.ts'
import { engine, makeChaosDatabase } from '#tests/support/chaos-database.ts'

test(`${engine}: twelve kills while sixty days are opened fine every loan exactly once per day`, async () => {
  const chaosDatabase = await makeChaosDatabase()
  try {
    const { inTheMiddle, seconds } = await surviveDayKills(chaosDatabase, {
      loans: 300,
      days: 60,
      kills: 12,
    })
    console.info(`${engine}: ${inTheMiddle} kills in the middle; ${seconds} s`)
    expect(inTheMiddle).toBeGreaterThanOrEqual(6)
  } finally {
    await chaosDatabase.drop()
  }
})
