import { expect, test } from 'vitest'
import { createBatch, MANY_MS, SOON_MS } from './batch.ts'

function bench() {
  let time = 0
  let next: { at: number; run: () => void } | null = null
  const flushed: { at: number; items: readonly number[] }[] = []
  const batch = createBatch<number>(
    (items) => flushed.push({ at: time, items }),
    () => time,
    (run, ms) => {
      next = { at: time + ms, run }
      return () => {
        next = null
      }
    },
  )
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

test('the first item after a quiet period is delivered at once', () => {
  const { batch, flushed, goTo } = bench()
  goTo(1_000)
  batch.add(1)
  goTo(1_000)
  expect(flushed).toEqual([{ at: 1_000, items: [1] }])
})

test('a few items that follow are delivered together, none later than the short interval', () => {
  const { batch, flushed, goTo } = bench()
  batch.add(1)
  goTo(0)
  for (let at = 20; at <= 180; at += 20) {
    goTo(at)
    batch.add(at)
  }
  goTo(2_000)
  expect(flushed.map((f) => f.at)).toEqual([0, SOON_MS, 2 * SOON_MS])
  expect(flushed.flatMap((f) => f.items)).toHaveLength(10)
})

test('after many items at once the long interval applies until few arrive again', () => {
  const { batch, flushed, goTo } = bench()
  for (let at = 0; at <= 300; at += 5) {
    goTo(at)
    batch.add(at)
  }
  goTo(1_000)
  batch.add(1)
  goTo(1_040)
  batch.add(2)
  goTo(2_000)
  expect(flushed.map((f) => f.at)).toEqual([0, SOON_MS, SOON_MS + MANY_MS, 1_000, 1_000 + SOON_MS])
})

test('a stopped batch delivers nothing more', () => {
  const { batch, flushed, goTo } = bench()
  batch.add(1)
  batch.stop()
  goTo(1_000)
  expect(flushed).toEqual([])
})
