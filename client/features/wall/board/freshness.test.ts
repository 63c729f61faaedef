import { expect, test } from 'vitest'
import { ageParts, freshnessOf } from './freshness.ts'

test.each([
  [0, 'live', 0],
  [15_000, 'live', 15],
  [15_001, 'amber', 15],
  [60_000, 'amber', 60],
  [60_001, 'red', 60],
  [-5_000, 'live', 0],
])('figures received %i ms ago are %s', (age, kind, seconds) => {
  expect(freshnessOf(1_000_000, 1_000_000 + age)).toEqual({ kind, seconds })
})

test('an age is shown in its largest unit', () => {
  expect([ageParts(59), ageParts(60), ageParts(3_599), ageParts(7_300)]).toEqual([
    { unit: 'seconds', count: 59 },
    { unit: 'minutes', count: 1 },
    { unit: 'minutes', count: 59 },
    { unit: 'hours', count: 2 },
  ])
})
