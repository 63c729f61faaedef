import { expect, test } from 'vitest'
import { upliftOf } from './uplift.ts'

test('an uplift is the difference of the shares, with its interval', () => {
  // Newcombe (1998), example (a): 56/70 against 48/80
  expect(upliftOf({ count: 70, reached: 56 }, { count: 80, reached: 48 })).toEqual({
    contactedRate: 8_000,
    heldOutRate: 6_000,
    difference: 2_000,
    low: 524,
    high: 3_339,
  })
})

test('equal shares have an interval around zero', () => {
  const { difference, low, high } = upliftOf(
    { count: 1_000, reached: 50 },
    { count: 1_000, reached: 50 },
  )
  expect(difference).toBe(0)
  expect(-(low ?? 0)).toBe(high)
})

test('small groups have shares but no uplift', () => {
  expect(upliftOf({ count: 500, reached: 50 }, { count: 29, reached: 1 })).toMatchObject({
    contactedRate: 1_000,
    heldOutRate: 345,
    difference: null,
  })
  expect(upliftOf({ count: 0, reached: 0 }, { count: 0, reached: 0 })).toEqual({
    contactedRate: null,
    heldOutRate: null,
    difference: null,
    low: null,
    high: null,
  })
})
