/**
 * The socket of this tab: one connection to /ops, resumed from the cursor, read-only. Screens use
 * `useLive` and `useWatch`; this file keeps the connection and passes new events on.
 */
import type { io, Socket } from 'socket.io-client'
import { createStore } from '#client/base/store.ts'
import { CLIENT_ID } from '#client/session/ids.ts'
import { onRenewal, readToken } from '#client/session/token.ts'
import { LIVE_NAMESPACE, LIVE_PATH, type LiveEvent, type LiveFrame } from '#shared/kernel/live.ts'
import {
  type Connection,
  type ConnectionEvent,
  QUIET_GAP_MS,
  reduceConnection,
  startConnection,
} from './connection.ts'
import { createCursor } from './cursor.ts'
import { firstSeq, forgetSeq } from '#client/session/first-seq.ts'

export interface Acknowledged {
  code: number
  msg: string
  data: unknown
}

export interface SocketListener {
  events?(events: readonly LiveEvent[]): void
  /** The replay was too long: everything open must be read again. */
  resync?(): void
  kick?(reason: string): void
  /** The server refused the token. */
  refused?(): void
  opened?(): void
  /** Reconnected after a noticeable gap, with this many changes replayed. */
  caughtUp?(changes: number): void
  presence?(message: unknown): void
}

export const connectionStore = createStore<Connection>(startConnection(Date.now(), true))

const RETRY_MIN_MS = 1_000
const RETRY_MAX_MS = 5_000
/** Oldest cached answer a page may show (queryClient's staleTime) plus a second of tolerance. */
const READ_BEFORE_MS = 6_000
/** A replay is complete when nothing more arrives for this long. */
const REPLAY_QUIET_MS = 700

/** Identifies one opening, so that late work of a closed one can stop; null while closed. */
let opened: object | null = null
let socket: Socket | null = null
/** Set while the socket client could not be loaded and its next try waits. */
let loadAgain: ReturnType<typeof setTimeout> | undefined
let forgetRenewals: (() => void) | null = null
let cursor = createCursor()
const listeners = new Set<SocketListener>()
/** Recent cursors, to replay what happened between reading a page and joining its room. */
let trail: { at: number; upTo: number }[] = []
let replay: { changes: number; timer: ReturnType<typeof setTimeout> } | null = null

