import { expect, test } from 'vitest'
import { nextRun, periodSeconds } from './cycle.ts'

test('a period counts from the run', () => {
  expect(nextRun('every:90', '2026-11-21T10:00:00.000Z')).toBe('2026-11-21T10:01:30.000Z')
  expect(periodSeconds('every:90', '2026-11-21T10:00:00.000Z')).toBe(90)
})

test('cron text is read in IST', () => {
  // 00:05 IST is 18:35 UTC of the day before
  expect(nextRun('5 0 * * *', '2026-11-21T18:34:59.000Z')).toBe('2026-11-21T18:35:00.000Z')
  expect(nextRun('5 0 * * *', '2026-11-21T18:35:00.000Z')).toBe('2026-11-22T18:35:00.000Z')
  expect(periodSeconds('5 0 * * *', '2026-11-21T18:35:00.000Z')).toBe(86_400)
})

test('an hourly cron text is due each hour', () => {
  expect(nextRun('7 * * * *', '2026-11-21T10:00:00.000Z')).toBe('2026-11-21T10:37:00.000Z')
  expect(periodSeconds('7 * * * *', '2026-11-21T10:00:00.000Z')).toBe(3_600)
})

test('an invalid cycle is refused', () => {
  for (const cycle of [
    '',
    'every:0',
    'every:-5',
    'every:1.5',
    'every minute',
    '61 * * * *',
    '0 0 31 2 *',
  ])
    expect(() => nextRun(cycle, '2026-11-21T10:00:00.000Z')).toThrow(RangeError)
})
