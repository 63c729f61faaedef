/** The console is killed while people work: what was acknowledged is there, once, and the next start is quick (trust.md A3, B3, C3, C6). */
import { expect, test } from 'vitest'
import { engine, makeGround } from '#tests/support/ground.ts'
import { surviveKills } from '#tests/support/kill-run.ts'

test(`${engine}: three kills in the middle of work lose nothing and double nothing`, async () => {
  const ground = await makeGround()
  try {
    const { starts, work, payouts } = await surviveKills(ground, { kills: 3, workMs: 2_500 })
    console.info(`${ground.engine}: ${work}, ${payouts} paid out; starts ${starts.join(', ')} ms`)
    expect(payouts).toBeGreaterThan(0)
  } finally {
    await ground.drop()
  }
})
