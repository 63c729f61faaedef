/** What the edge knows of one socket: one flat object, no closures, so that thousands are cheap. */
import type { Socket } from 'socket.io'
import type { PresenceState } from '#shared/kernel/live.ts'
import type { Pending } from './pending.ts'

export interface Connection {
  readonly socket: Socket
  /** Replaced when manage renews it. */
  token: string
  readonly cookie: string | undefined
  readonly fetchSite: string | undefined
  readonly address: string
  userId: string
  userName: string
  /** Id of the person's picture. */
  avatar: string | null
  sessionId: string
  /** Outside agency of the person; null: one of the house. */
  circle: string | null
  /** Named by manage, never by the client. */
  rooms: readonly string[]
  /** `kind:key` the tab has open, as it sent; those refused are not in here after the answer. */
  watches: string[]
  /**
   * The rows of its list, `kind:key`, as the client sent them; presence follows for those that
   * manage allows.
   */
  rows: readonly string[]
  /** In the room index; false while it is authenticated or caught up, and after it ended. */
  live: boolean
  ended: boolean
  /** Last event considered, so that a connection in two of its rooms receives it once. */
  mark: number
  /** Window of the coalescer in which it was last written to. */
  window: number
  pending: Pending | null
  /** Bytes written since the transport was last idle. */
  backlog: number
  tokens: number
  tokensAt: number
  resyncAt: number
  /** A resync waits until the last one is old enough. */
  resyncDue: boolean
  queriedAt: number
  state: PresenceState
}

export interface Handshake {
  token: string
  cookie: string | undefined
  fetchSite: string | undefined
  address: string
}

export function newConnection(socket: Socket, handshake: Handshake, now: number): Connection {
  return {
    socket,
    ...handshake,
    userId: '',
    userName: '',
    avatar: null,
    sessionId: '',
    circle: null,
    rooms: [],
    watches: [],
    rows: [],
    live: false,
    ended: false,
    mark: 0,
    window: 0,
    pending: null,
    backlog: 0,
    tokens: 0,
    tokensAt: 0,
    resyncAt: Number.NEGATIVE_INFINITY,
    resyncDue: false,
    queriedAt: now,
    state: 'online',
  }
}
