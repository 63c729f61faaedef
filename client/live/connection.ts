/**
 * State of the connection as a plain reducer: what happened and when, without timers. The status at
 * a moment (live, reconnecting for n s, offline, stale for n s) is derived from the state and the
 * clock, because timers of a background tab are suspended.
 */
export const STALE_AMBER_MS = 15_000
export const STALE_RED_MS = 60_000
/** Shorter gaps are not reported. */
export const QUIET_GAP_MS = 3_000

export interface Connection {
  socket: 'connecting' | 'open' | 'lost'
  online: boolean
  /** When the connection was last healthy; the start of the session before the first connect. */
  receivedAt: number
  /** When it was lost; null while open. */
  lostAt: number | null
}

export type ConnectionEvent =
  | { type: 'OPENED'; at: number }
  | { type: 'LOST'; at: number }
  | { type: 'RECEIVED'; at: number }
  | { type: 'ONLINE'; at: number }
  | { type: 'OFFLINE'; at: number }

export type ConnectionView =
  | { kind: 'live' }
  | { kind: 'connecting' }
  | { kind: 'reconnecting'; seconds: number }
  | { kind: 'offline' }
  | { kind: 'stale'; seconds: number; blocked: boolean }

export function startConnection(at: number, online: boolean): Connection {
  return { socket: 'connecting', online, receivedAt: at, lostAt: null }
}

export function reduceConnection(state: Connection, event: ConnectionEvent): Connection {
  switch (event.type) {
    case 'OPENED':
      return { socket: 'open', online: true, receivedAt: event.at, lostAt: null }
    case 'LOST':
      return { ...state, socket: 'lost', lostAt: state.lostAt ?? event.at }
    case 'RECEIVED':
      // A late message of an abandoned socket does not make the connection healthy.
      return state.socket === 'open'
        ? { ...state, receivedAt: Math.max(state.receivedAt, event.at) }
        : state
    case 'ONLINE':
      return { ...state, online: true, lostAt: state.socket === 'open' ? null : state.lostAt }
    case 'OFFLINE':
      return { ...state, online: false, lostAt: state.lostAt ?? event.at }
  }
}

export function viewConnection(state: Connection, now: number): ConnectionView {
  if (!state.online) return { kind: 'offline' }
  const age = now - state.receivedAt
  if (state.socket === 'open')
    return age > STALE_AMBER_MS
      ? { kind: 'stale', seconds: Math.floor(age / 1_000), blocked: age > STALE_RED_MS }
      : { kind: 'live' }
  if (state.socket === 'connecting' && age <= QUIET_GAP_MS) return { kind: 'connecting' }
  return {
    kind: 'reconnecting',
    seconds: Math.max(0, Math.floor((now - (state.lostAt ?? state.receivedAt)) / 1_000)),
  }
}

/**
 * Money, claims and decisions are allowed only on a current screen: not offline, and with data no
 * older than a minute.
 */
export function mayMutate(state: Connection, now: number): boolean {
  return state.online && now - state.receivedAt <= STALE_RED_MS
}