export function subscribeSocket(listener: SocketListener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function openSocket(): void {
  if (opened) return
  opened = {}
  cursor = createCursor()
  trail = []
  connectionStore.set(startConnection(Date.now(), navigator.onLine))
  window.addEventListener('online', onBrowserOnline)
  window.addEventListener('offline', onBrowserOffline)
  document.addEventListener('visibilitychange', onVisible)
  void connect(opened)
}

/**
 * Loads the socket client, which the first render does not need, and retries with the same delays
 * as a reconnect.
 */
async function connect(mine: object): Promise<void> {
  clearTimeout(loadAgain)
  loadAgain = undefined
  const client = await import('socket.io-client').catch(() => null)
  if (opened !== mine) return
  if (client) return listen(client.io)
  dispatch({ type: 'LOST', at: Date.now() })
  loadAgain = setTimeout(() => void (opened === mine && connect(mine)), retryDelay())
}

function listen(open: typeof io): void {
  const connection = open(LIVE_NAMESPACE, {
    path: LIVE_PATH,
    transports: ['websocket'],
    // A function, so that every reconnect sends the newest token and cursor.
    auth: (give) =>
      give({ token: readToken() ?? '', lastSeq: cursor.upTo() ?? firstSeq(), clientId: CLIENT_ID }),
    reconnectionDelay: RETRY_MIN_MS,
    reconnectionDelayMax: RETRY_MAX_MS,
    randomizationFactor: 0.5,
  })
  socket = connection
  // Calls may go through another edge, which this edge does not see, so the renewed token is sent.
  forgetRenewals = onRenewal(() => void sendMessage('renew', { token: readToken() ?? '' }))
  connection.on('connect', onOpened)
  connection.on('disconnect', (reason) => {
    dispatch({ type: 'LOST', at: Date.now() })
    // Socket.IO does not reconnect by itself after the server closed the connection; a kick has
    // already closed it for good.
    if (reason === 'io server disconnect') retrySoon(connection)
  })
  connection.on('connect_error', (error: Error & { data?: { code?: number } }) => {
    dispatch({ type: 'LOST', at: Date.now() })
    if (error.data?.code === 401) return notify((l) => l.refused?.())
    if (!connection.active) retrySoon(connection)
  })
  connection.onAny(() => dispatch({ type: 'RECEIVED', at: Date.now() }))
  connection.on('event', onFrame)
  connection.on('resync', (message?: { seq?: number }) => {
    if (typeof message?.seq === 'number') cursor.jump(message.seq)
    notify((l) => l.resync?.())
  })
  connection.on('kick', (message?: { reason?: string }) =>
    notify((l) => l.kick?.(message?.reason ?? '')),
  )
  connection.on('presence', (message: unknown) => notify((l) => l.presence?.(message)))
  // A restarting gateway gives each socket its own delay before it reconnects.
  connection.on('server.draining', (message?: { retryAfterMs?: number }) => {
    setTimeout(
      () => {
        if (socket === connection) connection.disconnect().connect()
      },
      Math.min(RETRY_MAX_MS, message?.retryAfterMs ?? 0),
    )
  })
}

export function closeSocket(): void {
  opened = null
  window.removeEventListener('online', onBrowserOnline)
  window.removeEventListener('offline', onBrowserOffline)
  document.removeEventListener('visibilitychange', onVisible)
  if (replay) clearTimeout(replay.timer)
  replay = null
  forgetRenewals?.()
  socket?.disconnect()
  socket = null
  forgetSeq()
}

/**
 * Sends a message about this tab to the server; resolves to null when the connection is down (the
 * state is sent again on reconnect).
 */
export async function sendMessage(message: string, data: unknown): Promise<Acknowledged | null> {
  if (!socket?.connected) return null
  return (await socket
    .timeout(5_000)
    .emitWithAck(message, data)
    .catch(() => null)) as Acknowledged | null
}

/** Where the cursor was before anything on the page was read; of a young page, at its first answer. */
export function seqBeforeRead(): number | null {
  const then = Date.now() - READ_BEFORE_MS
  let found: number | null = null
  for (const point of trail) if (point.at <= then) found = point.upTo
  return found ?? firstSeq() ?? trail[0]?.upTo ?? cursor.upTo()
}

/** Rooms that were joined late say what happened since. */
export function syncFrom(lastSeq: number | null): void {
  if (lastSeq !== null) void sendMessage('sync', { lastSeq })
}

function onOpened(): void {
  const { lostAt } = connectionStore.get()
  const gap = lostAt === null ? 0 : Date.now() - lostAt
  dispatch({ type: 'OPENED', at: Date.now() })
  if (gap > QUIET_GAP_MS) replay = { changes: 0, timer: setTimeout(endReplay, REPLAY_QUIET_MS) }
  notify((l) => l.opened?.())
}

function onFrame(frame: LiveFrame): void {
  const fresh = cursor.accept(frame)
  const at = Date.now()
  const upTo = cursor.upTo()
  if (upTo !== null && upTo !== trail.at(-1)?.upTo)
    trail = [
      ...trail.filter((point, i) => at - point.at < 15_000 || i === trail.length - 1),
      { at, upTo },
    ]
  if (fresh.length === 0) return
  if (replay) {
    clearTimeout(replay.timer)
    replay = {
      changes: replay.changes + fresh.length,
      timer: setTimeout(endReplay, REPLAY_QUIET_MS),
    }
  }
  notify((l) => l.events?.(fresh))
}

function endReplay(): void {
  const changes = replay?.changes ?? 0
  replay = null
  notify((l) => l.caughtUp?.(changes))
}

function retrySoon(connection: Socket): void {
  setTimeout(() => {
    if (socket === connection && !connection.connected) connection.connect()
  }, retryDelay())
}

function retryDelay(): number {
  return RETRY_MIN_MS + Math.random() * (RETRY_MAX_MS - RETRY_MIN_MS)
}

function onBrowserOnline(): void {
  dispatch({ type: 'ONLINE', at: Date.now() })
  if (opened && loadAgain !== undefined) void connect(opened)
  else connectNow()
}

/**
 * While Socket.IO waits for its next try, or for one that was made without a network, `connect`
 * alone does nothing: the waiting is ended first.
 */
function connectNow(): void {
  if (socket && !socket.connected) socket.disconnect().connect()
}

function onBrowserOffline(): void {
  dispatch({ type: 'OFFLINE', at: Date.now() })
}

/**
 * A suspended tab may have a dead socket or have missed an event: requesting what is missing also
 * checks the connection.
 */
function onVisible(): void {
  if (document.visibilityState !== 'visible' || !socket) return
  if (!socket.connected) connectNow()
  else
    void sendMessage('sync', { lastSeq: cursor.upTo() }).then(
      (answer) => answer && dispatch({ type: 'RECEIVED', at: Date.now() }),
    )
}

function dispatch(event: ConnectionEvent): void {
  connectionStore.set((state) => reduceConnection(state, event))
}

function notify(how: (listener: SocketListener) => void): void {
  for (const listener of listeners) how(listener)
}
