import { useText } from '#client/base/use-text.ts'
import type { BoardFigures } from '#shared/wall/wall-api.ts'
import { alertValue } from '../waited.ts'

/** The most severe unacknowledged alert, with the number of further ones. */
export function AlertBand({ alerts }: { alerts: BoardFigures['alerts'] }) {
  const t = useText('wall')
  const open = alerts
    .filter((alert) => alert.ackBy === null)
    .toSorted((a, b) => Number(b.level === 'critical') - Number(a.level === 'critical'))
  const first = open[0]
  if (!first) return null
  return (
    <p className={`band is-${first.level}`} role="alert">
      ⚠ {t(`alert.${first.key}`, { value: alertValue(first, t) })}
      {open.length > 1 ? ` +${open.length - 1}` : ''}
    </p>
  )
}
