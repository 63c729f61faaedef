/** The console is killed while sixteen clients move money: nothing is lost, nothing is doubled, the books reconcile (trust.md C1, C3, C6). The big version is in tests/long. */
import { expect, test } from 'vitest'
import { engine, makeGround } from '#tests/support/ground.ts'
import { surviveMoneyKills } from '#tests/support/money-kills.ts'

test(`${engine}: two kills in the middle of payments lose nothing and double nothing`, async () => {
  const ground = await makeGround()
  try {
    const { seed, work, starts } = await surviveMoneyKills(ground, {
      loans: 12,
      kills: 2,
      workMs: 2_500,
    })
    console.info(`${engine}: seed ${seed}; ${work}; starts ${starts.join(', ')} ms`)
    expect(work).not.toMatch(/^0 /)
  } finally {
    await ground.drop()
  }
})
