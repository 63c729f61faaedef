/** Twelve kills in an allocation of 100,000 cases, on every engine there is (trust.md D1, D2). */
import { expect, test } from 'vitest'
import { surviveAllocationKills } from '#tests/support/allocation-kills.ts'
import { engine, makeGround } from '#tests/support/ground.ts'

test(`${engine}: twelve kills in an allocation of 100,000 cases double none and miss none`, async () => {
  const ground = await makeGround()
  try {
    const { inTheMiddle, whilePlanning, seconds } = await surviveAllocationKills(ground, {
      cases: 100_000,
      kills: 12,
    })
    console.info(
      `${engine}: ${inTheMiddle} kills in the middle, ${whilePlanning} of them while planning; ${seconds} s with all restarts`,
    )
    expect(inTheMiddle).toBeGreaterThanOrEqual(10)
  } finally {
    await ground.drop()
  }
})
