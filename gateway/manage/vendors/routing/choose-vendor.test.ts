import { expect, test } from 'vitest'
import { inOrder } from './choose-vendor.ts'

const one = (cfgId: string, priority: number, share: number) => ({ cfgId, priority, share })
/** How often each is asked first, of 4,000 orders. */
function firsts(candidates: readonly ReturnType<typeof one>[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (let n = 0; n < 4_000; n += 1) {
    const first = inOrder(candidates, `L${n}`)[0]?.cfgId ?? ''
    counts[first] = (counts[first] ?? 0) + 1
  }
  return counts
}

test('shares split the work of one priority, and the same work meets the same vendor', () => {
  const candidates = [one('A', 1, 70), one('B', 1, 30), one('C', 2, 0)]
  const counts = firsts(candidates)
  expect((counts.A ?? 0) / 4_000).toBeCloseTo(0.7, 1)
  expect((counts.B ?? 0) / 4_000).toBeCloseTo(0.3, 1)
  expect(counts.C).toBeUndefined()
  expect(inOrder(candidates, 'L7')).toEqual(inOrder(candidates.toReversed(), 'L7'))
})

test('a vendor that leaves moves only its own work', () => {
  const [before, after] = [
    [one('A', 1, 50), one('B', 1, 30), one('C', 1, 20)],
    [one('A', 1, 50), one('C', 1, 20)],
  ]
  for (let n = 0; n < 500; n += 1) {
    const first = inOrder(before, `L${n}`)[0]?.cfgId
    if (first !== 'B') expect(inOrder(after, `L${n}`)[0]?.cfgId).toBe(first)
  }
})

test('priorities come first, a share of 0 last beside others, and without shares all are equal', () => {
  expect(
    inOrder([one('C', 2, 100), one('A', 1, 0), one('B', 1, 1)], 'L1').map((c) => c.cfgId),
  ).toEqual(['B', 'A', 'C'])
  const counts = firsts([one('A', 1, 0), one('B', 1, 0)])
  expect((counts.A ?? 0) / 4_000).toBeCloseTo(0.5, 1)
})
