/**
 * Kills the console while sixteen clients move money, and while it pays orders out through two
 * vendors: nothing is lost or duplicated, and the books reconcile. The longer run is in tests/long.
 */
import { expect, test } from 'vitest'
import { engine, makeChaosDatabase } from '#tests/support/chaos-database.ts'
import { surviveMoneyKills } from '#tests/support/money-kills.ts'
import { survivePayoutKills } from '#tests/support/payout-kills.ts'

test(`${engine}: two kills during payments lose and duplicate nothing`, async () => {
  const chaosDatabase = await makeChaosDatabase()
  try {
    const { seed, work, starts } = await surviveMoneyKills(chaosDatabase, {
      loans: 12,
      kills: 2,
      workMs: 2_500,
    })
    console.info(`${engine}: seed ${seed}; ${work}; starts ${starts.join(', ')} ms`)
    expect(work).not.toMatch(/^0 /)
  } finally {
    await chaosDatabase.drop()
  }
})

test(`${engine}: two kills during payouts pay no order twice, and leave none without a reason`, async () => {
  const chaosDatabase = await makeChaosDatabase()
  try {
    const { first, second } = await survivePayoutKills(chaosDatabase, { orders: 18, kills: 2 })
    console.info(`${engine}: ${first} paid by the failing vendor, ${second} by the other`)
  } finally {
    await chaosDatabase.drop()
  }
})
