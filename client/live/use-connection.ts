/** How the line looks now, for the pill, the banner, and every button that must not act on a stale screen. */
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from '#client/app/store.ts'
import { type ConnectionView, mayMutate, viewConnection } from './connection.ts'
import { connectionStore } from './line.ts'

export interface ConnectionNow {
  view: ConnectionView
  /** False while offline or when the screen is older than a minute; buttons that change something use it. */
  canMutate: boolean
  /** Why not, in words; null when it may. */
  reason: string | null
}

export function useConnection(): ConnectionNow {
  const { t } = useTranslation('live')
  const state = useStore(connectionStore)
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const at = Math.max(now, state.heardAt, state.lostAt ?? 0)
  const view = viewConnection(state, at)
  const canMutate = mayMutate(state, at)
  return { view, canMutate, reason: canMutate ? null : view.kind === 'offline' ? t('blocked.offline') : t('blocked.stale') }
}
