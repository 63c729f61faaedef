import { expect, test } from 'vitest'
import type { BoardFigures } from '#shared/wall/wall-api.ts'
import { dayChart } from './desk-charts.ts'

const WORDS = { recovered: 'Recovered', yesterday: 'Yesterday', target: 'Target' }
// 10:24 in India
const asOf = '2026-11-24T04:54:00.000Z'
const hours = (given: Record<number, number>, until = 24) =>
  Array.from({ length: until }, (_, hour) => given[hour] ?? 0)
const figures = (target: number | null) => ({
  hours: {
    today: hours({ 2: 500, 9: 1_000, 10: 250 }, 11),
    yesterday: hours({ 8: 700, 20: 300 }),
    weekAgo: [],
  },
  // only the target of the tiles is drawn
  tiles: { target } as BoardFigures['tiles'],
  asOf,
})

test('the day adds up by the hour and ends with the running hour, which is hollow', () => {
  const { points, series } = dayChart(figures(null), WORDS)
  const [day] = series
  const at = (hour: number) => points.findIndex(({ key }) => key === String(hour))
  expect(points[0]).toMatchObject({ label: '06:00–07:00', tick: '06:00' })
  expect(day?.values.slice(0, at(11) + 1)).toEqual([500, 500, 500, 1_500, 1_750, null])
  expect(points.filter(({ isHollow }) => isHollow)).toEqual([
    { key: '10', label: '10:00–10:24', tick: '10:00', isHollow: true },
  ])
})

test('yesterday runs to its end beside it', () => {
  const [day] = dayChart(figures(null), WORDS).series
  expect([day?.previous?.[0], day?.previous?.at(-1)]).toEqual([0, 1_000])
})

test('the target is a level, and nothing is drawn where nobody set one', () => {
  expect(dayChart(figures(5_000), WORDS).reference).toEqual({ value: 5_000, label: 'Target' })
  expect(dayChart(figures(null), WORDS)).not.toHaveProperty('reference')
})
