import { expect, test } from 'vitest'
import { dayRange } from './figure-filters.ts'

/** 18:29 and 18:31 UTC are on two different days in India. */
const BEFORE = Date.parse('2026-11-20T18:29:00Z')
const AFTER = Date.parse('2026-11-20T18:31:00Z')

test('without a range the last thirty IST days are requested', () => {
  expect(dayRange({}, BEFORE)).toEqual({ dateFrom: '2026-10-22', dateTo: '2026-11-20' })
  expect(dayRange({}, AFTER)).toEqual({ dateFrom: '2026-10-23', dateTo: '2026-11-21' })
})

test('an open end is filled, a reversed range becomes one day, and a longer one keeps its last 92 days', () => {
  expect(dayRange({ dateFrom: '2026-11-01' }, BEFORE)).toEqual({
    dateFrom: '2026-11-01',
    dateTo: '2026-11-20',
  })
  expect(dayRange({ dateTo: '2026-11-10' }, BEFORE)).toEqual({
    dateFrom: '2026-10-12',
    dateTo: '2026-11-10',
  })
  expect(dayRange({ dateFrom: '2026-12-01' }, BEFORE)).toEqual({
    dateFrom: '2026-12-01',
    dateTo: '2026-12-01',
  })
  expect(dayRange({ dateFrom: '2026-11-10', dateTo: '2026-11-01' }, BEFORE)).toEqual({
    dateFrom: '2026-11-01',
    dateTo: '2026-11-01',
  })
  expect(dayRange({ dateFrom: '2026-01-01', dateTo: '2026-11-20' }, BEFORE)).toEqual({
    dateFrom: '2026-08-21',
    dateTo: '2026-11-20',
  })
})
