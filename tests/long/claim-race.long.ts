/** The big race for one queue (trust.md B1, B2, B3, B6). */
import { expect, test } from 'vitest'
import { brokenInvariants } from '#gateway/manage/db/check-invariants.ts'
import { percentile, raceForQueue } from '#tests/support/claim-race.ts'
import { startStack } from '#tests/support/stack.ts'

test('fifty reviewers empty a queue of two thousand: each item is decided once, by the one who held it', async () => {
  const stack = await startStack()
  try {
    const waits = await raceForQueue(stack, { clients: 50, items: 2_000, sleepers: 80 })
    console.info(
      `${waits.length} claims: p50 ${percentile(waits, 0.5).toFixed(0)} ms, p99 ${percentile(waits, 0.99).toFixed(0)} ms, longest ${percentile(waits, 1).toFixed(0)} ms`,
    )
    await stack.settle()
    expect(await brokenInvariants(stack.database)).toEqual([])
  } finally {
    await stack.close()
  }
})
