import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toCsv, toTsv } from './csv.ts'

test('rows on the clipboard keep one line each', () => {
  expect(
    toTsv([
      ['a\tb', 'c\nd'],
      ['1', '=2'],
    ]),
  ).toBe("a b\tc d\n1\t'=2")
})

test('a file keeps every row, cell and character', () => {
  expect(
    toCsv([
      ['Row', 'จำนวน "เต็ม"'],
      ['=1+1', 'a,b\nc'],
    ]),
  ).toBe('\uFEFF"Row","จำนวน ""เต็ม"""\r\n"\'=1+1","a,b\nc"\r\n')
})

test('no cell of any text starts a formula', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const cell = toTsv([[text]])
      expect(/^[=+@]/.test(cell)).toBe(false)
      expect(cell.startsWith('-') ? cell : '-').toBe('-')
    }),
  )
})
