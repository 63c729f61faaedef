/** Paths and rectangles of series. Pure: from values and scales to numbers. */
import { area, line, stack, stackOffsetDiverging } from 'd3'
import { type ChartData, type DrawnSeries, isHollow } from '../chart-types.ts'
import type { XScale, YScale } from './chart-scale.ts'

type Place = readonly [x: number, y: number]

export interface LineShape {
  /** Complete values. */
  solid: string
  /** The parts that lead to or from a hollow point. */
  open: string
  previous: string
  /** Under the line, for an area. */
  under: string
  dots: readonly { index: number; x: number; y: number; isHollow: boolean }[]
}

const NOT_COUNTED = -1

export function lineShape(data: ChartData, series: DrawnSeries, x: XScale, y: YScale): LineShape {
  const places = placesOf(series.values, x, y)
  const hollow = places.map((_, index) => isHollow(data, series, index))
  const pen = line<Place | null>(
    (place) => place?.[0] ?? NOT_COUNTED,
    (place) => place?.[1] ?? NOT_COUNTED,
  ).defined((place) => place !== null)
  const fill = area<Place | null>(
    (place) => place?.[0] ?? NOT_COUNTED,
    y.zero,
    (place) => place?.[1] ?? NOT_COUNTED,
  ).defined((place) => place !== null)
  return {
    solid: pen(places.map((place, index) => (hollow[index] ? null : place))) ?? '',
    open: openRuns(places, hollow)
      .map((run) => pen([...run]) ?? '')
      .join(''),
    previous: pen(placesOf(series.previous ?? [], x, y)) ?? '',
    under: fill(places) ?? '',
    dots: places.flatMap((place, index) =>
      place === null ? [] : [{ index, x: place[0], y: place[1], isHollow: hollow[index] ?? false }],
    ),
  }
}

function placesOf(
  values: readonly (number | null)[],
  x: XScale,
  y: YScale,
): readonly (Place | null)[] {
  return x.at.map((at, index) => {
    const value = values[index] ?? null
    return value === null ? null : [at, y.of(value)]
  })
}

/** Each run of hollow points with its neighbours, so that the open part joins the solid one. */
function openRuns(
  places: readonly (Place | null)[],
  hollow: readonly boolean[],
): (readonly (Place | null)[])[] {
  const runs: (readonly (Place | null)[])[] = []
  let from = -1
  for (let index = 0; index <= places.length; index += 1) {
    if (hollow[index] ?? false) {
      if (from === -1) from = index
    } else if (from !== -1) {
      runs.push(places.slice(Math.max(0, from - 1), index + 1))
      from = -1
    }
  }
  return runs
}

export interface BarShape {
  /** Place of its series among the drawn ones. */
  series: number
  index: number
  x: number
  y: number
  width: number
  height: number
  isHollow: boolean
}

/** A dash over a bar where the previous period was. */
export interface PreviousDash {
  index: number
  series: number
  x: number
  y: number
  width: number
}

const WIDEST_BAR = 64
const SIDE_GAP = 2

/** Bars of one point side by side. */
export function barShapes(
  data: ChartData,
  drawn: readonly DrawnSeries[],
  x: XScale,
  y: YScale,
): BarShape[] {
  const width = barWidth(drawn.length, x)
  return drawn.flatMap((series, nr) =>
    x.at.flatMap((middle, index) => {
      const value = series.values[index] ?? null
      if (value === null) return []
      const end = y.of(value)
      return [
        {
          series: nr,
          index,
          x: middle + (nr - drawn.length / 2) * width,
          y: Math.min(end, y.zero),
          width: Math.max(1, width - (drawn.length > 1 ? SIDE_GAP : 0)),
          height: Math.abs(end - y.zero),
          isHollow: isHollow(data, series, index),
        },
      ]
    }),
  )
}

/** Bars of one point on top of each other. */
export function stackedShapes(
  data: ChartData,
  drawn: readonly DrawnSeries[],
  x: XScale,
  y: YScale,
): BarShape[] {
  const width = barWidth(1, x)
  const layers = stack<number, number>()
    .keys(drawn.map((_, nr) => nr))
    .value((index, nr) => drawn[nr]?.values[index] ?? 0)
    .offset(stackOffsetDiverging)(x.at.map((_, index) => index))
  return layers.flatMap((layer, nr) =>
    layer.flatMap(([low, high], index) => {
      const series = drawn[nr]
      if (series === undefined || low === high) return []
      return [
        {
          series: nr,
          index,
          x: (x.at[index] ?? 0) - width / 2,
          y: y.of(high),
          width,
          height: y.of(low) - y.of(high),
          isHollow: isHollow(data, series, index),
        },
      ]
    }),
  )
}

/** Where the previous period was: of each bar, or of the whole stack. */
export function previousDashes(
  drawn: readonly DrawnSeries[],
  x: XScale,
  y: YScale,
  isStacked: boolean,
): PreviousDash[] {
  const width = barWidth(isStacked ? 1 : drawn.length, x)
  return x.at.flatMap((middle, index) => {
    if (isStacked) {
      const value = totalAt(drawn.map(({ previous }) => previous?.[index] ?? null))
      return value === null
        ? []
        : [{ index, series: 0, x: middle - width / 2, y: y.of(value), width }]
    }
    return drawn.flatMap(({ previous }, nr) => {
      const value = previous?.[index] ?? null
      return value === null
        ? []
        : [
            {
              index,
              series: nr,
              x: middle + (nr - drawn.length / 2) * width,
              y: y.of(value),
              width,
            },
          ]
    })
  })
}

/** Sum of the values there are; null when there is none. */
export function totalAt(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0)
}

/** Every value that must fit on the axis. */
export function spannedValues(
  data: ChartData,
  drawn: readonly DrawnSeries[],
  isStacked: boolean,
  withPrevious: boolean,
): number[] {
  const current = isStacked
    ? data.points.flatMap((_, index) => {
        const values = drawn.map((series) => series.values[index] ?? 0)
        return [
          values.filter((value) => value > 0).reduce((sum, value) => sum + value, 0),
          values.filter((value) => value < 0).reduce((sum, value) => sum + value, 0),
        ]
      })
    : drawn.flatMap(({ values }) => values)
  const before = !withPrevious
    ? []
    : isStacked
      ? data.points.map((_, index) =>
          totalAt(drawn.map(({ previous }) => previous?.[index] ?? null)),
        )
      : drawn.flatMap(({ previous = [] }) => previous)
  const reference = data.reference === undefined ? [] : [data.reference.value]
  return [...current, ...before, ...reference].filter((value) => value !== null)
}

function barWidth(side: number, { band }: XScale): number {
  return Math.min(WIDEST_BAR, band / Math.max(1, side))
}
