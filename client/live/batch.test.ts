import { expect, test } from 'vitest'
import { BATCH_MS, createBatch } from './batch.ts'

function bench() {
  let time = 0
  let next: { at: number; run: () => void } | null = null
  const flushed: { at: number; items: readonly number[] }[] = []
  const batch = createBatch<number>((items) => flushed.push({ at: time, items }), () => time, (run, ms) => {
    next = { at: time + ms, run }
    return () => {
      next = null
    }
  })
  const goTo = (to: number) => {
    while (next && next.at <= to) {
      time = next.at
      const { run } = next
      next = null
      run()
    }
    time = to
  }
  return { batch, flushed, goTo }
}

test('the first item of a quiet time goes at once', () => {
  const { batch, flushed, goTo } = bench()
  goTo(1_000)
  batch.add(1)
  goTo(1_000)
  expect(flushed).toEqual([{ at: 1_000, items: [1] }])
})

test('items that follow travel together, and none waits longer than the interval', () => {
  const { batch, flushed, goTo } = bench()
  batch.add(1)
  goTo(0)
  for (let at = 10; at <= 600; at += 10) {
    goTo(at)
    batch.add(at)
  }
  goTo(2_000)
  expect(flushed.map((f) => f.at)).toEqual([0, BATCH_MS, 2 * BATCH_MS, 3 * BATCH_MS])
  expect(flushed.flatMap((f) => f.items)).toHaveLength(61)
})

test('a stopped batch keeps what it has not shown to itself', () => {
  const { batch, flushed, goTo } = bench()
  batch.add(1)
  batch.stop()
  goTo(1_000)
  expect(flushed).toEqual([])
})
