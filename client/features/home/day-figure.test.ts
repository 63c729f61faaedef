import { expect, test } from 'vitest'
import { lineOf, trendOf } from './day-figure.ts'
import { shareOfDay } from './day-lane.ts'

test('a rise is good for a sum, bad for a time, and neither for a share without a better side', () => {
  expect(trendOf({ key: 'decidedToday', value: 4, before: 3 })).toEqual({
    arrow: '▲',
    tone: 'good',
  })
  expect(trendOf({ key: 'averageTime', value: 200, before: 180 })).toEqual({
    arrow: '▲',
    tone: 'bad',
  })
  expect(trendOf({ key: 'passedShare', value: 1, before: 9 })).toEqual({ arrow: '▼', tone: 'same' })
  expect(trendOf({ key: 'averageTime', value: null, before: 180 }).tone).toBe('same')
})

test('a line begins at seven, and a mean without a value yet stands at its first one', () => {
  const hours = Array.from({ length: 10 }, (_, hour) => (hour < 8 ? null : hour))
  expect(lineOf(hours)).toEqual([8, 8, 9])
  expect(lineOf([null, 3])).toEqual([3])
  expect(lineOf([null, null])).toEqual([])
})

test('times outside the lane are drawn at its ends', () => {
  expect(['07:10', '08:00', '13:30', '19:00', '22:00'].map(shareOfDay)).toEqual([0, 0, 0.5, 1, 1])
})
