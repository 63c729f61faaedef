import { expect, test } from 'vitest'
import type { ListContext } from '#client/screen/list/list-types.ts'
import { changeMarks } from './change-marks.ts'

const context = {
  t: ((key: string, given: Record<string, string> = {}) =>
    [key, ...Object.values(given)].join(' ')) as ListContext['t'],
  language: 'en' as const,
}
// 00:10 IST of the 25th
const CHANGES = [{ at: '2026-11-24T18:40:00Z', kind: 'rule', what: 'INC01', by: 'Manager 1' }]

test('a change stands at its IST day, and says what, who and when', () => {
  const points = ['2026-11-24', '2026-11-25']
  const [mark] = changeMarks(CHANGES, 'reports:change', { isDay: true }, points, context)
  expect(mark).toMatchObject({ point: 1, isChange: true })
  expect(mark?.label).toMatch(/reports:change.rule.*INC01.*Manager 1.*00:10/)
})

test('a change stands in its week, and nowhere in a report that is not along time', () => {
  expect(
    changeMarks(CHANGES, 'change', { grain: 'week' }, ['2026-11-16', '2026-11-23'], context),
  ).toMatchObject([{ point: 1 }])
  expect(changeMarks(CHANGES, 'change', {}, ['2026-11-25'], context)).toEqual([])
})
