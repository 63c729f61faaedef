/** The large race for one queue. */
import { expect, test } from 'vitest'
import { brokenInvariants } from '#gateway/manage/db/check-invariants.ts'
import { percentile, raceForQueue } from '#tests/support/claim-race.ts'
import { startStack } from '#tests/support/stack.ts'

test('fifty reviewers empty a queue of two thousand: each item is decided once, by its holder', async () => {
  const stack = await startStack()
  try {
    const waits = await raceForQueue(stack, { clients: 50, items: 2_000, sleepers: 80 })
    const [p50, p99, longest] = [0.5, 0.99, 1].map((share) => percentile(waits, share).toFixed(0))
    console.info(`${waits.length} claims: p50 ${p50} ms, p99 ${p99} ms, longest ${longest} ms`)
    await stack.settle()
    expect(await brokenInvariants(stack.database)).toEqual([])
  } finally {
    await stack.close()
  }
})
