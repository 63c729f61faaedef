/** Steps of a funnel as bars, each with its number, the share of the step before and of all. */
import { type ReactNode, type RefObject, useRef } from 'react'
import { useText } from '#client/base/use-text.ts'
import type { ChartData, DrawnSeries } from '../chart-types.ts'
import { useWidth } from '../use-width.ts'
import { shareOf, valueText } from '../value-text.ts'
import { textWidth } from './chart-scale.ts'
import { rowsNote } from './cursor-text.ts'
import { useCursor } from './use-cursor.ts'

const ROW = 40
const BAR = 22
const GAP = 10
/** Below this width the bars would have no room beside the shares of all. */
const WIDE = 480

export interface FunnelProps {
  data: ChartData
  drawn: readonly DrawnSeries[]
  title: string
  onOpen?: ((href: string) => void) | undefined
  picture: RefObject<SVGSVGElement | null>
}

export function FunnelPlot({ data, drawn, title, onOpen, picture }: FunnelProps): ReactNode {
  const t = useText('chart')
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  const [series] = drawn
  const values = series?.values ?? []
  const most = Math.max(1, ...values.map((value) => value ?? 0))
  const lines = data.points.map((point, index) => {
    const value = values[index] ?? null
    const step = index === 0 ? null : shareOf(value, values[index - 1] ?? null)
    const ofAll = index === 0 ? null : shareOf(value, values[0] ?? null)
    return {
      ...point,
      value,
      href: series?.hrefs?.[index] ?? null,
      rows: rowsNote(series, index, t('opens')),
      note: [
        valueText(value, data.format),
        ...(step === null
          ? []
          : [
              width < WIDE
                ? valueText(step, 'percent')
                : t('ofStep', { share: valueText(step, 'percent') }),
            ]),
        ...(ofAll === null || index === 1 || width < WIDE
          ? []
          : [t('ofAll', { share: valueText(ofAll, 'percent') })]),
      ].join(' · '),
    }
  })
  const left = Math.max(0, ...lines.map(({ label }) => textWidth(label))) + GAP
  const right = Math.max(0, ...lines.map(({ note }) => textWidth(note))) + GAP
  const room = Math.max(20, width - left - right)
  const { cursor, props } = useCursor(
    { points: lines.length, series: 1 },
    (_, top) => ({
      point: Math.min(lines.length - 1, Math.max(0, Math.floor(top / ROW))),
      series: 0,
    }),
    ({ point }) => {
      const href = lines[point]?.href
      if (href) onOpen?.(href)
    },
  )
  const at = cursor?.point ?? lines.length - 1
  const height = lines.length * ROW
  return (
    <div
      ref={box}
      className={lines[cursor?.point ?? -1]?.href ? 'chart-plot has-rows' : 'chart-plot'}
      style={{ height }}
      role="slider"
      aria-label={t('along', { title })}
      aria-valuemin={1}
      aria-valuemax={Math.max(1, lines.length)}
      aria-valuenow={at + 1}
      aria-valuetext={[`${lines[at]?.label ?? ''}: ${lines[at]?.note ?? ''}`, lines[at]?.rows]
        .filter(Boolean)
        .join('. ')}
      {...props}
    >
      {width === 0 ? null : (
        <svg ref={picture} width={width} height={height} aria-hidden="true">
          {lines.map(({ key, label, value, note }, index) => {
            const middle = index * ROW + ROW / 2
            const length = ((value ?? 0) / most) * room
            return (
              <g key={key} style={{ color: series?.color }}>
                {index === cursor?.point ? (
                  <rect className="chart-band" y={index * ROW} width={width} height={ROW} />
                ) : null}
                <text className="chart-label" x={0} y={middle} dy="0.32em">
                  {label}
                </text>
                <rect
                  className="chart-bar"
                  x={left}
                  y={middle - BAR / 2}
                  width={Math.max(1, length)}
                  height={BAR}
                />
                <text className="chart-label" x={left + length + GAP / 2} y={middle} dy="0.32em">
                  {note}
                </text>
              </g>
            )
          })}
        </svg>
      )}
    </div>
  )
}
