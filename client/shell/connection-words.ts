import type { Text } from '#client/base/use-text.ts'
import type { ConnectionView } from '#client/live/connection.ts'

export function connectionWords(t: Text, view: ConnectionView): string {
  switch (view.kind) {
    case 'live':
      return t('pill.live')
    case 'connecting':
      return t('pill.connecting')
    case 'reconnecting':
      return t('pill.reconnecting', { seconds: view.seconds })
    case 'offline':
      return t('pill.offline')
    case 'stale':
      return t('pill.stale', { seconds: view.seconds })
  }
}
