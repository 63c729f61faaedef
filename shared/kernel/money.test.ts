import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  formatBasisPoints,
  formatPaise,
  formatPaiseShort,
  parseRupees,
  share,
  splitEvenly,
} from './money.ts'

test.each([
  [0, '0.00 %'],
  [5, '0.05 %'],
  [1_234, '12.34 %'],
  [10_000, '100.00 %'],
])('%i basis points are %s', (basisPoints, text) =>
  expect(formatBasisPoints(basisPoints)).toBe(text),
)

describe('formatPaise', () => {
  test.each([
    [0, '₹0.00'],
    [5, '₹0.05'],
    [100_000, '₹1,000.00'],
    [12_345_650, '₹1,23,456.50'],
    [-12_345_650, '-₹1,23,456.50'],
    [-5, '-₹0.05'],
  ])('%i paise', (paise, text) => expect(formatPaise(paise)).toBe(text))

  test('is exact beyond what a float can divide', () => {
    expect(formatPaise(9_007_199_254_740_991)).toBe('₹9,00,71,99,25,47,409.91')
    expect(formatPaise(10n ** 20n + 1n)).toMatch(/0\.01$/)
  })

  test('a part of a paisa is a programming error', () => {
    expect(() => formatPaise(0.5)).toThrow(RangeError)
  })

  test('parseRupees reads back what formatPaise wrote', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (paise) => {
        expect(parseRupees(formatPaise(paise))).toBe(paise)
      }),
    )
  })
})

test.each([
  [4_630_099, '₹46,300'],
  [9_999_999, '₹99,999'],
  [10_000_000, '₹1.00 L'],
  [18_299_999, '₹1.82 L'],
  [999_999_999, '₹99.99 L'],
  [1_000_000_000, '₹1.00 Cr'],
  [9_889_999_999, '₹9.88 Cr'],
  [-18_200_000, '-₹1.82 L'],
])('%i paise are cut, not rounded up, to %s', (paise, text) =>
  expect(formatPaiseShort(paise)).toBe(text),
)

describe('parseRupees', () => {
  test.each([
    ['0', 0],
    ['7', 700],
    [' 7.5 ', 750],
    ['1,23,456.5', 12_345_650],
    ['₹1,23,456.50', 12_345_650],
    ['Rs. 500', 50_000],
    ['rs500', 50_000],
    ['12,34,567', 123_456_700],
    ['1,234,567', 123_456_700],
    ['1,000', 100_000],
    ['90071992547409.91', 9_007_199_254_740_991],
  ])('reads %j', (text, paise) => expect(parseRupees(text)).toBe(paise))

  test.each([
    '',
    ' ',
    '₹',
    '-3',
    '+3',
    '5.',
    '.5',
    '1.234',
    '12,34',
    '1,2345',
    ',123',
    '1,,234',
    '1 234',
    'abc',
    '1e5',
    '٣',
    '90071992547409.92',
  ])('refuses %j', (text) => expect(parseRupees(text)).toBeNull())

  test('a long text that is no amount is refused at once', () => {
    const started = performance.now()
    expect(parseRupees(`${'1'.repeat(50_000)}x`)).toBeNull()
    expect(parseRupees(`${'1,11'.repeat(10_000)}x`)).toBeNull()
    expect(parseRupees(`${' '.repeat(50_000)}x`)).toBeNull()
    expect(performance.now() - started).toBeLessThan(1_000)
  })
})

describe('share', () => {
  test('rounds half a paisa up', () => {
    expect(share(1n, 4_999n)).toBe(0n)
    expect(share(1n, 5_000n)).toBe(1n)
    expect(share(3n, 5_000n)).toBe(2n)
    expect(share(100_000n, 36n)).toBe(360n)
  })

  test('is the nearest whole paisa for every amount and rate', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 15n }),
        fc.bigInt({ min: 0n, max: 100_000n }),
        (amount, basisPoints) => {
          const error = share(amount, basisPoints) * 10_000n - amount * basisPoints
          expect(error > -5_000n && error <= 5_000n).toBe(true)
        },
      ),
    )
  })

  test('takes no negative amount or rate', () => {
    expect(() => share(-1n, 1n)).toThrow(RangeError)
    expect(() => share(1n, -1n)).toThrow(RangeError)
  })
})

describe('splitEvenly', () => {
  test('the first parts take the odd paise', () => {
    expect(splitEvenly(10n, 3)).toEqual([4n, 3n, 3n])
    expect(splitEvenly(2n, 3)).toEqual([1n, 1n, 0n])
    expect(splitEvenly(0n, 2)).toEqual([0n, 0n])
  })

  test('the parts sum to the total and differ by one paisa at most', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 18n }),
        fc.integer({ min: 1, max: 60 }),
        (total, parts) => {
          const split = splitEvenly(total, parts)
          expect(split).toHaveLength(parts)
          expect(split.reduce((sum, part) => sum + part, 0n)).toBe(total)
          expect((split[0] ?? 0n) - (split.at(-1) ?? 0n) <= 1n).toBe(true)
        },
      ),
    )
  })

  test.each([
    [10n, 0],
    [10n, 1.5],
    [10n, -1],
    [-1n, 2],
  ])('%s into %s parts is refused', (total, parts) => {
    expect(() => splitEvenly(total, parts)).toThrow(RangeError)
  })
})
