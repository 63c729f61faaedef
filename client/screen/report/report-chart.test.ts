import { expect, test } from 'vitest'
import type { ListContext } from '#client/screen/list/list-types.ts'
import { chartOf, groupText, kindOf } from './report-chart.ts'
import { nextSort, sortRows } from './report-rows.ts'
import type { Dimension, Measure, ReportAnswer } from './report-types.ts'

interface Row {
  day: string
  stageId: string
  disbursed: number
  amount: number | null
}

const row = (day: string, disbursed: number, stageId = 'S1'): Row => ({
  day,
  stageId,
  disbursed,
  amount: disbursed * 1_000,
})
const DAY: Dimension<Row> = { name: 'day', field: 'day', isDay: true }
const MEASURES: Measure<Row>[] = [
  { field: 'disbursed', format: 'count', href: ({ day }) => `/loans?day=${day}` },
  { field: 'amount', format: 'money', isHollow: ({ disbursed }) => disbursed > 5 },
]
const REPORT = { measures: MEASURES, words: 'col', texts: ['reports'] } as const
// Only texts and language are used.
const context = {
  language: 'en',
  t: (key: string, params?: Record<string, unknown>) =>
    params === undefined ? key : `${key} ${String(params.time)}`,
} as ListContext
const answer: ReportAnswer<Row> = {
  rows: [row('2026-11-22', 4), row('2026-11-23', 0), row('2026-11-24', 7)],
  previous: [row('2026-11-19', 1), row('2026-11-21', 3)],
  // 14:32 in India
  asOf: '2026-11-24T09:02:00.000Z',
}
const given = { answer, dateFrom: '2026-11-20', days: 3, context }
const LINE = { name: 'loans', kind: 'line', measures: ['disbursed'] } as const

test('each day is compared with the day one range before', () => {
  const { series } = chartOf(REPORT, LINE, DAY, given)
  expect(series[0]?.values).toEqual([4, 0, 7])
  expect(series[0]?.previous).toEqual([1, null, 3])
})

test('the running day is hollow and says until when it is counted', () => {
  const { points } = chartOf(REPORT, LINE, DAY, given)
  expect(points.map(({ isHollow = false }) => isHollow)).toEqual([false, false, true])
  expect(points[2]?.label).toBe('24 Nov 2026, chart:report.until 14:32')
  expect(points[0]).toMatchObject({ label: '22 Nov 2026', tick: '22 Nov' })
})

test('a point leads to the rows it counts', () => {
  const { series } = chartOf(REPORT, LINE, DAY, given)
  expect(series[0]?.hrefs?.[1]).toBe('/loans?day=2026-11-23')
})

test('an incomplete cohort is hollow in its measure alone', () => {
  const { series } = chartOf(REPORT, { ...LINE, measures: ['amount'] }, DAY, given)
  expect(series[0]?.hollow).toEqual([false, false, true])
  expect(series[0]?.label).toBe('reports:col.amount')
})

test('a split chart has a series per value, with gaps where a group has none', () => {
  const rows = [row('2026-11-22', 4, 'S1'), row('2026-11-22', 2, 'M1'), row('2026-11-23', 5, 'M1')]
  const split = chartOf(REPORT, { ...LINE, split: 'stageId' }, DAY, {
    ...given,
    answer: { rows, asOf: answer.asOf },
  })
  expect(split.points).toHaveLength(2)
  expect(split.series.map(({ label, values }) => [label, values])).toEqual([
    ['S1', [4, null]],
    ['M1', [2, 5]],
  ])
  expect(split.series[0]).not.toHaveProperty('previous')
})

test('groups that are no days are compared by their name', () => {
  const stage: Dimension<Row> = { name: 'stage', field: 'stageId' }
  const { series, points } = chartOf(REPORT, LINE, stage, {
    ...given,
    answer: {
      rows: [row('', 4, 'S1'), row('', 6, 'M1')],
      previous: [row('', 9, 'M1')],
      asOf: answer.asOf,
    },
  })
  expect(points.map(({ label }) => label)).toEqual(['S1', 'M1'])
  expect(series[0]?.previous).toEqual([null, 9])
  expect(groupText(row('', 1, 'T0'), { ...stage, text: () => 'Early' }, given)).toBe('Early')
})

test('rows without a value come last in both directions', () => {
  const rows = [
    { k: 'a', v: 2 },
    { k: 'b', v: null },
    { k: 'c', v: 5 },
  ]
  const order = (dir: 'asc' | 'desc') => sortRows(rows, { field: 'v', dir }).map(({ k }) => k)
  expect(order('desc')).toEqual(['c', 'a', 'b'])
  expect(order('asc')).toEqual(['a', 'c', 'b'])
})

test('a column sorts down, then up, then not', () => {
  const down = nextSort(undefined, 'v')
  const up = nextSort(down, 'v')
  expect([down?.dir, up?.dir, nextSort(up, 'v')]).toEqual(['desc', 'asc', undefined])
  expect(nextSort(up, 'w')).toEqual({ field: 'w', dir: 'desc' })
})

test('a line of groups without an order is drawn as bars', () => {
  expect(kindOf('line', DAY)).toBe('line')
  expect(kindOf('line', { grain: 'week' })).toBe('line')
  expect(kindOf('line', { isSequence: true })).toBe('line')
  expect(kindOf('line', {})).toBe('bar')
  expect(kindOf('stacked', {})).toBe('stacked')
})
