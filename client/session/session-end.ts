/**
 * The end of a session. Any part that detects it (a 401, the socket, another tab, the user) reports
 * it here, and every part clears its own state.
 */
import { clearToken } from './token.ts'

export interface SessionEnd {
  /** The reason for the user; absent after the user's own logout. */
  message?: string
  /** The login page redirects back to the current page. */
  remember: boolean
}

const CHANNEL = 'session'
type SessionMessage = { type: 'ended'; end: SessionEnd } | { type: 'started' }

const listeners = new Set<(end: SessionEnd) => void>()
const startListeners = new Set<() => void>()
const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(CHANNEL)
channel?.addEventListener('message', (event: MessageEvent<SessionMessage>) => {
  if (event.data.type === 'ended') publishAll(event.data.end)
  else for (const listener of startListeners) listener()
})

let isOwn = false

/**
 * Announces that the user is about to end the session: the server's event about it, which may
 * arrive first, is then not reported.
 * @returns call it when the action did not happen
 */
export function expectEnd(): () => void {
  isOwn = true
  return () => {
    isOwn = false
  }
}

/** Removes the token here and in every other tab of this browser. */
export function endSession(end: SessionEnd): void {
  if (isOwn && end.remember) return
  isOwn = false
  clearToken()
  channel?.postMessage({ type: 'ended', end } satisfies SessionMessage)
  publishAll(end)
}

/** Lets tabs that wait on the login page continue. */
export function publishSessionStarted(): void {
  channel?.postMessage({ type: 'started' } satisfies SessionMessage)
}

export function onSessionEnd(listener: (end: SessionEnd) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function onSessionStartedElsewhere(listener: () => void): () => void {
  startListeners.add(listener)
  return () => startListeners.delete(listener)
}

function publishAll(end: SessionEnd): void {
  for (const listener of listeners) listener(end)
}
