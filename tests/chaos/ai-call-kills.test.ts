/** Kills the console while its robot calls borrowers; the sandbox repeats and loses ends of calls. */
import { expect, test } from 'vitest'
import { surviveAiCallKills } from '#tests/support/ai-call-kills.ts'
import { makeEmbeddedDatabase } from '#tests/support/chaos-database.ts'

test('four kills of a calling robot: nobody is called too often, and no end counts twice', async () => {
  const chaosDatabase = await makeEmbeddedDatabase()
  try {
    const result = await surviveAiCallKills(chaosDatabase, { tasks: 60, kills: 4, workMs: 6_000 })
    console.info(JSON.stringify(result))
    expect(result.calls).toBeGreaterThanOrEqual(60)
  } finally {
    await chaosDatabase.drop()
  }
})
