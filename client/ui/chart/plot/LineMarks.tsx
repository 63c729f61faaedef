import type { ReactNode } from 'react'
import type { ChartData, DrawnSeries } from '../chart-types.ts'
import type { XScale, YScale } from './chart-scale.ts'
import { type LineShape, lineShape } from './chart-shape.ts'
import { markerPath } from './marker.ts'

/** Markers closer than this would hide the line. */
const CLOSEST_DOTS = 14

interface LineProps {
  data: ChartData
  drawn: readonly DrawnSeries[]
  x: XScale
  y: YScale
  hasArea: boolean
  withPrevious: boolean
}

/** A line per series; the previous period dashed, incomplete points hollow. */
export function LineMarks({ data, drawn, x, y, hasArea, withPrevious }: LineProps): ReactNode {
  return drawn.map((series) => {
    const shape = lineShape(data, series, x, y)
    return (
      <g key={series.key} style={{ color: series.color }}>
        {hasArea ? <path className="chart-under" d={shape.under} /> : null}
        {withPrevious ? <path className="chart-line is-previous" d={shape.previous} /> : null}
        <path
          className={series.isMain === true ? 'chart-line is-main' : 'chart-line'}
          d={shape.solid}
        />
        <path className="chart-line is-open" d={shape.open} />
        <Dots series={series} shape={shape} hasRoom={x.band >= CLOSEST_DOTS} />
      </g>
    )
  })
}

function Dots({
  series,
  shape,
  hasRoom,
}: {
  series: DrawnSeries
  shape: LineShape
  hasRoom: boolean
}): ReactNode {
  const dots = hasRoom ? shape.dots : shape.dots.filter((dot) => dot.isHollow)
  return dots.map((dot) => (
    <path
      key={dot.index}
      className={dot.isHollow ? 'chart-dot is-hollow' : 'chart-dot'}
      d={markerPath(series.nr, 30)}
      transform={`translate(${dot.x},${dot.y})`}
    />
  ))
}
