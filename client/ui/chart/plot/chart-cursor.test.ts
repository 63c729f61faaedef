import { expect, test } from 'vitest'
import { moveCursor, nearestPoint, nearestValue } from './chart-cursor.ts'

const SPACE = { points: 30, series: 3 }

test.each([
  ['ArrowRight', { point: 11, series: 1 }],
  ['ArrowLeft', { point: 9, series: 1 }],
  ['Home', { point: 0, series: 1 }],
  ['End', { point: 29, series: 1 }],
  ['PageDown', { point: 17, series: 1 }],
  ['PageUp', { point: 3, series: 1 }],
  ['ArrowDown', { point: 10, series: 2 }],
  ['ArrowUp', { point: 10, series: 0 }],
])('%s moves the cursor', (key, moved) => {
  expect(moveCursor({ point: 10, series: 1 }, key, SPACE)).toEqual(moved)
})

test('the cursor stops at the ends and turns around the series', () => {
  expect(moveCursor({ point: 29, series: 2 }, 'ArrowRight', SPACE)?.point).toBe(29)
  expect(moveCursor({ point: 0, series: 2 }, 'ArrowLeft', SPACE)?.point).toBe(0)
  expect(moveCursor({ point: 0, series: 2 }, 'ArrowDown', SPACE)?.series).toBe(0)
})

test('other keys are not handled', () => {
  expect(moveCursor({ point: 1, series: 0 }, 'Tab', SPACE)).toBe(null)
  expect(moveCursor(null, 'ArrowRight', { points: 0, series: 0 })).toBe(null)
})

test('the first arrow key enters the chart from the opposite side', () => {
  expect(moveCursor(null, 'ArrowRight', SPACE)?.point).toBe(0)
  expect(moveCursor(null, 'ArrowLeft', SPACE)?.point).toBe(29)
})

test('the pointer chooses the nearest point and the nearest value', () => {
  expect(nearestPoint([10, 20, 30], 24)).toBe(1)
  expect(nearestPoint([10, 20, 30], 500)).toBe(2)
  expect(nearestValue([80, null, 30], 40)).toBe(2)
  expect(nearestValue([null, null], 40)).toBe(0)
})

test('m and M walk from one change to the next and the one before, and begin again at the ends', () => {
  const space = { ...SPACE, marks: [20, 5] }
  expect(moveCursor(null, 'm', space)?.point).toBe(5)
  expect(moveCursor({ point: 5, series: 1 }, 'm', space)).toEqual({ point: 20, series: 1 })
  expect(moveCursor({ point: 20, series: 0 }, 'm', space)?.point).toBe(5)
  expect(moveCursor({ point: 10, series: 0 }, 'M', space)?.point).toBe(5)
  expect(moveCursor({ point: 3, series: 0 }, 'm', SPACE)?.point).toBe(3)
})
