/**
 * What a chart shows: points along x, and series with one value per point. A chart has one unit, so
 * counts and amounts never share an axis.
 */
import type { ValueFormat } from '#client/ui/value/value-text.ts'

export type ChartKind = 'line' | 'area' | 'bar' | 'stacked' | 'funnel'

export interface ChartPoint {
  key: string
  /** In full, for the tooltip and the table. */
  label: string
  /** Under the axis; the label when it is left out. */
  tick?: string
  /** Not complete yet, such as the running day: its values are drawn hollow. */
  isHollow?: boolean
}

export interface ChartSeries {
  key: string
  label: string
  /** One value per point; null where there is none. */
  values: readonly (number | null)[]
  /** The same points of the previous period, drawn dashed. */
  previous?: readonly (number | null)[]
  /** Address of the rows behind each value. */
  hrefs?: readonly (string | null)[]
  /** Why a value has none, in words. */
  whyNots?: readonly (string | null)[]
  /** Points of this series alone that are not complete. */
  hollow?: readonly boolean[]
  /** A CSS colour instead of the palette's. */
  color?: string
  /** Drawn stronger than the others: what they are parts of. */
  isMain?: boolean
}

/** Something that happened at a point, drawn as a vertical line. */
export interface ChartMark {
  /** Index of the point. */
  point: number
  label: string
  /** Somebody did it, or it befell them: the legend can hide all such marks. */
  isChange?: boolean
}

export interface ChartData {
  points: readonly ChartPoint[]
  series: readonly ChartSeries[]
  format: ValueFormat
  /** What the dashed values are; the previous period when it is left out. */
  previousLabel?: string
  /** A level to compare with, such as a target. */
  reference?: { value: number; label: string }
  marks?: readonly ChartMark[]
}

/** A series with the colour it keeps when others are hidden. */
export interface DrawnSeries extends ChartSeries {
  color: string
  /** Its place among all series, which also chooses its marker. */
  nr: number
}

/** Number of `--chart-n` tokens in `client/app/theme.css`. */
export const PALETTE_SIZE = 8

export function drawnSeries(data: ChartData, hidden: ReadonlySet<string>): DrawnSeries[] {
  return data.series
    .map((series, nr) => ({
      ...series,
      nr,
      color: series.color ?? `var(--chart-${(nr % PALETTE_SIZE) + 1})`,
    }))
    .filter(({ key }) => !hidden.has(key))
}

export function isHollow(data: ChartData, series: ChartSeries, index: number): boolean {
  return (series.hollow?.[index] ?? false) || (data.points[index]?.isHollow ?? false)
}

export function hasPrevious(data: ChartData): boolean {
  return data.series.some(({ previous }) => previous !== undefined)
}

/** Nothing to draw: no point, or no value at any, now or before. */
export function isEmptyChart(data: ChartData): boolean {
  return data.series.every(({ values, previous = [] }) =>
    [...values, ...previous].every((value) => value === null),
  )
}
