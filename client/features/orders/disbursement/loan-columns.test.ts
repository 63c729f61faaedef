import { expect, test } from 'vitest'
import { LOAN_COLUMNS } from './loan-columns.ts'

// 1366 without the sidebar's rail and the column of the row's menu
const ROOM = 1366 - 56 - 43

test('a window of 1366 shows what a loan owes without scrolling', () => {
  const shown = LOAN_COLUMNS.narrow.filter(({ hidden }) => hidden !== true)
  const upTo = shown.slice(0, shown.findIndex(({ id }) => id === 'outstanding') + 1)
  expect(upTo.reduce((sum, { width }) => sum + width, 0)).toBeLessThanOrEqual(ROOM)
})
