import { expect, test } from 'vitest'
import { LOAN_COLUMNS } from './loan-columns.ts'

// 1366 px less the sidebar's rail and the row-menu column
const ROOM = 1366 - 56 - 43

test('at 1366 px the amount a loan owes is visible without scrolling', () => {
  const shown = LOAN_COLUMNS.narrow.filter(({ hidden }) => hidden !== true)
  const upTo = shown.slice(0, shown.findIndex(({ id }) => id === 'outstanding') + 1)
  expect(upTo.reduce((sum, { width }) => sum + width, 0)).toBeLessThanOrEqual(ROOM)
})
