/**
 * Keeps the screen paired and its figures current: a code until a supervisor approves it, then one
 * reading and the ticks after it. After any failure of the network, the server or the token it
 * returns to one of these two states by itself.
 */
import { io, type Socket } from 'socket.io-client'
import { isOf, LIVE_NAMESPACE, LIVE_PATH, type LiveFrame } from '#shared/kernel/live.ts'
import { applyTick } from '#shared/wall/board-tick.ts'
import { pollPairing, readBoard, startPairing } from '#shared/wall/wall-api.ts'
import { BOARD_TICK } from '#shared/wall/wall-live.ts'
import type { WallProfile } from '#shared/wall/wall-sets.ts'
import { wallCall, readToken, storeToken } from './wall-call.ts'
import { BUILD, followVersion, reloadWhenReachable } from './restart.ts'
import { wallStore } from './wall-store.ts'

const POLL_MS = 2_000
const RETRY_MS = 3_000
const BUSY_MS = 30_000
/** Reads at least this often: it keeps the scope ticking and repairs a missed tick. */
const READ_AGAIN_MS = 60_000
/** Reloads the page when nothing was received for this long. */
const DEAD_MS = 180_000
const WATCH_MS = 10_000

let socket: Socket | null = null
let cursor: number | null = null
let reading: Promise<void> | null = null
let pairing = false

export function openLink(profile: WallProfile): void {
  if (readToken() === null) void pair(profile, false)
  else void read(profile)
  setInterval(() => {
    if (wallStore.get().phase === 'board') void read(profile)
  }, READ_AGAIN_MS)
  setInterval(watchOver, WATCH_MS)
  window.addEventListener('online', () => void followVersion().then(() => read(profile)))
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible' && readToken() !== null) void read(profile)
  })
}

/** One read at a time; a request during a read is not queued. */
function read(profile: WallProfile): Promise<void> {
  reading ??= readOnce(profile).finally(() => {
    reading = null
  })
  return reading
}

async function readOnce(profile: WallProfile): Promise<void> {
  if (readToken() === null) return
  const answer = await wallCall(readBoard, { appVersion: BUILD || 'dev' })
  if (answer.kind === 'ok') {
    const receivedAt = Date.now()
    cursor ??= answer.seq
    const before = wallStore.get()
    const isOlder = before.phase === 'board' && before.figures.asOf > answer.data.asOf
    wallStore.set({
      phase: 'board',
      figures: isOlder ? { ...before.figures, screen: answer.data.screen } : answer.data,
      receivedAt,
      offset: Date.parse(answer.data.asOf) - receivedAt,
    })
    connect(profile)
    return
  }
  // the token was refused: revoked, or expired while the screen was off
  if (answer.kind === 'refused' && (answer.code === 401 || answer.code === 403))
    return unpair(profile)
  if (wallStore.get().phase !== 'board' && !pairing) wallStore.set({ phase: 'starting' })
  setTimeout(() => void read(profile), RETRY_MS + Math.random() * RETRY_MS)
}

function unpair(profile: WallProfile): void {
  storeToken(null)
  socket?.disconnect()
  socket = null
  cursor = null
  void pair(profile, true)
}

async function pair(profile: WallProfile, wasPaired: boolean): Promise<void> {
  if (pairing) return
  pairing = true
  wallStore.set({ phase: 'pairing', code: null, wasPaired, isCut: false })
  while (readToken() === null) {
    const started = await wallCall(startPairing, { profile, appVersion: BUILD || 'dev' })
    if (started.kind !== 'ok') {
      wallStore.set({ phase: 'pairing', code: null, wasPaired, isCut: true })
      await pause(started.kind === 'refused' ? BUSY_MS : RETRY_MS)
      continue
    }
    wallStore.set({ phase: 'pairing', code: started.data.code, wasPaired, isCut: false })
    await waitForApproval(started.data.pollSecret, started.data.code, wasPaired)
  }
  pairing = false
  await read(profile)
}

/** Resolves when a token arrived or the code expired. */
async function waitForApproval(
  pollSecret: string,
  code: string,
  wasPaired: boolean,
): Promise<void> {
  for (;;) {
    await pause(POLL_MS)
    const polled = await wallCall(pollPairing, { pollSecret })
    wallStore.set({ phase: 'pairing', code, wasPaired, isCut: polled.kind === 'down' })
    if (polled.kind === 'down') continue
    if (polled.kind === 'refused' && polled.code === 429) continue
    if (polled.kind === 'refused' || polled.data.state === 'expired') return
    if (polled.data.token !== undefined) return storeToken(polled.data.token)
  }
}

function connect(profile: WallProfile): void {
  if (socket) return
  const connection = io(LIVE_NAMESPACE, {
    path: LIVE_PATH,
    transports: ['websocket'],
    auth: (give) => give({ token: readToken() ?? '', lastSeq: cursor, clientId: 'wall' }),
    reconnectionDelay: 1_000,
    reconnectionDelayMax: 5_000,
    randomizationFactor: 0.5,
  })
  socket = connection
  connection.on('connect', () => {
    void read(profile)
    void followVersion()
  })
  connection.on('connect_error', (error: Error & { data?: { code?: number } }) => {
    if (error.data?.code === 401) void read(profile)
    else if (!connection.active) reconnect(connection)
  })
  connection.on('disconnect', (reason) => {
    // Socket.IO does not reconnect by itself when the server closed the connection
    if (reason === 'io server disconnect') reconnect(connection)
  })
  connection.on('event', (frame: LiveFrame) => applyFrame(frame, profile))
  connection.on('resync', (data?: { seq?: number }) => {
    if (typeof data?.seq === 'number') cursor = data.seq
    void read(profile)
  })
  // disconnected by the server: the next read shows why
  connection.on('kick', () => void read(profile))
  connection.on('server.draining', (data?: { retryAfterMs?: number }) =>
    setTimeout(
      () => socket === connection && connection.disconnect().connect(),
      Math.min(5_000, data?.retryAfterMs ?? 0),
    ),
  )
}

function reconnect(connection: Socket): void {
  setTimeout(
    () => {
      if (socket === connection && !connection.connected) connection.connect()
    },
    1_000 + Math.random() * 2_000,
  )
}

function applyFrame({ upTo, events }: LiveFrame, profile: WallProfile): void {
  if (cursor === null || upTo > cursor) cursor = upTo
  const state = wallStore.get()
  if (state.phase !== 'board') return
  let { figures } = state
  for (const event of events) {
    if (isOf(event, BOARD_TICK)) figures = withoutPeople(applyTick(figures, event.data))
    else if (event.type === 'board.changed' || event.type === 'session.revoked') void read(profile)
  }
  wallStore.set({ ...state, figures, receivedAt: Date.now() })
}

/** Ticks belong to the scope; a screen without people drops their lines, as its reading does. */
function withoutPeople<
  Figures extends { screen: { settings: { people: boolean } } | null; ranking: { kind: string }[] },
>(figures: Figures): Figures {
  return figures.screen?.settings.people === false
    ? {
        ...figures,
        ranking: figures.ranking.filter((connection) => connection.kind !== 'collector'),
      }
    : figures
}

function watchOver(): void {
  const state = wallStore.get()
  if (state.phase === 'board' && Date.now() - state.receivedAt > DEAD_MS) void reloadWhenReachable()
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
