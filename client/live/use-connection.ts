/** How the line looks now: in full for the pill and the banner, and as a reason for every button that must not act on a stale screen. */
import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import type { ConnectionView } from './connection.ts'
import { blockedBy, connectionView, subscribeConnection } from './connection-now.ts'

export interface ConnectionNow {
  /** False while offline or when the screen is older than a minute; buttons that change something use it. */
  canMutate: boolean
  /** Why not, in words; null when it may. */
  reason: string | null
}

/** Draws again only when what may be done changes. */
export function useConnection(): ConnectionNow {
  const { t } = useTranslation('live')
  const blocked = useSyncExternalStore(subscribeConnection, blockedBy)
  return { canMutate: blocked === null, reason: blocked === null ? null : t(`blocked.${blocked}`) }
}

/** Draws again each second while there are seconds to show. */
export function useConnectionView(): ConnectionView {
  return useSyncExternalStore(subscribeConnection, connectionView)
}
