/**
 * Ten thousand calls of the robot of two consoles of one PostgreSQL, of which one is killed every few
 * seconds; `AI_CALLS` says how many.
 */
import { expect, test } from 'vitest'
import { surviveAiCallKills } from '#tests/support/ai-call-kills.ts'
import { makeChaosDatabase } from '#tests/support/chaos-database.ts'
import { onLocalServer } from '#tests/support/local-server.ts'

const TASKS = Number(process.env.AI_CALLS ?? 10_000)
/** A machine that does much else besides needs more than an hour. */
const MOST_HOURS = 4

const title = `${TASKS} tasks of a robot that is killed all the time end once, within limits and hours`

test(title, { timeout: MOST_HOURS * 3_600_000 }, async () => {
  const chaosDatabase = await onLocalServer(makeChaosDatabase)
  if (chaosDatabase === null) return
  try {
    const result = await surviveAiCallKills(chaosDatabase, {
      tasks: TASKS,
      kills: 30,
      workMs: 5_000,
    })
    console.info(JSON.stringify(result))
    expect(result.calls).toBeGreaterThanOrEqual(TASKS)
    expect(result.repeated).toBeGreaterThan(0)
    expect(result.askedFor).toBeGreaterThan(0)
  } finally {
    await chaosDatabase.drop()
  }
})
