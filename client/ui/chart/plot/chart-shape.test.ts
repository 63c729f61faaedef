import { expect, test } from 'vitest'
import { type ChartData, type DrawnSeries, drawnSeries } from '../chart-types.ts'
import {
  barShapes,
  lineShape,
  previousDashes,
  spannedValues,
  stackedShapes,
  totalAt,
} from './chart-shape.ts'

const NONE = new Set<string>()
const X = { at: [0, 10, 20, 30], band: 8 }
const Y = { of: (value: number) => 100 - value, ticks: [0, 100], zero: 100 }
const data: ChartData = {
  points: ['a', 'b', 'c', 'd'].map((key) => ({ key, label: key, isHollow: key === 'd' })),
  series: [
    { key: 'one', label: 'One', values: [10, null, 30, 40], previous: [5, 6, 7, 8] },
    { key: 'two', label: 'Two', values: [1, 2, 3, -4], previous: [null, 20, null, null] },
  ],
  format: 'count',
}
const drawn = drawnSeries(data, NONE)
// The data above have a first series.
const [first] = drawn as [DrawnSeries, ...DrawnSeries[]]

test('a line has a gap where there is no value', () => {
  const { solid, dots } = lineShape(data, first, X, Y)
  expect(solid.match(/M/g)).toHaveLength(2)
  expect(dots.map(({ index }) => index)).toEqual([0, 2, 3])
})

test('the part that leads to an incomplete point is drawn apart', () => {
  const { solid, open, dots } = lineShape(data, first, X, Y)
  expect(solid).not.toContain('30,60')
  expect(open).toBe('M20,70L30,60')
  expect(dots.at(-1)).toMatchObject({ index: 3, isHollow: true })
})

test('bars of one point stand side by side around its middle', () => {
  const bars = barShapes(data, drawn, X, Y).filter(({ index }) => index === 0)
  expect(bars.map(({ x }) => x)).toEqual([-4, 0])
  expect(bars.map(({ height }) => height)).toEqual([10, 1])
})

test('a stack begins where the series below ends, and negative values hang below 0', () => {
  const bars = stackedShapes(data, drawn, X, Y)
  const at = (index: number) => bars.filter((bar) => bar.index === index)
  expect(at(2).map(({ y, height }) => [y, height])).toEqual([
    [70, 30],
    [67, 3],
  ])
  expect(at(3)[1]).toMatchObject({ y: 100, height: 4, isHollow: true })
})

test('a stack is compared with the total of the previous period', () => {
  expect(previousDashes(drawn, X, Y, true).map(({ y }) => y)).toEqual([95, 74, 93, 92])
})

test('each bar is compared with its own previous value', () => {
  expect(previousDashes(drawn, X, Y, false)).toHaveLength(5)
})

test('a hidden series leaves the axis and the others keep their colour', () => {
  const rest = drawnSeries(data, new Set(['one']))
  expect(rest[0]).toMatchObject({ key: 'two', color: 'var(--chart-2)', nr: 1 })
  expect(Math.max(...spannedValues(data, rest, false, false))).toBe(3)
})

test('the axis holds the previous period and the reference only when they are drawn', () => {
  const withTarget = { ...data, reference: { value: 80, label: 'Target' } }
  expect(Math.max(...spannedValues(withTarget, drawn, false, false))).toBe(80)
  expect(Math.max(...spannedValues(data, drawn, true, false))).toBe(40)
})

test('a total of no values is no value', () => {
  expect(totalAt([null, null])).toBe(null)
  expect(totalAt([null, 2, 3])).toBe(5)
})
