import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import type { ChartData, DrawnSeries } from '../chart-types.ts'
import { tickText } from '#client/ui/value/value-text.ts'
import type { XScale, YScale } from './chart-scale.ts'
import { barShapes, previousDashes, stackedShapes } from './chart-shape.ts'

/** More bars than this have no room for their values. */
const MOST_VALUES = 12

interface BarProps {
  data: ChartData
  drawn: readonly DrawnSeries[]
  x: XScale
  y: YScale
  isStacked: boolean
  withPrevious: boolean
}

/** Bars side by side or stacked; the previous period as a dashed line over them. */
export function BarMarks({ data, drawn, x, y, isStacked, withPrevious }: BarProps): ReactNode {
  const t = useText('chart')
  const bars = isStacked ? stackedShapes(data, drawn, x, y) : barShapes(data, drawn, x, y)
  return (
    <g>
      {bars.map((bar) => (
        <rect
          key={`${bar.series}:${bar.index}`}
          className={bar.isHollow ? 'chart-bar is-hollow' : 'chart-bar'}
          style={{ color: drawn[bar.series]?.color }}
          x={bar.x}
          y={bar.y}
          width={bar.width}
          height={bar.height}
        />
      ))}
      {drawn.length === 1 && bars.length <= MOST_VALUES
        ? bars.map((bar) => (
            <text
              key={bar.index}
              className="chart-label"
              x={bar.x + bar.width / 2}
              y={bar.y - 4}
              textAnchor="middle"
            >
              {tickText(drawn[0]?.values[bar.index] ?? 0, data.format, t)}
            </text>
          ))
        : null}
      {withPrevious
        ? previousDashes(drawn, x, y, isStacked).map((dash) => (
            <line
              key={`${dash.series}:${dash.index}`}
              className="chart-dash"
              x1={dash.x}
              x2={dash.x + dash.width}
              y1={dash.y}
              y2={dash.y}
            />
          ))
        : null}
    </g>
  )
}
