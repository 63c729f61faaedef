import fc from 'fast-check'
import { expect, test } from 'vitest'
import { safeCell, withoutFormula } from './safe-cell.ts'

test.each(['=1+1', '+cmd|calc', '-2+3', '@SUM(A1)', '\tx', '\r=1', '＝1+1', '＋1', '－1', '＠x'])(
  '%j does not run',
  (text) => {
    expect([safeCell(text), withoutFormula(text)]).toEqual([`'${text}`, `'${text}`])
  },
)

test.each(['00123', '98765432100', '123456789012'])(
  '%s keeps its digits where no types are',
  (text) => {
    expect([safeCell(text), withoutFormula(text)]).toEqual([`'${text}`, text])
  },
)

test.each(['', '-', 'a=b', '1234', 'R-1'])('%j stays as it is', (text) =>
  expect(safeCell(text)).toBe(text),
)

test('no text of any kind opens a formula', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(/^[=+@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/.test(safeCell(text))).toBe(false)
    }),
  )
})
