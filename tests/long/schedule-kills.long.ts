/** The longer version of the schedule of three cores; `SCHEDULE_MINUTES` says how long, default 10. */
import { expect, test } from 'vitest'
import { engine, makeChaosDatabase } from '#tests/support/chaos-database.ts'
import { surviveScheduleKills } from '#tests/support/schedule-kills.ts'

const MINUTES = Number(process.env.SCHEDULE_MINUTES ?? 10)

test.skipIf(engine === 'PGlite')(
  `${engine}: over ${MINUTES} minutes each due run of three killed cores is done once, in time`,
  async () => {
    const chaosDatabase = await makeChaosDatabase()
    try {
      const given = { seconds: MINUTES * 60, everySeconds: 5 }
      const result = await surviveScheduleKills(chaosDatabase, given)
      console.info(`${engine}: ${JSON.stringify(result)}`)
      expect(result.interrupted).toBeGreaterThan(0)
    } finally {
      await chaosDatabase.drop()
    }
  },
  (MINUTES + 5) * 60_000,
)
