/** The console is killed while it opens days it slept through: every loan is fined once for each of them. */
import { expect, test } from 'vitest'
import { surviveDayKills } from '#tests/support/day-kills.ts'
import { engine, makeGround } from '#tests/support/ground.ts'

test(`${engine}: two kills while forty days are opened fine no loan twice and forget none`, async () => {
  const ground = await makeGround()
  try {
    const { inTheMiddle, seconds } = await surviveDayKills(ground, {
      loans: 20,
      days: 40,
      kills: 2,
    })
    console.info(`${engine}: ${inTheMiddle} kills in the middle; ${seconds} s`)
    expect(inTheMiddle).toBeGreaterThanOrEqual(1)
  } finally {
    await ground.drop()
  }
})
