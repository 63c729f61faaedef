import { expect, test } from 'vitest'
import { reportRange } from './report-range.ts'

const TODAY = '2026-11-24'

test('without a choice the last 30 days are shown, today included', () => {
  expect(reportRange({}, TODAY)).toEqual({
    dateFrom: '2026-10-26',
    dateTo: TODAY,
    days: 30,
    isTooLong: false,
  })
  expect(reportRange({}, TODAY, { first: 7 }).dateFrom).toBe('2026-11-18')
})

test('an open end is filled', () => {
  expect(reportRange({ from: '2026-09-01' }, TODAY).dateTo).toBe('2026-09-30')
  expect(reportRange({ from: '2026-11-20' }, TODAY).dateTo).toBe(TODAY)
  expect(reportRange({ to: '2026-03-01' }, TODAY).dateFrom).toBe('2026-01-31')
})

test('more than 92 days are too many, 92 are not', () => {
  expect(reportRange({ from: '2026-08-25', to: TODAY }, TODAY).isTooLong).toBe(false)
  expect(reportRange({ from: '2026-08-24', to: TODAY }, TODAY)).toMatchObject({
    days: 93,
    isTooLong: true,
  })
})

test('ends in the wrong order are one day', () => {
  expect(reportRange({ from: '2026-11-20', to: '2026-11-10' }, TODAY)).toMatchObject({
    dateFrom: '2026-11-10',
    dateTo: '2026-11-10',
  })
})
