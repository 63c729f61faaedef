/** The end of a session: whoever notices it (a 401, the socket, another tab, the user) says so here, and every part clears itself. */
import { clearToken } from './token.ts'

export interface SessionEnd {
  /** Why, in words for the user; absent after a logout of his own. */
  message?: string
  /** The login page leads back to the present page. */
  remember: boolean
}

const CHANNEL = 'session'
type Heard = { type: 'ended'; end: SessionEnd } | { type: 'started' }

const listeners = new Set<(end: SessionEnd) => void>()
const startListeners = new Set<() => void>()
const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(CHANNEL)
channel?.addEventListener('message', (event: MessageEvent<Heard>) => {
  if (event.data.type === 'ended') tellAll(event.data.end)
  else for (const listener of startListeners) listener()
})

let isOwn = false

/** What follows is this person's own doing: the server's news of it, which may come first, says nothing new. @returns call it when nothing came of it */
export function expectEnd(): () => void {
  isOwn = true
  return () => {
    isOwn = false
  }
}

/** Forgets the token here and in every other tab of this browser. */
export function endSession(end: SessionEnd): void {
  if (isOwn && end.remember) return
  isOwn = false
  clearToken()
  channel?.postMessage({ type: 'ended', end } satisfies Heard)
  tellAll(end)
}

/** Lets tabs that wait on the login page continue. */
export function tellSessionStarted(): void {
  channel?.postMessage({ type: 'started' } satisfies Heard)
}

export function onSessionEnd(listener: (end: SessionEnd) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function onSessionStartedElsewhere(listener: () => void): () => void {
  startListeners.add(listener)
  return () => startListeners.delete(listener)
}

function tellAll(end: SessionEnd): void {
  for (const listener of listeners) listener(end)
}
