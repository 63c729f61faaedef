import { expect, test } from 'vitest'
import { aprOf, type Span } from './apr.ts'

const every = (after: Span, instalments: readonly bigint[]) =>
  instalments.map((paise) => ({ paise, after }))
const days = (count: number, instalments: readonly bigint[]) =>
  every({ months: 0, days: count }, instalments)

test('for one instalment the rate is the cost over the received amount, times the periods of a year', () => {
  // 9,000.00 received, 10,150.00 repaid after 30 days: 1,150 / 9,000 = 12.7778 % per period,
  // × 365 / 30 = 155.463 %
  expect(aprOf({ net: 900_000n, instalments: days(30, [1_015_000n]) })).toBe(15_546)
  // 100.00 received and 110.00 repaid after a whole year
  expect(aprOf({ net: 10_000n, instalments: days(365, [11_000n]) })).toBe(1_000)
  // 7 days: 1 / 100 × 365 / 7 = 52.142857 %
  expect(aprOf({ net: 10_000n, instalments: days(7, [10_100n]) })).toBe(5_214)
})

test('for two instalments the rate is the root of the quadratic equation', () => {
  // 100 (1 + r)² = 60 (1 + r) + 60: 1 + r = (60 + √27,600) / 200 = 1.1306624, × 365 / 30 = 158.9725
  // %
  expect(aprOf({ net: 10_000n, instalments: days(30, [6_000n, 6_000n]) })).toBe(15_897)
})

test("the example of RBI's Annex B is reproduced by months, and with periods of 30 days", () => {
  // ₹20,000 less 400 of fees, 24 monthly instalments of 969.73: 1.42252 % per month, × 12 = 17.07 %
  // as in the annex; × 365 / 30 = 17.3073 %
  const monthly = Array.from({ length: 24 }, () => 96_973n)
  expect(aprOf({ net: 1_960_000n, instalments: every({ months: 1, days: 0 }, monthly) })).toBe(
    1_707,
  )
  expect(
    aprOf({
      net: 1_960_000n,
      instalments: days(30, monthly),
    }),
  ).toBe(1_731)
})

test('half a basis point rounds up, and a loan without cost has rate 0', () => {
  // with periods of 36,500 days a basis point is 1 % of the received amount: 0.5 % is half a point
  expect(
    [10_049n, 10_050n, 10_149n, 10_150n].map((back) =>
      aprOf({ net: 10_000n, instalments: days(36_500, [back]) }),
    ),
  ).toEqual([0, 1, 1, 2])
  expect([
    aprOf({ net: 10_000n, instalments: days(30, [10_000n]) }),
    aprOf({ net: 10_000n, instalments: days(30, [4_000n, 5_000n]) }),
  ]).toEqual([0, 0])
})

test('invalid loan terms are refused', () => {
  for (const terms of [
    { net: 0n, instalments: days(1, [1n]) },
    { net: 1n, instalments: days(1, []) },
    { net: 1n, instalments: days(1, [-1n]) },
    { net: 1n, instalments: days(0, [1n]) },
    { net: 1n, instalments: days(1, [10n ** 9n]) },
  ]) {
    expect(() => aprOf(terms)).toThrow(RangeError)
  }
})
