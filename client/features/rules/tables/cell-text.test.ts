import { expect, test } from 'vitest'
import { inputField } from '#shared/rules/tables/decision-table.ts'
import { tableFaults } from '#shared/rules/tables/table-faults.ts'
import { type CellWords, cellText, readCellText, readOutputText } from './cell-text.ts'
import { draftOf, pasted, tableOf } from './table-draft.ts'

const WORDS: CellWords = {
  yes: 'Yes',
  no: 'No',
  empty: 'no value',
  options: { new: 'New customer', old: 'Returning customer' },
}
const field = (name: string) => {
  const found = inputField(name)
  if (!found) throw new Error(name)
  return found
}

test.each([
  ['orderNo', '3', { operator: 'is', value: 3 }, '3'],
  ['orderNo', ' >=3 ', { operator: 'atLeast', value: 3 }, '≥ 3'],
  ['orderNo', '≥ 3', { operator: 'atLeast', value: 3 }, '≥ 3'],
  ['orderNo', '<>3', { operator: 'isNot', value: 3 }, '≠ 3'],
  ['orderNo', '1-3', { operator: 'between', value: [1, 3] }, '1 – 3'],
  ['orderNo', '1 .. 3', { operator: 'between', value: [1, 3] }, '1 – 3'],
  ['orderNo', '1; 3 ;5', { operator: 'oneOf', value: [1, 3, 5] }, '1; 3; 5'],
  ['orderNo', '!= 1; 3', { operator: 'noneOf', value: [1, 3] }, '≠ 1; 3'],
  ['monthlyIncome', '12,000', { operator: 'is', value: 1_200_000 }, '12,000'],
  ['monthlyIncome', '> ₹1,23,456.50', { operator: 'moreThan', value: 12_345_650 }, '> 1,23,456.50'],
  ['customerClass', 'returning CUSTOMER', { operator: 'is', value: 'old' }, 'Returning customer'],
  [
    'customerClass',
    'old; new',
    { operator: 'oneOf', value: ['old', 'new'] },
    'Returning customer; New customer',
  ],
  ['cardBound', 'no', { operator: 'is', value: false }, 'No'],
  ['faceScore', 'No value', { operator: 'empty' }, 'no value'],
  ['faceScore', '≠ no value', { operator: 'notEmpty' }, '≠ no value'],
  ['orderNo', '', null, ''],
])('%s: "%s" is read and shown again', (name, typed, cell, shown) => {
  expect(readCellText(field(name), typed, WORDS)).toEqual(cell)
  expect(cellText(field(name), cell, WORDS)).toBe(shown)
})

test.each([
  ['orderNo', 'three'],
  ['orderNo', '> 3; 4'],
  ['customerClass', 'VIP'],
  ['orderNo', 'no value'],
  ['monthlyIncome', '12,34'],
])('%s: "%s" is not read', (name, typed) => {
  expect(readCellText(field(name), typed, WORDS)).toBeUndefined()
})

test('an output reads percentages and rupees', () => {
  expect(readOutputText('limit', '₹15,000')).toBe(1_500_000)
  expect(readOutputText('limitOfIncome', '200 %')).toBe(20_000)
  expect(readOutputText('dailyRate', '0.05')).toBe(5)
  expect(readOutputText('priority', 'high')).toBeUndefined()
})

test('cells pasted from a spreadsheet fill the table from the cell on and add rows', () => {
  const words = () => WORDS
  const start = draftOf(
    {
      inputs: ['customerClass', 'orderNo'],
      outputs: ['limit'],
      rows: [{ when: [null, null], gives: [100] }],
    },
    words,
  )
  const next = pasted(
    start,
    { row: 0, column: 0 },
    'old\t>=3\t20,000\r\nold\t\t15,000\r\n\t\t5,000\r\n',
  )
  expect(next.rows.map(({ cells }) => cells)).toEqual([
    ['old', '>=3', '20,000'],
    ['old', '', '15,000'],
    ['', '', '5,000'],
  ])
  const table = tableOf(next, words)
  expect(tableFaults(table)).toEqual([])
  expect(table.rows[1]).toEqual({
    when: [{ operator: 'is', value: 'old' }, null],
    gives: [1_500_000],
  })
  const wrong = tableOf(pasted(next, { row: 2, column: 2 }, 'a lot'), words)
  expect(tableFaults(wrong)).toEqual([{ fault: 'outputWhole', row: 2, column: 2 }])
})
