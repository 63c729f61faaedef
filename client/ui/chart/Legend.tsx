import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import { type ChartData, drawnSeries, hasPrevious } from './chart-types.ts'
import { markerPath } from './plot/marker.ts'

/** Key of the previous period among the hidden series; no series has an empty key. */
export const PREVIOUS = ''
/** Key of the marks of changes among the hidden series. */
export const CHANGES = ' changes'
const NONE: ReadonlySet<string> = new Set()

/** Names of the series; each is a button that hides and shows it. */
export function Legend({
  data,
  hasMarkers,
  hidden,
  onToggle,
}: {
  data: ChartData
  hasMarkers: boolean
  hidden: ReadonlySet<string>
  onToggle: (key: string) => void
}): ReactNode {
  const t = useText('chart')
  const hasChanges = (data.marks ?? []).some(({ isChange }) => isChange)
  if (data.series.length < 2 && !hasPrevious(data) && !hasChanges) return null
  const button = (key: string, label: string, swatch: ReactNode) => (
    <li key={key}>
      <button type="button" aria-pressed={!hidden.has(key)} onClick={() => onToggle(key)}>
        <svg width="14" height="12" viewBox="-7 -6 14 12" aria-hidden="true">
          {swatch}
        </svg>
        {label}
      </button>
    </li>
  )
  return (
    <ul className="chart-legend" aria-label={t('legend')}>
      {drawnSeries(data, NONE).map(({ key, label, color, nr }) =>
        button(
          key,
          label,
          hasMarkers ? (
            <path d={markerPath(nr, 60)} style={{ fill: color }} />
          ) : (
            <rect x="-5" y="-5" width="10" height="10" rx="2" style={{ fill: color }} />
          ),
        ),
      )}
      {hasPrevious(data)
        ? button(
            PREVIOUS,
            data.previousLabel ?? t('previous'),
            <path className="chart-legend-dash" d="M-7,0h14" />,
          )
        : null}
      {hasChanges
        ? button(CHANGES, t('changes'), <path className="chart-mark-head" d="M0,4l-5,-8h10z" />)
        : null}
    </ul>
  )
}
