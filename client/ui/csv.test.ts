import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvCell, toCsv, toTsv } from './csv.ts'

test.each(['=1+1', '+cmd|calc', '-2+3', '@SUM(A1)', '\tx', '\r=1', '＝1+1'])('%j is written as text', (text) => {
  expect(csvCell(text, 'text')).toBe(`"'${text}"`)
})

test.each(['00123', '98765432100', '123456789012'])('%s keeps its digits', (text) => {
  expect(csvCell(text, 'text')).toBe(`"'${text}"`)
})

test('a number column writes bare numbers and quotes what is none', () => {
  expect([csvCell('1234.50', 'number'), csvCell('-5', 'number'), csvCell('=1', 'number'), csvCell('-1+1', 'number')]).toEqual(['1234.50', '-5', '"\'=1"', '"\'-1+1"'])
})

test('a file starts with the byte order mark and ends each line with CR LF', () => {
  const csv = toCsv([{ a: 'x"y', b: '7' }], [{ title: 'A', text: (r) => r.a, kind: 'text' }, { title: 'B', text: (r) => r.b, kind: 'number' }])
  expect(csv).toBe('\uFEFF"A","B"\r\n"x""y",7\r\n')
})

test('no cell of any text starts a formula', () => {
  fc.assert(fc.property(fc.string(), fc.constantFrom('text' as const, 'number' as const), (text, kind) => {
    const cell = csvCell(text, kind)
    const opened = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell
    expect(/^[=+@\t\r]/.test(opened)).toBe(false)
    expect(opened.startsWith('-') && opened !== '-' ? Number.isFinite(Number(opened)) : true).toBe(true)
  }))
})

test('rows on the clipboard keep one line each', () => {
  expect(toTsv([['a\tb', 'c\nd'], ['1', '=2']])).toBe("a b\tc d\n1\t'=2")
})
