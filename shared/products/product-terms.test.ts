import { expect, test } from 'vitest'
import {
  isPenaltyRight,
  isQuotaRight,
  penaltyFault,
  type ProductQuota,
  quotaFault,
  quotaOf,
} from './product-terms.ts'

const day = (dayFrom: number, dayTo: number | null, capRatio: number | null = null) => ({
  dayFrom,
  dayTo,
  rate: 10,
  capRatio,
})

test.each([
  ['none', [], true],
  ['a single open range', [day(1, null)], true],
  ['neighbours', [day(1, 7), day(8, null)], true],
  ['a range that does not start on the first overdue day', [day(2, null)], false],
  ['a single closed range', [day(1, 30)], false],
  ['a gap', [day(1, 7), day(9, null)], false],
  ['an overlap', [day(1, 7), day(7, null)], false],
  ['a range after the open one', [day(1, null), day(8, null)], false],
  ['a range that ends before it starts', [day(1, 7), day(8, 7), day(8, null)], false],
  ['an increasing cap', [day(1, 7, 100), day(8, null, 500)], true],
  ['a decreasing cap', [day(1, 7, 500), day(8, null, 100)], false],
])('penalty ranges: %s', (_, penalty, right) => expect(isPenaltyRight(penalty)).toBe(right))

const part = (
  customerClass: 'new' | 'old',
  orderNoFrom: number,
  orderNoTo: number | null,
  limit: number,
) => ({ customerClass, orderNoFrom, orderNoTo, limit, term: 1 })
const QUOTA: ProductQuota = [
  part('new', 1, 1, 500_000),
  part('new', 2, null, 800_000),
  part('old', 1, null, 1_500_000),
]

test("a quota is found by class and loan number, and a class without one uses the product's limits", () => {
  expect([1, 2, 9].map((n) => quotaOf(QUOTA, 'new', n)?.limit)).toEqual([500_000, 800_000, 800_000])
  expect(quotaOf(QUOTA, 'old', 4)?.limit).toBe(1_500_000)
  expect(quotaOf([part('new', 1, null, 1)], 'old', 1)).toBeNull()
})

test('each class covers every loan number once', () => {
  expect(isQuotaRight(QUOTA)).toBe(true)
  expect(isQuotaRight([])).toBe(true)
  expect(isQuotaRight([...QUOTA, part('old', 3, null, 1)])).toBe(false)
  expect(isQuotaRight([part('new', 1, 2, 1), part('new', 4, null, 1)])).toBe(false)
})

test('a fault names its range and its end', () => {
  expect(penaltyFault([day(1, 7), day(9, null)])).toEqual({ at: 1, part: 'from' })
  expect(penaltyFault([day(1, null), day(8, null)])).toEqual({ at: 0, part: 'to' })
  expect(penaltyFault([day(1, 7), day(8, 7), day(8, null)])).toEqual({ at: 1, part: 'to' })
  expect(penaltyFault([day(1, 7), day(8, 30)])).toEqual({ at: 1, part: 'to' })
  expect(penaltyFault([day(1, 7, 500), day(8, null, 100)])).toEqual({ at: 1, part: 'cap' })
  expect(
    quotaFault([
      part('new', 1, null, 1),
      part('old', 1, 2, 1),
      part('new', 2, null, 1),
      part('old', 4, null, 1),
    ]),
  ).toEqual({ at: 0, part: 'to' })
  expect(
    quotaFault([part('old', 1, 2, 1), part('new', 1, null, 1), part('old', 4, null, 1)]),
  ).toEqual({ at: 2, part: 'from' })
})
