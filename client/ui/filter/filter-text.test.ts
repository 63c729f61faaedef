import { expect, test } from 'vitest'
import { filterText } from './filter-text.ts'

const options = [
  { value: 'a', label: 'Alpha' },
  { value: 'b', label: 'Beta' },
  { value: 'c', label: 'Gamma' },
  { value: 'long', label: 'Paid with a reduction' },
]

test.each([
  ['many', ['a', 'b', 'c'], 'Alpha, Beta, +1'],
  ['many', ['long', 'a'], 'Paid with a reduction, Alpha'],
  ['many', ['long', 'a', 'b'], 'Paid with a reduction, +2'],
  ['one', 'b', 'Beta'],
  ['one', 'gone', 'gone'],
  ['flag', true, '✓'],
  ['money', { from: 10_000 }, '≥ ₹100.00'],
  ['money', { from: 10_000, to: 50_000 }, '₹100.00 – ₹500.00'],
  ['int', { to: 30 }, '≤ 30'],
  ['day', { from: '2026-11-20', to: '2026-11-20' }, '20 Nov 2026'],
  ['text', undefined, ''],
] as const)('the filter text of %s %j is %j', (kind, value, text) => {
  expect(filterText(kind, value, options, 'en')).toBe(text)
})
