import { useText } from '#client/base/use-text.ts'
import { useConnectionView } from '#client/live/use-connection.ts'
import { QUIET_GAP_MS } from '#client/live/connection.ts'

/** Explains what a lost connection means for the work; short gaps show only in the pill. */
export function ConnectionBanner() {
  const t = useText('live')
  const view = useConnectionView()
  if (view.kind === 'offline') return <p className="line-banner is-down">{t('banner.offline')}</p>
  if (view.kind === 'reconnecting' && view.seconds * 1_000 >= QUIET_GAP_MS)
    return <p className="line-banner">{t('banner.reconnecting', { seconds: view.seconds })}</p>
  if (view.kind === 'stale' && view.blocked)
    return <p className="line-banner is-down">{t('banner.stale', { seconds: view.seconds })}</p>
  return null
}
