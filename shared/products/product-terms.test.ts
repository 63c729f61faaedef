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
  ['one without an end', [day(1, null)], true],
  ['neighbours', [day(1, 7), day(8, null)], true],
  ['one that does not begin on the first overdue day', [day(2, null)], false],
  ['one with an end', [day(1, 30)], false],
  ['a gap', [day(1, 7), day(9, null)], false],
  ['an overlap', [day(1, 7), day(7, null)], false],
  ['one after the endless one', [day(1, null), day(8, null)], false],
  ['one that ends before it begins', [day(1, 7), day(8, 7), day(8, null)], false],
  ['a cap that grows', [day(1, 7, 100), day(8, null, 500)], true],
  ['a cap that falls', [day(1, 7, 500), day(8, null, 100)], false],
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

test('a quota is found by class and number of the loan; a class without one has the product as it is', () => {
  expect([1, 2, 9].map((n) => quotaOf(QUOTA, 'new', n)?.limit)).toEqual([500_000, 800_000, 800_000])
  expect(quotaOf(QUOTA, 'old', 4)?.limit).toBe(1_500_000)
  expect(quotaOf([part('new', 1, null, 1)], 'old', 1)).toBeNull()
})

test('each class covers every loan once', () => {
  expect(isQuotaRight(QUOTA)).toBe(true)
  expect(isQuotaRight([])).toBe(true)
  expect(isQuotaRight([...QUOTA, part('old', 3, null, 1)])).toBe(false)
  expect(isQuotaRight([part('new', 1, 2, 1), part('new', 4, null, 1)])).toBe(false)
})

test('what is wrong is named by its range and its end', () => {
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
