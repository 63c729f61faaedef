/** Cores are restarted, killed and frozen under callers who do not notice. */
import { expect, test } from 'vitest'
import { makeChaosDatabase } from '#tests/support/chaos-database.ts'
import { onLocalServer } from '#tests/support/local-server.ts'
import { surviveRestarts } from '#tests/support/restart-run.ts'

const FROZEN_COSTS_MS = 2_500

test('restarted, killed and frozen cores fail no call', async () => {
  const chaosDatabase = await onLocalServer(() => makeChaosDatabase())
  if (chaosDatabase === null) return
  try {
    const run = await surviveRestarts(chaosDatabase, { rolls: 2, kills: 1, freezes: 1 })
    console.info(`${run.calls} calls, slowest ${JSON.stringify(run.slowest)} ms`)
    expect(run.failed).toEqual([])
    expect(run.broken).toEqual([])
    expect(run.slowest.frozen).toBeLessThan(FROZEN_COSTS_MS)
  } finally {
    await chaosDatabase.drop()
  }
})
