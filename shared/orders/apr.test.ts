import { expect, test } from 'vitest'
import { aprOf } from './apr.ts'

test('for one instalment the rate is the cost over the received amount, times the periods of a year', () => {
  // 9,000.00 received, 10,150.00 repaid after 30 days: 1,150 / 9,000 = 12.7778 % per period,
  // × 365 / 30 = 155.463 %
  expect(aprOf({ net: 900_000n, instalments: [1_015_000n], daysPerPeriod: 30 })).toBe(15_546)
  // 100.00 received and 110.00 repaid after a whole year
  expect(aprOf({ net: 10_000n, instalments: [11_000n], daysPerPeriod: 365 })).toBe(1_000)
  // 7 days: 1 / 100 × 365 / 7 = 52.142857 %
  expect(aprOf({ net: 10_000n, instalments: [10_100n], daysPerPeriod: 7 })).toBe(5_214)
})

test('for two instalments the rate is the root of the quadratic equation', () => {
  // 100 (1 + r)² = 60 (1 + r) + 60: 1 + r = (60 + √27,600) / 200 = 1.1306624, × 365 / 30 = 158.9725
  // %
  expect(aprOf({ net: 10_000n, instalments: [6_000n, 6_000n], daysPerPeriod: 30 })).toBe(15_897)
})

test("the example of RBI's Annex B is reproduced with periods of 30 days", () => {
  // ₹20,000 less 400 of fees, 24 monthly instalments of 969.73: 1.42252 % per month, × 12 = 17.07 %
  // as in the annex; × 365 / 30 = 17.3073 %
  expect(
    aprOf({
      net: 1_960_000n,
      instalments: Array.from({ length: 24 }, () => 96_973n),
      daysPerPeriod: 30,
    }),
  ).toBe(1_731)
})

test('half a basis point rounds up, and a loan without cost has rate 0', () => {
  // with periods of 36,500 days a basis point is 1 % of the received amount: 0.5 % is half a point
  expect(
    [10_049n, 10_050n, 10_149n, 10_150n].map((back) =>
      aprOf({ net: 10_000n, instalments: [back], daysPerPeriod: 36_500 }),
    ),
  ).toEqual([0, 1, 1, 2])
  expect([
    aprOf({ net: 10_000n, instalments: [10_000n], daysPerPeriod: 30 }),
    aprOf({ net: 10_000n, instalments: [4_000n, 5_000n], daysPerPeriod: 30 }),
  ]).toEqual([0, 0])
})

test('invalid loan terms are refused', () => {
  for (const terms of [
    { net: 0n, instalments: [1n], daysPerPeriod: 1 },
    { net: 1n, instalments: [], daysPerPeriod: 1 },
    { net: 1n, instalments: [-1n], daysPerPeriod: 1 },
    { net: 1n, instalments: [1n], daysPerPeriod: 0 },
    { net: 1n, instalments: [10n ** 9n], daysPerPeriod: 1 },
  ]) {
    expect(() => aprOf(terms)).toThrow(RangeError)
  }
})
