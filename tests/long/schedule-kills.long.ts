/** The longer version of the schedule of three cores; `SCHEDULE_MINUTES` says how long, default 10. */
import { expect, test } from 'vitest'
import { makeChaosDatabase } from '#tests/support/chaos-database.ts'
import { onLocalServer } from '#tests/support/local-server.ts'
import { surviveScheduleKills } from '#tests/support/schedule-kills.ts'

const MINUTES = Number(process.env.SCHEDULE_MINUTES ?? 10)

test(
  `over ${MINUTES} minutes each due run of three killed cores is done once, in time`,
  async () => {
    const chaosDatabase = await onLocalServer(makeChaosDatabase)
    if (chaosDatabase === null) return
    try {
      const given = { seconds: MINUTES * 60, everySeconds: 5 }
      const result = await surviveScheduleKills(chaosDatabase, given)
      console.info(JSON.stringify(result))
      expect(result.interrupted).toBeGreaterThan(0)
    } finally {
      await chaosDatabase.drop()
    }
  },
  (MINUTES + 5) * 60_000,
)
