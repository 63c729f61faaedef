/** Three cores are killed in turn while they run the schedule of one book, which needs PostgreSQL. */
import { expect, test } from 'vitest'
import { makeChaosDatabase } from '#tests/support/chaos-database.ts'
import { onLocalServer } from '#tests/support/local-server.ts'
import { surviveScheduleKills } from '#tests/support/schedule-kills.ts'

test('of three cores killed in turn, one does each due run, within a minute', async () => {
  const chaosDatabase = await onLocalServer(makeChaosDatabase)
  if (chaosDatabase === null) return
  try {
    const result = await surviveScheduleKills(chaosDatabase, { seconds: 45, everySeconds: 3 })
    console.info(JSON.stringify(result))
    expect(result.interrupted).toBeGreaterThan(0)
  } finally {
    await chaosDatabase.drop()
  }
})
