/** The console is killed while it allocates a pool: every case is given once, every agency gets its weight (trust.md D1, D2). */
import { expect, test } from 'vitest'
import { surviveAllocationKills } from '#tests/support/allocation-kills.ts'
import { engine, makeGround } from '#tests/support/ground.ts'

test(`${engine}: three kills in an allocation of 5,000 cases double none and miss none`, async () => {
  const ground = await makeGround()
  try {
    const { inTheMiddle, whilePlanning, seconds } = await surviveAllocationKills(ground, {
      cases: 5_000,
      kills: 3,
    })
    console.info(
      `${engine}: ${inTheMiddle} kills in the middle, ${whilePlanning} of them while planning; ${seconds} s`,
    )
    expect(inTheMiddle).toBeGreaterThanOrEqual(1)
  } finally {
    await ground.drop()
  }
})
