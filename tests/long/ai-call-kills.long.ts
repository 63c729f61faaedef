/** Ten thousand calls of a robot whose console is killed every few seconds; `AI_CALLS` says how many. */
import { expect, test } from 'vitest'
import { surviveAiCallKills } from '#tests/support/ai-call-kills.ts'
import { makeEmbeddedDatabase } from '#tests/support/chaos-database.ts'

const TASKS = Number(process.env.AI_CALLS ?? 10_000)

test(`${TASKS} tasks of a robot that is killed all the time end once, within limits and hours`, async () => {
  const chaosDatabase = await makeEmbeddedDatabase()
  try {
    const given = { tasks: TASKS, kills: 30, workMs: 8_000 }
    const result = await surviveAiCallKills(chaosDatabase, given)
    console.info(JSON.stringify(result))
    expect(result.calls).toBeGreaterThanOrEqual(TASKS)
    expect(result.repeated).toBeGreaterThan(0)
  } finally {
    await chaosDatabase.drop()
  }
})
