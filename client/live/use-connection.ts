/**
 * Status of the connection: in full for the pill and the banner, and as the reason of every button
 * that is disabled on a stale screen.
 */
import { useSyncExternalStore } from 'react'
import { useText } from '#client/base/use-text.ts'
import type { ConnectionView } from './connection.ts'
import { blockedBy, connectionView, subscribeConnection } from './connection-now.ts'

export interface ConnectionNow {
  /**
   * False while offline or when the screen is older than a minute; for buttons that change
   * something.
   */
  canMutate: boolean
  /** The reason in words; null when changes are allowed. */
  reason: string | null
}

/** Renders again only when the answer changes. */
export function useConnection(): ConnectionNow {
  const t = useText('live')
  const blocked = useSyncExternalStore(subscribeConnection, blockedBy)
  return { canMutate: blocked === null, reason: blocked === null ? null : t(`blocked.${blocked}`) }
}

/** Renders again each second while seconds are shown. */
export function useConnectionView(): ConnectionView {
  return useSyncExternalStore(subscribeConnection, connectionView)
}
