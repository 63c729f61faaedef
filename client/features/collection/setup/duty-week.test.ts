import { expect, test } from 'vitest'
import type { Shift } from '#shared/collection/collection-sets.ts'
import { dutyFooter, hoursOf, isoWeekday, mondayOf, paint } from './duty-week.ts'

const OFF: Shift[] = ['off', 'off', 'off', 'off', 'off', 'off', 'off']

test('weekdays begin with Monday', () => {
  expect(['2026-11-16', '2026-11-21', '2026-11-22'].map(isoWeekday)).toEqual([0, 5, 6])
})

test('a week is named by its Monday across months and years', () => {
  expect(['2026-11-16', '2026-11-22', '2026-03-01', '2027-01-03'].map(mondayOf)).toEqual([
    '2026-11-16',
    '2026-11-16',
    '2026-02-23',
    '2026-12-28',
  ])
})

test('the hours of a week are the sum of its shifts', () => {
  expect(hoursOf(['day', 'morning', 'evening', 'off', 'leave', 'off', 'off'])).toBe(9 + 5 + 6)
})

test('cells, rows and columns can be painted, the hours column cannot', () => {
  const weeks = [OFF, OFF, OFF]
  expect([...paint(weeks, [{ rows: [0, 1], cols: [2, 3] }], 'day')]).toEqual([
    [0, ['off', 'off', 'day', 'day', 'off', 'off', 'off']],
    [1, ['off', 'off', 'day', 'day', 'off', 'off', 'off']],
  ])
  expect([...paint(weeks, [{ rows: [2, 2] }], 'evening')]).toEqual([
    [2, Array.from({ length: 7 }, () => 'evening')],
  ])
  expect([...paint(weeks, [{ cols: [6, 7] }], 'leave')].map(([, week]) => week[6])).toEqual([
    'leave',
    'leave',
    'leave',
  ])
  expect(
    [...paint(weeks, [{ cols: [6, 7] }], 'leave')].every(([, week]) => week.length === 7),
  ).toBe(true)
})

test('people on duty are counted per stage, without those on leave', () => {
  const people = [
    { stageIds: ['S1', 'S2'], days: ['day', ...OFF.slice(1)] as Shift[] },
    { stageIds: ['S2'], days: ['leave', ...OFF.slice(1)] as Shift[] },
  ]
  const footer = dutyFooter(people, ['S1', 'S2', 'M1'], false)
  expect(footer.map(({ counts }) => counts[0])).toEqual([1, 1, 0])
})

test('a unit is not told that nobody works the stages of others', () => {
  const people = [{ stageIds: ['S1'], days: OFF }]
  const footer = dutyFooter(people, ['S1', 'M1'], true)
  expect(footer.map(({ stageId, counts }) => [stageId, counts[0]])).toEqual([['S1', 0]])
})
