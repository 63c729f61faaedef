import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isAadhaar, verhoeffDigit } from './aadhaar.ts'

const bodies = fc
  .tuple(
    fc.integer({ min: 2, max: 9 }),
    fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 10, maxLength: 10 }),
  )
  .map(([first, rest]) => `${first}${rest.join('')}`)

test('the worked example of the algorithm has check digit 3', () => {
  expect(verhoeffDigit('236')).toBe('3')
})

test('a number with its check digit is valid, and with any other last digit invalid', () => {
  fc.assert(
    fc.property(bodies, fc.integer({ min: 1, max: 9 }), (body, shift) => {
      const digit = verhoeffDigit(body)
      expect(isAadhaar(body + digit)).toBe(true)
      expect(isAadhaar(body + ((Number(digit) + shift) % 10))).toBe(false)
    }),
  )
})

test('swapping two different adjacent digits is detected', () => {
  fc.assert(
    fc.property(bodies, fc.integer({ min: 1, max: 10 }), (body, at) => {
      const digits = [...body, verhoeffDigit(body)]
      fc.pre(digits[at] !== digits[at + 1])
      ;[digits[at], digits[at + 1]] = [digits[at + 1] as string, digits[at] as string]
      expect(isAadhaar(digits.join(''))).toBe(false)
    }),
  )
})

test('other lengths and a first digit of 0 or 1 are refused', () => {
  for (const text of ['', '123', '012345678901', '1'.repeat(12), '2345 6789 0123', '2'.repeat(13)])
    expect(isAadhaar(text)).toBe(false)
})
