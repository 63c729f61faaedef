/** Twenty-five kills while sixteen clients move money, on every engine there is (trust.md C1, C3, C6). */
import { expect, test } from 'vitest'
import { engine, makeGround } from '#tests/support/ground.ts'
import { surviveMoneyKills } from '#tests/support/money-kills.ts'

test(`${engine}: twenty-five kills in the middle of payments lose nothing and double nothing`, async () => {
  const ground = await makeGround()
  try {
    const { seed, work, starts } = await surviveMoneyKills(ground, {
      loans: 80,
      kills: 25,
      workMs: 4_000,
    })
    console.info(`${engine}: seed ${seed}; ${work}; starts ${starts.join(', ')} ms`)
    expect(work).not.toMatch(/^0 /)
  } finally {
    await ground.drop()
  }
})
