/** A row of values as a small line beside a figure. */
import './chart.css'
import { line } from 'd3'
import type { ReactNode } from 'react'

const WIDTH = 96
const HEIGHT = 26
const EDGE = 3

export function Sparkline({
  values,
  before,
  label,
  isRunning = false,
}: {
  values: readonly number[]
  /** The period before, of full length: drawn dashed, on the same scale. */
  before?: readonly number[]
  /** Description for screen readers. */
  label: string
  /** The last value belongs to a period that is not over: its dot is hollow. */
  isRunning?: boolean
}): ReactNode {
  const most = Math.max(1, ...values, ...(before ?? []))
  const step = (WIDTH - 2 * EDGE) / Math.max(1, Math.max(values.length, before?.length ?? 0) - 1)
  const placesOf = (row: readonly number[]) =>
    row.map((value, index): [number, number] => [
      EDGE + index * step,
      HEIGHT - EDGE - (Math.max(0, value) / most) * (HEIGHT - 2 * EDGE),
    ])
  const places = placesOf(values)
  const last = places.at(-1)
  return (
    <svg
      className="sparkline"
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={label}
    >
      {before === undefined ? null : (
        <path className="sparkline-line is-before" d={line()(placesOf(before)) ?? ''} />
      )}
      <path className="sparkline-line" d={line()(places) ?? ''} />
      {last === undefined ? null : (
        <circle
          className={isRunning ? 'sparkline-dot is-hollow' : 'sparkline-dot'}
          cx={last[0]}
          cy={last[1]}
          r="2.5"
        />
      )}
    </svg>
  )
}
