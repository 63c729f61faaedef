import { type ReactNode, useState } from 'react'
import { useText } from '#client/base/use-text.ts'
import { type ChartData, type DrawnSeries, isHollow } from '../chart-types.ts'
import { valueText } from '#client/ui/value/value-text.ts'
import { totalAt } from './chart-shape.ts'
import type { Cursor } from './chart-cursor.ts'
import { rowsNote } from './cursor-text.ts'

/** Pixels between the point and the box. */
const GAP = 14

interface TipProps {
  data: ChartData
  drawn: readonly DrawnSeries[]
  cursor: Cursor
  /** Of the point, from the left. */
  x: number
  width: number
  withPrevious: boolean
  isStacked: boolean
}

/** The values at the cursor. Hidden from screen readers: the plot has the same as its value. */
export function ChartTip(props: TipProps): ReactNode {
  const { data, drawn, cursor, x, width, withPrevious, isStacked } = props
  const t = useText('chart')
  const [own, setOwn] = useState(0)
  const point = data.points[cursor.point]
  if (point === undefined) return null
  const left = x > width / 2 ? x - GAP - own : Math.min(x + GAP, width - own)
  const rows = rowsNote(drawn[cursor.series], cursor.point, t('opens'))
  const total = totalAt(drawn.map(({ values }) => values[cursor.point] ?? null))
  return (
    <div
      className="chart-tip"
      style={{ left: Math.max(0, left) }}
      ref={(box) => setOwn((before) => box?.offsetWidth ?? before)}
      aria-hidden="true"
    >
      <b>{point.label}</b>
      <table>
        {withPrevious && drawn.some(({ previous }) => previous !== undefined) ? (
          <thead>
            <tr>
              <td colSpan={2} />
              <td className="is-previous">{data.previousLabel ?? t('previous')}</td>
            </tr>
          </thead>
        ) : null}
        <tbody>
          {drawn.map((series, nr) => (
            <tr key={series.key} className={nr === cursor.series ? 'is-chosen' : ''}>
              <th>
                <i style={{ background: series.color }} />
                {series.label}
              </th>
              <td>{valueText(series.values[cursor.point], data.format, t)}</td>
              {withPrevious && series.previous !== undefined ? (
                <td className="is-previous">
                  {valueText(series.previous[cursor.point], data.format, t)}
                </td>
              ) : null}
            </tr>
          ))}
          {isStacked && drawn.length > 1 ? (
            <tr>
              <th>{t('total')}</th>
              <td>{valueText(total, data.format, t)}</td>
            </tr>
          ) : null}
        </tbody>
      </table>
      {drawn.some((series) => isHollow(data, series, cursor.point)) ? <p>{t('hollow')}</p> : null}
      {(data.marks ?? [])
        .filter((mark) => mark.point === cursor.point)
        .map(({ label }) => (
          <p key={label} className="chart-tip-mark">
            {label}
          </p>
        ))}
      {rows === null ? null : <p>{rows}</p>}
    </div>
  )
}
