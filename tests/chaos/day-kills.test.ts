/** Kills the console while it opens missed days: every loan is fined once for each of them. */
import { expect, test } from 'vitest'
import { surviveDayKills } from '#tests/support/day-kills.ts'
import { engine, makeChaosDatabase } from '#tests/support/chaos-database.ts'

test(`${engine}: two kills while forty days are opened fine every loan exactly once per day`, async () => {
  const chaosDatabase = await makeChaosDatabase()
  try {
    const { inTheMiddle, seconds } = await surviveDayKills(chaosDatabase, {
      loans: 20,
      days: 40,
      kills: 2,
    })
    console.info(`${engine}: ${inTheMiddle} kills in the middle; ${seconds} s`)
    expect(inTheMiddle).toBeGreaterThanOrEqual(1)
  } finally {
    await chaosDatabase.drop()
  }
})
