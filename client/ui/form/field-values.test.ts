import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseRupees } from '#shared/kernel/money.ts'
import { isoOfIstInput, istInputOfIso, rupeeText } from './field-values.ts'

test.each([
  [12_345_650, '1,23,456.50'],
  [10_000, '100'],
  [5, '0.05'],
  [null, ''],
  [Number.NaN, ''],
])('%s paise are shown as %j', (paise, text) => {
  expect(rupeeText(paise)).toBe(text)
})

test('an amount stays the same after being shown and read', () => {
  fc.assert(
    fc.property(fc.nat(10_000_000_000), (paise) => {
      expect(parseRupees(rupeeText(paise))).toBe(paise)
    }),
  )
})

test('a time typed in India time is kept as UTC', () => {
  expect(isoOfIstInput('2026-11-21T00:15')).toBe('2026-11-20T18:45:00.000Z')
  expect(istInputOfIso('2026-11-20T18:45:00.000Z')).toBe('2026-11-21T00:15')
  expect([isoOfIstInput(''), istInputOfIso(null)]).toEqual([null, ''])
})
