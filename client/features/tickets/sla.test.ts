import { expect, test } from 'vitest'
import { slaOf } from './sla.ts'

const NOW = Date.parse('2026-11-21T06:30:00Z')
const at = (minutes: number) => new Date(NOW + minutes * 60_000).toISOString()
/** A four-hour clock that ends in so many minutes. */
const fourHours = (left: number) => slaOf(at(left), at(left - 240), NOW)

test.each([
  [239, 'calm', 'left.hours', { days: 0, hours: 3, minutes: 59 }],
  [61, 'calm', 'left.hours', { days: 0, hours: 1, minutes: 1 }],
  [60, 'warn', 'left.hours', { days: 0, hours: 1, minutes: 0 }],
  [9, 'warn', 'left.minutes', { days: 0, hours: 0, minutes: 9 }],
  [0.5, 'warn', 'left.now', { days: 0, hours: 0, minutes: 0 }],
  [0, 'warn', 'left.now', { days: 0, hours: 0, minutes: 0 }],
  [-0.5, 'bad', 'late.now', { days: 0, hours: 0, minutes: 0 }],
  [-12, 'bad', 'late.minutes', { days: 0, hours: 0, minutes: 12 }],
  [-125, 'bad', 'late.hours', { days: 0, hours: 2, minutes: 5 }],
  [-3 * 1440 - 61, 'bad', 'late.days', { days: 3, hours: 1, minutes: 1 }],
] as const)('%d minutes before its end a four-hour clock is %s', (left, tone, key, params) => {
  expect(fourHours(left)).toEqual({ tone, key, params })
})

test('the last quarter of thirty days is amber', () => {
  const month = (daysLeft: number) =>
    slaOf(at(daysLeft * 1440), at((daysLeft - 30) * 1440), NOW).tone
  expect([month(29), month(8), month(7), month(-1)]).toEqual(['calm', 'calm', 'warn', 'bad'])
})

test('a clock shortened to minutes is amber for its last ten', () => {
  expect(slaOf(at(9), at(-1), NOW).tone).toBe('warn')
  expect(slaOf(at(11), at(-1), NOW).tone).toBe('calm')
})
