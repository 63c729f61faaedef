import { expect, test } from 'vitest'
import { twinOf } from './chart-table.ts'
import { type ChartData, drawnSeries, isEmptyChart } from './chart-types.ts'
import { depthsOf } from './heat-depth.ts'
import { cursorText } from './plot/cursor-text.ts'
import { shareOf, tickText, valueText } from '#client/ui/value/value-text.ts'

const words = {
  t: String,
  ofStep: 'of step',
  ofAll: 'of all',
  previous: (label: string) => `${label} before`,
}
const money: ChartData = {
  points: [
    { key: '1', label: '1 Nov 2026' },
    { key: '2', label: '2 Nov 2026', isHollow: true },
  ],
  series: [
    {
      key: 'paid',
      label: 'Repaid',
      values: [123_450, null],
      previous: [100_000, 0],
      hrefs: ['/rows?day=1', null],
    },
    { key: 'due', label: 'Due', values: [200_000, 300_000] },
  ],
  format: 'money',
}

test('the table says every value of the chart in full, with its previous period', () => {
  const { heads, rows } = twinOf(money, 'line', words)
  expect(heads).toEqual(['Repaid', 'Repaid before', 'Due'])
  expect(rows.map(({ cells }) => cells.map(({ text }) => text))).toEqual([
    ['₹1,234.50', '₹1,000.00', '₹2,000.00'],
    ['—', '₹0.00', '₹3,000.00'],
  ])
  expect(rows[0]?.cells[0]?.href).toBe('/rows?day=1')
  expect(rows[1]?.cells[2]?.isHollow).toBe(true)
})

test('the table of a funnel has both shares, and none by zero', () => {
  const funnel: ChartData = {
    points: ['Registered', 'Certified', 'Applied', 'Disbursed'].map((label) => ({
      key: label,
      label,
    })),
    series: [{ key: 'n', label: 'Customers', values: [200, 50, 0, 0] }],
    format: 'count',
  }
  expect(
    twinOf(funnel, 'funnel', words).rows.map(({ cells }) => cells.map(({ text }) => text)),
  ).toEqual([
    ['200', '—', '100.00 %'],
    ['50', '25.00 %', '25.00 %'],
    ['0', '0.00 %', '0.00 %'],
    ['0', '—', '0.00 %'],
  ])
})

test('the text for screen readers has the chosen series first, then the others and what is special', () => {
  const described = {
    t: String,
    hollow: 'not complete',
    opens: 'opens rows',
    previous: (v: string) => `before ${v}`,
  }
  const drawn = drawnSeries(money, new Set())
  expect(cursorText(money, drawn, { point: 0, series: 0 }, true, described)).toBe(
    '1 Nov 2026: Repaid ₹1,234.50, before ₹1,000.00; Due ₹2,000.00. opens rows',
  )
  expect(cursorText(money, drawn, { point: 1, series: 1 }, false, described)).toBe(
    '2 Nov 2026: Due ₹3,000.00; Repaid —. not complete',
  )
  const [repaid, ...others] = drawn
  const series = [{ ...repaid, hrefs: [null, null], whyNots: ['no list', null] }, ...others]
  expect(cursorText(money, series as typeof drawn, { point: 0, series: 0 }, false, described)).toBe(
    '1 Nov 2026: Repaid ₹1,234.50; Due ₹2,000.00. no list',
  )
})

test('values are written by their unit', () => {
  const t = (key: string, params?: object) => `${key} ${JSON.stringify(params)}`
  expect(valueText(1_234_567, 'count', t)).toBe('12,34,567')
  expect(valueText(1_234, 'percent', t)).toBe('12.34 %')
  expect(valueText(161, 'seconds', t)).toMatch(/minutes.*2.*seconds.*41/)
  expect(valueText(null, 'money', t)).toBe('—')
  expect(tickText(50_000_000, 'money', t)).toBe('₹5 L')
  expect(tickText(2_500, 'percent', t)).toBe('25 %')
})

test('a share of zero is unknown', () => {
  expect(shareOf(3, 0)).toBe(null)
  expect(shareOf(1, 3)).toBe(3_333)
})

test('a chart is empty when all values are unknown, now and before; zeros are values', () => {
  const of = (values: (number | null)[], previous?: number[]): ChartData => ({
    ...money,
    series: [{ key: 'a', label: 'a', values, ...(previous ? { previous } : {}) }],
  })
  expect(isEmptyChart(of([null, null]))).toBe(true)
  expect(isEmptyChart(of([0, null]))).toBe(false)
  // before the first hour of a day yesterday is drawn
  expect(isEmptyChart(of([null, null], [3, 5]))).toBe(false)
})

test('incomplete cohorts do not set the scale of a heat table', () => {
  const cohorts: ChartData = {
    points: [
      { key: '1', label: '1' },
      { key: '7', label: '7' },
    ],
    series: [
      { key: 'a', label: 'a', values: [1_000, 2_000] },
      { key: 'b', label: 'b', values: [500, 9_000], hollow: [false, true] },
    ],
    format: 'percent',
  }
  expect(depthsOf(cohorts)).toEqual([
    [0.5, 1],
    [0.25, 0],
  ])
})
