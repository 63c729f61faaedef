/** Steps of a funnel as bars, each with its number, the share of the step before and of all. */
import { type ReactNode, type RefObject, useRef } from 'react'
import { useText } from '#client/base/use-text.ts'
import type { ChartData, DrawnSeries } from '../chart-types.ts'
import { useWidth } from '../use-width.ts'
import { percentText, shareOf, valueText } from '#client/ui/value/value-text.ts'
import { textWidth } from './chart-scale.ts'
import { rowsNote } from './cursor-text.ts'
import { useCursor } from './use-cursor.ts'

const ROW = 40
const BAR = 22
const GAP = 10
/** The part of the room beside the names that the longest bar keeps; notes that need more say less. */
const LEAST_BAR = 0.4

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
    const figure = valueText(value, data.format, t)
    const ofStep = step === null ? [] : [percentText(step)]
    const ofStepText = ofStep.map((share) => t('ofStep', { share }))
    const ofAllText =
      ofAll === null || index === 1 ? [] : [t('ofAll', { share: percentText(ofAll) })]
    return {
      ...point,
      value,
      href: series?.hrefs?.[index] ?? null,
      rows: rowsNote(series, index, t('opens')),
      /** The longest first. */
      notes: [[...ofStepText, ...ofAllText], ofStepText, ofStep].map((shares) =>
        [figure, ...shares].join(' · '),
      ) as [string, string, string],
    }
  })
  const widest = (texts: readonly string[]) => Math.max(0, ...texts.map(textWidth)) + GAP
  const left = widest(lines.map(({ label }) => label))
  const roomOf = (form: 0 | 1 | 2) => width - left - widest(lines.map(({ notes }) => notes[form]))
  const form = ([0, 1] as const).find((one) => roomOf(one) >= (width - left) * LEAST_BAR) ?? 2
  const room = Math.max(20, roomOf(form))
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
      aria-valuetext={[`${lines[at]?.label ?? ''}: ${lines[at]?.notes[0] ?? ''}`, lines[at]?.rows]
        .filter(Boolean)
        .join('. ')}
      {...props}
    >
      {width === 0 ? null : (
        <svg ref={picture} width={width} height={height} aria-hidden="true">
          {lines.map(({ key, label, value, notes }, index) => {
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
                  {notes[form]}
                </text>
              </g>
            )
          })}
        </svg>
      )}
    </div>
  )
}
