/** The picture of a chart with axes: its size, its marks, its cursor. */
import { type ReactNode, type RefObject, useMemo, useRef } from 'react'
import { useText } from '#client/base/use-text.ts'
import type { ChartData, ChartKind, DrawnSeries } from '../chart-types.ts'
import { useSize } from '../use-width.ts'
import { Axes, Markers } from './Axes.tsx'
import { BarMarks } from './BarMarks.tsx'
import { type Cursor, nearestPoint, nearestValue } from './chart-cursor.ts'
import { tickText } from '#client/ui/value/value-text.ts'
import { plotFrame, xScale, yScale, yTicks } from './chart-scale.ts'
import { spannedValues } from './chart-shape.ts'
import { ChartTip } from './ChartTip.tsx'
import { cursorText } from './cursor-text.ts'
import { LineMarks } from './LineMarks.tsx'
import { markerPath } from './marker.ts'
import { useCursor } from './use-cursor.ts'

export interface PlotProps {
  data: ChartData
  kind: Exclude<ChartKind, 'funnel'>
  drawn: readonly DrawnSeries[]
  withPrevious: boolean
  /** Pixels, or what its place leaves. */
  height: number | 'fill'
  /** What the chart shows. */
  title: string
  onOpen?: ((href: string) => void) | undefined
  picture: RefObject<SVGSVGElement | null>
}

export function Plot(props: PlotProps): ReactNode {
  const { data, kind, drawn, withPrevious, title, onOpen, picture } = props
  const t = useText('chart')
  const box = useRef<HTMLDivElement>(null)
  const { width, height: seen } = useSize(box)
  const height = props.height === 'fill' ? seen : props.height
  const isStacked = kind === 'stacked'
  const hasBars = isStacked || kind === 'bar'
  const { frame, x, y } = useMemo(() => {
    const spanned = spannedValues(data, drawn, isStacked, withPrevious)
    const ticks = yTicks(spanned, data.format, height)
    // a sequence is thinned out instead, because who sees two of it knows those between
    const areNames = hasBars && data.points.every(({ tick }) => tick === undefined)
    const inner = plotFrame(
      width,
      height,
      ticks.map((tick) => tickText(tick, data.format, t)),
      areNames ? data.points : [],
    )
    return { frame: inner, x: xScale(data.points, inner, hasBars), y: yScale(ticks, inner) }
  }, [data, drawn, isStacked, hasBars, withPrevious, width, height, t])
  const heightsAt = (point: number) =>
    drawn.map(({ values }) => {
      const value = values[point] ?? null
      return value === null ? null : y.of(value)
    })
  const open = ({ point, series }: Cursor) => {
    const href = drawn[series]?.hrefs?.[point]
    if (href) onOpen?.(href)
  }
  const { cursor, props: cursorProps } = useCursor(
    {
      points: data.points.length,
      series: drawn.length,
      marks: (data.marks ?? []).map(({ point }) => point),
    },
    (left, top) => {
      const point = nearestPoint(x.at, left)
      return { point, series: nearestValue(heightsAt(point), top) }
    },
    open,
  )
  const at = cursor === null ? null : (x.at[cursor.point] ?? null)
  const words = {
    t,
    hollow: t('hollow'),
    opens: t('opens'),
    previous: (value: string) =>
      data.previousLabel === undefined
        ? t('previousValue', { value })
        : `${data.previousLabel} ${value}`,
  }
  return (
    <div
      ref={box}
      className={hasHref(drawn, cursor) ? 'chart-plot has-rows' : 'chart-plot'}
      style={props.height === 'fill' ? undefined : { height }}
      // A slider is what screen readers hand the arrow keys to; they say its value as it changes.
      role="slider"
      aria-label={t('along', { title })}
      aria-orientation="horizontal"
      aria-valuemin={1}
      aria-valuemax={Math.max(1, data.points.length)}
      aria-valuenow={(cursor?.point ?? data.points.length - 1) + 1}
      aria-valuetext={cursorText(
        data,
        drawn,
        cursor ?? { point: data.points.length - 1, series: 0 },
        withPrevious,
        words,
      )}
      {...cursorProps}
    >
      {width === 0 || height === 0 ? null : (
        <svg ref={picture} width={width} height={height} aria-hidden="true">
          <Axes data={data} frame={frame} x={x} y={y} />
          {cursor !== null && hasBars ? (
            <rect
              className="chart-band"
              x={(at ?? 0) - x.band / 2 - 4}
              width={x.band + 8}
              y={frame.top}
              height={frame.bottom - frame.top}
            />
          ) : null}
          {hasBars ? (
            <BarMarks {...{ data, drawn, x, y, isStacked, withPrevious }} />
          ) : (
            <LineMarks {...{ data, drawn, x, y, hasArea: kind === 'area', withPrevious }} />
          )}
          <Markers data={data} frame={frame} x={x} y={y} />
          {cursor !== null && !hasBars && at !== null ? (
            <g>
              <line className="chart-cursor" x1={at} x2={at} y1={frame.top} y2={frame.bottom} />
              {heightsAt(cursor.point).map((top, nr) =>
                top === null ? null : (
                  <path
                    key={drawn[nr]?.key}
                    className="chart-dot is-cursor"
                    style={{ color: drawn[nr]?.color }}
                    d={markerPath(drawn[nr]?.nr ?? 0, nr === cursor.series ? 110 : 60)}
                    transform={`translate(${at},${top})`}
                  />
                ),
              )}
            </g>
          ) : null}
        </svg>
      )}
      {cursor !== null && at !== null ? (
        <ChartTip {...{ data, drawn, cursor, x: at, width, withPrevious, isStacked }} />
      ) : null}
    </div>
  )
}

function hasHref(drawn: readonly DrawnSeries[], cursor: Cursor | null): boolean {
  return cursor !== null && Boolean(drawn[cursor.series]?.hrefs?.[cursor.point])
}
