import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import type { ChartData, ChartMark, ChartPoint } from '../chart-types.ts'
import { tickText } from '#client/ui/value/value-text.ts'
import {
  labelledPoints,
  type PlotFrame,
  textWidth,
  turnedLabels,
  type XScale,
  type YScale,
} from './chart-scale.ts'

/** Grid lines with their values, and the labels of the points. */
export function Axes({
  data,
  frame,
  x,
  y,
}: {
  data: ChartData
  frame: PlotFrame
  x: XScale
  y: YScale
}): ReactNode {
  const t = useText('chart')
  return (
    <g>
      {y.ticks.map((tick) => (
        <g key={tick}>
          <line
            className={tick === 0 ? 'chart-zero' : 'chart-grid'}
            x1={frame.left}
            x2={frame.right}
            y1={y.of(tick)}
            y2={y.of(tick)}
          />
          <text
            className="chart-tick"
            x={frame.left - 8}
            y={y.of(tick)}
            dy="0.32em"
            textAnchor="end"
          >
            {tickText(tick, data.format, t)}
          </text>
        </g>
      ))}
      {frame.labels === 'turned' ? <TurnedNames data={data} frame={frame} x={x} /> : null}
      {uprightLabels(data.points, frame, x).map((index) => (
        <text
          key={index}
          className="chart-tick"
          x={x.at[index]}
          y={frame.bottom + 17}
          textAnchor={anchorAt(data.points[index], x.at[index] ?? 0, frame)}
        >
          {data.points[index]?.tick ?? data.points[index]?.label}
        </text>
      ))}
    </g>
  )
}

function uprightLabels(
  points: readonly ChartPoint[],
  { labels }: PlotFrame,
  x: XScale,
): readonly number[] {
  if (labels === 'turned') return []
  return labels === 'names' ? [...points.keys()] : labelledPoints(points, x)
}

function TurnedNames({
  data: { points },
  frame,
  x,
}: {
  data: ChartData
  frame: PlotFrame
  x: XScale
}): ReactNode {
  return turnedLabels(points, x, frame).map(({ index, text, transform }) => (
    <text key={index} className="chart-tick" textAnchor="end" transform={transform}>
      {text}
    </text>
  ))
}

/** The first and last label stay inside the picture. */
function anchorAt(
  point: ChartPoint | undefined,
  x: number,
  { width }: PlotFrame,
): 'start' | 'middle' | 'end' {
  const half = textWidth(point?.tick ?? point?.label ?? '') / 2
  if (x + half > width) return 'end'
  return x < half ? 'start' : 'middle'
}

/** One line per point, however much happened there. */
function byPoint(marks: readonly ChartMark[]): [point: number, label: string][] {
  const labels = new Map<number, string>()
  for (const { point, label } of marks)
    labels.set(point, labels.has(point) ? `${labels.get(point)}\n${label}` : label)
  return [...labels]
}

/** The level to compare with, and what happened at single points. */
export function Markers({
  data: { reference, marks = [] },
  frame,
  x,
  y,
}: {
  data: ChartData
  frame: PlotFrame
  x: XScale
  y: YScale
}): ReactNode {
  return (
    <g>
      {byPoint(marks).map(([point, label]) => (
        <g key={point}>
          <line
            className="chart-mark"
            x1={x.at[point]}
            x2={x.at[point]}
            y1={frame.top}
            y2={frame.bottom}
          />
          <path className="chart-mark-head" d={`M${x.at[point] ?? 0},${frame.top}l-5,-8h10z`}>
            <title>{label}</title>
          </path>
        </g>
      ))}
      {reference === undefined ? null : (
        <g>
          <line
            className="chart-reference"
            x1={frame.left}
            x2={frame.right}
            y1={y.of(reference.value)}
            y2={y.of(reference.value)}
          />
          <text className="chart-reference-text" x={frame.left + 4} y={y.of(reference.value) - 4}>
            {reference.label}
          </text>
        </g>
      )}
    </g>
  )
}
