import { expect, test } from 'vitest'
import {
  labelledPoints,
  plotFrame,
  textWidth,
  turnedLabels,
  xScale,
  yScale,
  yTicks,
} from './chart-scale.ts'

const days = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    key: String(index),
    label: `${index + 1} Nov 2026`,
    tick: `${index + 1} Nov`,
  }))
const INNER = { left: 50, right: 650 }

test('an axis begins at 0 and ends past the greatest value at a round step', () => {
  expect(yTicks([3, 17, 42], 'count', 200)).toEqual([0, 20, 40, 60])
  expect(yTicks([120_000_000], 'money', 200).at(-1)).toBeGreaterThanOrEqual(120_000_000)
})

test('an axis of small counts has whole steps only', () => {
  expect(yTicks([1, 2], 'count', 300)).toEqual([0, 1, 2])
})

test('negative values have room below 0', () => {
  const ticks = yTicks([-40, 90], 'count', 200)
  expect(ticks[0]).toBeLessThanOrEqual(-40)
  expect(ticks).toContain(0)
})

test('an axis of durations steps by minutes, not by hundreds of seconds', () => {
  expect(yTicks([250], 'seconds', 200)).toEqual([0, 120, 240, 360])
})

test('a chart without a value still has an axis', () => {
  expect(yTicks([], 'count', 200)).toEqual([0, 1])
})

test('lines use the whole width, bars keep a band each', () => {
  const line = xScale(days(3), INNER, false)
  const bars = xScale(days(3), INNER, true)
  expect(line.at[0]).toBeLessThan(bars.at[0] ?? 0)
  expect((bars.at[1] ?? 0) - (bars.at[0] ?? 0)).toBeGreaterThan(bars.band)
})

test('a single point stands in the middle', () => {
  expect(xScale(days(1), INNER, false).at).toEqual([350])
})

test('labels of 92 days are thinned out evenly', () => {
  const points = days(92)
  const shown = labelledPoints(points, xScale(points, INNER, false))
  expect(shown.length).toBeGreaterThan(4)
  expect(shown.length).toBeLessThan(14)
  const gaps = new Set(shown.slice(1).map((index, nr) => index - (shown[nr] ?? 0)))
  expect(gaps.size).toBe(1)
})

test('the labels of the value axis have room', () => {
  const ticks = yTicks([120_000_000], 'money', 200)
  const frame = plotFrame(600, 200, ['₹0', '₹12 L'])
  expect(frame.left).toBeGreaterThan(plotFrame(600, 200, ['0', '5']).left)
  expect(yScale(ticks, frame).of(0)).toBe(frame.bottom)
})

test('names that do not fit side by side are turned, and none is left out', () => {
  const names = Array.from({ length: 14 }, (_, nr) => ({
    key: String(nr),
    label: `Personal loan of thirty days ${nr}`,
  }))
  const frame = plotFrame(600, 260, ['0', '5'], names)
  expect(frame.labels).toBe('turned')
  const labels = turnedLabels(names, xScale(names, frame, true), frame)
  expect(labels).toHaveLength(14)
  expect(labels[0]?.text).toMatch(/^Pers.*…$/)
  expect(plotFrame(600, 260, ['0', '5'], names.slice(0, 2)).labels).toBe('names')
})

test('a turned name at the left edge is whole where it needs no more than a quarter of the width', () => {
  const names = ['Shalini Mahajan', ...Array.from({ length: 5 }, (_, nr) => `Reviewer ${nr}`)].map(
    (label) => ({ key: label, label }),
  )
  const frame = plotFrame(420, 260, ['0', '90'], names)
  expect(frame.labels).toBe('turned')
  expect(turnedLabels(names, xScale(names, frame, true), frame)[0]?.text).toBe('Shalini Mahajan')
})

test('a mark above a letter takes no room, a Chinese letter that of two', () => {
  expect(textWidth('\u0e17\u0e35\u0e48')).toBe(textWidth('\u0e17'))
  expect(textWidth('\u5229')).toBeGreaterThan(textWidth('a') * 1.5)
})
