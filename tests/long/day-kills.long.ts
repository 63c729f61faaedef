/** The big version of the kills while missed days are opened. */
import { expect, test } from 'vitest'
import { surviveDayKills } from '#tests/support/day-kills.ts'
import { engine, makeGround } from '#tests/support/ground.ts'

test(`${engine}: twelve kills while sixty days of three hundred loans are opened fine no loan twice and forget none`, async () => {
  const ground = await makeGround()
  try {
    const { inTheMiddle, seconds } = await surviveDayKills(ground, {
      loans: 300,
      days: 60,
      kills: 12,
    })
    console.info(`${engine}: ${inTheMiddle} kills in the middle; ${seconds} s`)
    expect(inTheMiddle).toBeGreaterThanOrEqual(6)
  } finally {
    await ground.drop()
  }
})
