/** Three cores are killed in turn while they run the schedule of one book. */
import { expect, test } from 'vitest'
import { engine, makeChaosDatabase } from '#tests/support/chaos-database.ts'
import { surviveScheduleKills } from '#tests/support/schedule-kills.ts'

test.skipIf(engine === 'PGlite')(
  `${engine}: of three cores killed in turn, one does each due run, within a minute`,
  async () => {
    const chaosDatabase = await makeChaosDatabase()
    try {
      const result = await surviveScheduleKills(chaosDatabase, { seconds: 45, everySeconds: 3 })
      console.info(`${engine}: ${JSON.stringify(result)}`)
      expect(result.interrupted).toBeGreaterThan(0)
    } finally {
      await chaosDatabase.drop()
    }
  },
)
