/** How deep the colour of each cell of a heat table is, 0 to 1. Pure. */
import { scaleLinear } from 'd3'
import { type ChartData, isHollow } from './chart-types.ts'

/** By row and column; incomplete cells neither have a depth nor set the scale. */
export function depthsOf(data: ChartData): readonly (readonly number[])[] {
  const counted = data.series.map((series) =>
    data.points.map((_, index) =>
      isHollow(data, series, index) ? null : (series.values[index] ?? null),
    ),
  )
  const most = Math.max(0, ...counted.flat().filter((value) => value !== null))
  const depth = scaleLinear([0, Math.max(1, most)], [0, 1]).clamp(true)
  return counted.map((row) => row.map((value) => (value === null ? 0 : depth(value))))
}
