/**
 * The socket of this tab (api.md, section 24): one connection to /ops, resumed from the cursor, never a way to change
 * anything. Screens use `useLive` and `useWatch`; this file only keeps the line and hands on what is new.
 */
import type { io, Socket } from 'socket.io-client'
import { createStore } from '#client/app/store.ts'
import { CLIENT_ID } from '#client/session/ids.ts'
import { onRenewal, readToken } from '#client/session/token.ts'
import { LIVE_NAMESPACE, LIVE_PATH, type LiveEvent, type LiveFrame } from '#shared/kernel/live.ts'
import {
  type Connection,
  type ConnectionHappening,
  QUIET_GAP_MS,
  reduceConnection,
  startConnection,
} from './connection.ts'
import { createCursor } from './cursor.ts'
import { firstSeq, forgetSeq } from './first-seq.ts'

export interface Acknowledged {
  code: number
  msg: string
  data: unknown
}

export interface LineListener {
  events?(events: readonly LiveEvent[]): void
  /** The replay was too long: everything open must be read again. */
  resync?(): void
  kick?(reason: string): void
  /** The server refused the token. */
  refused?(): void
  opened?(): void
  /** Back after a gap that the user could notice, with so many changes replayed. */
  caughtUp?(changes: number): void
  presence?(news: unknown): void
}

export const connectionStore = createStore<Connection>(startConnection(Date.now(), true))

const RETRY_MIN_MS = 1_000
const RETRY_MAX_MS = 5_000
/** A replay has ended when nothing more came for this long. */
const REPLAY_QUIET_MS = 700

/** Names one opening, so that what it began late finds out that it was closed; null while closed. */
let opened: object | null = null
let socket: Socket | null = null
let forgetRenewals: (() => void) | null = null
let cursor = createCursor()
const listeners = new Set<LineListener>()
/** Cursor of the last seconds, to replay what fell between reading a page and joining its room. */
let trail: { at: number; upTo: number }[] = []
let replay: { changes: number; timer: ReturnType<typeof setTimeout> } | null = null

export function onLine(listener: LineListener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function openLine(): void {
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

/** Brings the client of the socket, which no first picture waits for, and keeps asking for it as a lost line is asked for. */
async function connect(mine: object): Promise<void> {
  const client = await import('socket.io-client').catch(() => null)
  if (opened !== mine) return
  if (client) return listen(client.io)
  happened({ type: 'LOST', at: Date.now() })
  setTimeout(() => void (opened === mine && connect(mine)), retryDelay())
}

function listen(open: typeof io): void {
  const line = open(LIVE_NAMESPACE, {
    path: LIVE_PATH,
    transports: ['websocket'],
    // A function, so that every reconnect sends the newest token and cursor.
    auth: (give) =>
      give({ token: readToken() ?? '', lastSeq: cursor.upTo() ?? firstSeq(), clientId: CLIENT_ID }),
    reconnectionDelay: RETRY_MIN_MS,
    reconnectionDelayMax: RETRY_MAX_MS,
    randomizationFactor: 0.5,
  })
  socket = line
  // the calls may run through another edge, so this one cannot know of the renewal by itself
  forgetRenewals = onRenewal(() => void say('renew', { token: readToken() ?? '' }))
  line.on('connect', onOpened)
  line.on('disconnect', (reason) => {
    happened({ type: 'LOST', at: Date.now() })
    // The library does not come back by itself when the server closed the line; a kick closes it for good before.
    if (reason === 'io server disconnect') retrySoon(line)
  })
  line.on('connect_error', (error: Error & { data?: { code?: number } }) => {
    happened({ type: 'LOST', at: Date.now() })
    if (error.data?.code === 401) return tell((l) => l.refused?.())
    if (!line.active) retrySoon(line)
  })
  line.onAny(() => happened({ type: 'HEARD', at: Date.now() }))
  line.on('event', hear)
  line.on('resync', (news?: { seq?: number }) => {
    if (typeof news?.seq === 'number') cursor.jump(news.seq)
    tell((l) => l.resync?.())
  })
  line.on('kick', (news?: { reason?: string }) => tell((l) => l.kick?.(news?.reason ?? '')))
  line.on('presence', (news: unknown) => tell((l) => l.presence?.(news)))
  // A gateway that restarts asks each socket to come back at its own moment.
  line.on('server.draining', (news?: { retryAfterMs?: number }) => {
    setTimeout(
      () => {
        if (socket === line) line.disconnect().connect()
      },
      Math.min(RETRY_MAX_MS, news?.retryAfterMs ?? 0),
    )
  })
}

export function closeLine(): void {
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

/** Tells the server something about this tab; answers null when the line is down (the state is told again on reconnect). */
export async function say(message: string, data: unknown): Promise<Acknowledged | null> {
  if (!socket?.connected) return null
  return (await socket
    .timeout(5_000)
    .emitWithAck(message, data)
    .catch(() => null)) as Acknowledged | null
}

/** Cursor as it stood `ms` ago. */
export function cursorAgo(ms: number): number | null {
  const then = Date.now() - ms
  let found: number | null = null
  for (const point of trail) if (point.at <= then) found = point.upTo
  return found ?? trail[0]?.upTo ?? cursor.upTo()
}

function onOpened(): void {
  const { lostAt } = connectionStore.get()
  const gap = lostAt === null ? 0 : Date.now() - lostAt
  happened({ type: 'OPENED', at: Date.now() })
  if (gap > QUIET_GAP_MS) replay = { changes: 0, timer: setTimeout(endReplay, REPLAY_QUIET_MS) }
  tell((l) => l.opened?.())
}

function hear(frame: LiveFrame): void {
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
  tell((l) => l.events?.(fresh))
}

function endReplay(): void {
  const changes = replay?.changes ?? 0
  replay = null
  tell((l) => l.caughtUp?.(changes))
}

function retrySoon(line: Socket): void {
  setTimeout(() => {
    if (socket === line && !line.connected) line.connect()
  }, retryDelay())
}

function retryDelay(): number {
  return RETRY_MIN_MS + Math.random() * (RETRY_MAX_MS - RETRY_MIN_MS)
}

function onBrowserOnline(): void {
  happened({ type: 'ONLINE', at: Date.now() })
  if (socket && !socket.connected) socket.connect()
}

function onBrowserOffline(): void {
  happened({ type: 'OFFLINE', at: Date.now() })
}

/** A sleeping tab may hold a dead socket or miss a beat: ask for what came since, which also proves the line. */
function onVisible(): void {
  if (document.visibilityState !== 'visible' || !socket) return
  if (!socket.connected) socket.connect()
  else
    void say('sync', { lastSeq: cursor.upTo() }).then(
      (answer) => answer && happened({ type: 'HEARD', at: Date.now() }),
    )
}

function happened(happening: ConnectionHappening): void {
  connectionStore.set((state) => reduceConnection(state, happening))
}

function tell(how: (listener: LineListener) => void): void {
  for (const listener of listeners) how(listener)
}
