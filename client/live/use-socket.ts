/** Keeps the socket while the frame is shown and turns its messages into what the user sees. */
import { useEffect } from 'react'
import { hasText, translate } from '#client/base/i18n.ts'
import { call } from '#client/session/call.ts'
import { onSessionBack } from '#client/session/interruption.ts'
import { showMessage } from '#client/session/messages.ts'
import { queryClient } from '#client/session/query.ts'
import { endSession, type SessionEnd } from '#client/session/session-end.ts'
import { sessionStore, reloadMenu } from '#client/session/session-store.ts'
import { userInfo } from '#shared/session/session-api.ts'
import { MENU_CHANGED, SESSION_REVOKED } from '#shared/session/session-live.ts'
import { watchFailedViews } from './failed-views.ts'
import { closeSocket, subscribeSocket, openSocket } from './socket.ts'

const RESYNC_EVERY_MS = 10_000
const REFUSED_RETRY_MS = 3_000

export function useSocket(announce: (text: string) => void): void {
  useEffect(() => {
    let resyncedAt = -Infinity
    let later: ReturnType<typeof setTimeout> | undefined
    const readAgain = () => {
      resyncedAt = Date.now()
      later = undefined
      void queryClient.invalidateQueries()
    }
    const off = subscribeSocket({
      resync: () => {
        later ??= setTimeout(readAgain, Math.max(0, resyncedAt + RESYNC_EVERY_MS - Date.now()))
      },
      kick: (reason) => endSession(endOf(reason)),
      // The socket alone does not end a session: a call checks it, and its 401 ends it.
      refused: () =>
        void call(userInfo, {}, { quiet: true }).then(
          () => setTimeout(openAgain, REFUSED_RETRY_MS),
          () => {},
        ),
      caughtUp: (changes) => {
        const text = translate('live:caughtUp', { count: changes })
        announce(text)
        void showMessage({ intent: 'success', message: text, key: 'caught-up' })
      },
      events: (events) => {
        for (const event of events) {
          if (event.type === SESSION_REVOKED.type && concernsThisSession(event.data))
            endSession(endOf(String(event.data.reason)))
          // Another role or scope has other buttons and other rows.
          if (event.type === MENU_CHANGED.type)
            void reloadMenu().then(
              () => queryClient.invalidateQueries(),
              () => {},
            )
        }
      },
    })
    openSocket()
    const offFailed = watchFailedViews()
    const offBack = onSessionBack(() => {
      openAgain()
      readAgain()
    })
    return () => {
      clearTimeout(later)
      offFailed()
      offBack()
      off()
      closeSocket()
    }
  }, [announce])
}

function openAgain(): void {
  if (sessionStore.get().status !== 'ready') return
  closeSocket()
  openSocket()
}

/**
 * The room belongs to the user: an event that names a session may concern another device, which the
 * server then disconnects itself.
 */
function concernsThisSession(data: Record<string, unknown>): boolean {
  return data.sessionId === null || data.sessionId === undefined
}

/**
 * A logout in another tab is announced there. Every other end is reported here, and the page stays
 * for a new sign-in.
 */
function endOf(reason: string): SessionEnd {
  return reason === 'logout' ? { remember: false } : { message: endText(reason), remember: true }
}

function endText(reason: string): string {
  const key = `live:ended.${reason}`
  return hasText(key) ? translate(key) : translate('live:ended.other')
}
