import { useEffect } from 'react'
import { useText } from '#client/base/use-text.ts'
import { useConnectionView } from '#client/live/use-connection.ts'
import { announce } from '#client/ui/feedback/announce.ts'
import { connectionWords } from './connection-words.ts'

/** Always visible; colour, dot and text have the same meaning. */
export function ConnectionPill() {
  const t = useText('live')
  const view = useConnectionView()
  const words = connectionWords(t, view)
  useEffect(() => {
    // Screen readers announce only a change of state, not the seconds.
    if (view.kind === 'offline' || view.kind === 'reconnecting')
      announce(
        t('pill.label', {
          state: view.kind === 'offline' ? t('pill.offline') : t('pill.connecting'),
        }),
      )
  }, [view.kind, t])
  return (
    <span
      className={`pill pill-${view.kind === 'stale' && view.blocked ? 'blocked' : view.kind}`}
      title={t('pill.label', { state: words })}
    >
      <span className="pill-dot" aria-hidden="true" />
      <span className="pill-text tabular">{words}</span>
    </span>
  )
}
