/**
 * State of the line as a plain reducer: what happened and when, never a timer. How it looks at a moment (live, reconnecting
 * since n s, offline, stale by n s) is derived from the state and the clock, because a background tab's timers sleep.
 */
export const STALE_AMBER_MS = 15_000
export const STALE_RED_MS = 60_000
/** Shorter gaps are not worth a word. */
export const QUIET_GAP_MS = 3_000

export interface Connection {
  socket: 'connecting' | 'open' | 'lost'
  online: boolean
  /** When the line was last good; the start of the session before the first connect. */
  heardAt: number
  /** When it was lost; null while open. */
  lostAt: number | null
}

export type ConnectionHappening =
  | { type: 'OPENED'; at: number }
  | { type: 'LOST'; at: number }
  | { type: 'HEARD'; at: number }
  | { type: 'ONLINE'; at: number }
  | { type: 'OFFLINE'; at: number }

export type ConnectionView =
  | { kind: 'live' }
  | { kind: 'connecting' }
  | { kind: 'reconnecting'; seconds: number }
  | { kind: 'offline' }
  | { kind: 'stale'; seconds: number; blocked: boolean }

export function startConnection(at: number, online: boolean): Connection {
  return { socket: 'connecting', online, heardAt: at, lostAt: null }
}

export function reduceConnection(state: Connection, happening: ConnectionHappening): Connection {
  switch (happening.type) {
    case 'OPENED':
      return { socket: 'open', online: true, heardAt: happening.at, lostAt: null }
    case 'LOST':
      return { ...state, socket: 'lost', lostAt: state.lostAt ?? happening.at }
    case 'HEARD':
      // A late message of a socket already given up does not make the line good.
      return state.socket === 'open'
        ? { ...state, heardAt: Math.max(state.heardAt, happening.at) }
        : state
    case 'ONLINE':
      return { ...state, online: true, lostAt: state.socket === 'open' ? null : state.lostAt }
    case 'OFFLINE':
      return { ...state, online: false, lostAt: state.lostAt ?? happening.at }
  }
}

export function viewConnection(state: Connection, now: number): ConnectionView {
  if (!state.online) return { kind: 'offline' }
  const age = now - state.heardAt
  if (state.socket === 'open')
    return age > STALE_AMBER_MS
      ? { kind: 'stale', seconds: Math.floor(age / 1_000), blocked: age > STALE_RED_MS }
      : { kind: 'live' }
  if (state.socket === 'connecting' && age <= QUIET_GAP_MS) return { kind: 'connecting' }
  return {
    kind: 'reconnecting',
    seconds: Math.max(0, Math.floor((now - (state.lostAt ?? state.heardAt)) / 1_000)),
  }
}

/** Money, claims and decisions wait until the screen is true again: not offline, and nothing older than a minute. */
export function mayMutate(state: Connection, now: number): boolean {
  return state.online && now - state.heardAt <= STALE_RED_MS
}
