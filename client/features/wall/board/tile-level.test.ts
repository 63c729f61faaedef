import { expect, test } from 'vitest'
import type { BoardFigures } from '#shared/wall/wall-api.ts'
import {
  countLevel,
  dayShare,
  isBeforeDay,
  keptLevel,
  recoveredLevel,
  waitLevel,
} from './tile-level.ts'
import { shiftAt, isNight } from './comfort.ts'

const at = (clock: string): number => Date.parse(`2026-11-20T${clock}:00+05:30`)
const tiles = (more: Partial<BoardFigures['tiles']>) =>
  ({ recoveredToday: 0, target: null, ptpKeptRate: null, ...more }) as BoardFigures['tiles']

test.each([
  ['07:00', 0],
  ['08:00', 0],
  ['13:30', 0.5],
  ['19:00', 1],
  ['23:00', 1],
])('at %s %f of the working day has passed', (clock, share) => {
  expect(dayShare(at(clock))).toBe(share)
})

test.each([
  [null, 0, 'none'],
  [0, 0, 'none'],
  [1_000, 500, 'good'],
  [1_000, 499, 'warn'],
  [1_000, 400, 'warn'],
  [1_000, 399, 'bad'],
])('at half past one, %s targeted and %i collected is %s', (target, recoveredToday, level) => {
  expect(recoveredLevel(tiles({ target, recoveredToday }), at('13:30'))).toBe(level)
})

test('before the first call no amount is behind target', () => {
  expect(recoveredLevel(tiles({ target: 1_000 }), at('07:30'))).toBe('good')
  expect([isBeforeDay(at('07:59')), isBeforeDay(at('08:00')), isBeforeDay(at('00:00'))]).toEqual([
    true,
    false,
    true,
  ])
})

test('promises, waiting times and counts are compared with their limits', () => {
  expect(
    [7_000, 6_999, 6_000, 5_999].map((ptpKeptRate) => keptLevel(tiles({ ptpKeptRate }), 7_000)),
  ).toEqual(['good', 'warn', 'warn', 'bad'])
  expect([keptLevel(tiles({}), 7_000), keptLevel(tiles({ ptpKeptRate: 1 }), null)]).toEqual([
    'none',
    'none',
  ])
  const since = (minutes: number) => new Date(at('12:00') - minutes * 60_000).toISOString()
  expect([15, 16, 30, 31].map((minutes) => waitLevel(since(minutes), 30, at('12:00')))).toEqual([
    'good',
    'warn',
    'warn',
    'bad',
  ])
  expect([waitLevel(null, 30, at('12:00')), waitLevel(since(99), null, at('12:00'))]).toEqual([
    'good',
    'none',
  ])
  expect([5, 6, 10, 11].map((count) => countLevel(count, 10))).toEqual([
    'good',
    'warn',
    'warn',
    'bad',
  ])
})

test('the picture keeps moving and stays near its place', () => {
  const path = Array.from({ length: 40 }, (_, minute) => shiftAt(minute))
  path.slice(1).forEach(([x, y], n) => {
    const [left, top] = path[n] as readonly [number, number]
    expect([x, y]).not.toEqual([left, top])
    expect(Math.max(Math.abs(x), Math.abs(y))).toBeLessThanOrEqual(4)
  })
  expect([
    isNight(at('07:59')),
    isNight(at('08:00')),
    isNight(at('19:59')),
    isNight(at('20:00')),
  ]).toEqual([true, false, false, true])
})
