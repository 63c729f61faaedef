/** Twelve rolling restarts, four kills and four frozen cores under callers. */
import { expect, test } from 'vitest'
import { makeChaosDatabase } from '#tests/support/chaos-database.ts'
import { onLocalServer } from '#tests/support/local-server.ts'
import { surviveRestarts } from '#tests/support/restart-run.ts'

test('twelve rolling restarts and four kills fail no call', async () => {
  const chaosDatabase = await onLocalServer(() => makeChaosDatabase())
  if (chaosDatabase === null) return
  try {
    const run = await surviveRestarts(chaosDatabase, { rolls: 12, kills: 4, freezes: 4 })
    console.info(`${run.calls} calls, slowest ${JSON.stringify(run.slowest)} ms`)
    expect(run.failed).toEqual([])
    expect(run.broken).toEqual([])
    expect(run.slowest.frozen).toBeLessThan(2_500)
  } finally {
    await chaosDatabase.drop()
  }
})
