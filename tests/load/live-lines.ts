/**
 * From a commit to many sockets, compared with a Socket.IO server that emits by itself; and the
 * memory of an open socket.
 */
import type { EmitLoad } from './children/bare-socketio.ts'
import type { CommitLoad, Commits } from './children/manage-process.ts'
import type { Received, OpenSockets } from './children/socket-load.ts'
import { median, medianRatio, sharedNow, type Spread, spreadOf, takeTurns } from './measure.ts'
import type { Child } from './processes.ts'
import type { Bench } from './stage.ts'
import { type Line, short, medianText } from './table.ts'

const PER_SECOND = 200
const ROOMS = 10
const LISTENERS = 500
const CROWD = 2_000
const PROMPT = { rounds: 3, events: 600, warmUp: 200 }
const FAN_OUT = { rounds: 2, events: 600, bareEvents: 300, warmUp: 100 }
const PATIENCE_MS = 30_000

export async function promptLines({ book, manage, edgeUrl, start }: Bench): Promise<Line[]> {
  const bare = await start('bare-socketio', book.bare)
  const bareUrl = await bare.ask<string>('url')
  const [listeners, bareListeners] = [await start('socket-load'), await start('socket-load')]
  const orderIds = book.orderIds.slice(0, ROOMS)
  const rooms = orderIds.map((id) => `order:${id}`)
  await listeners.ask('open', {
    url: edgeUrl,
    count: LISTENERS,
    auth: book.tokens.managers.map((token) => ({ token, lastSeq: null })),
    watch: rooms,
  } satisfies OpenSockets)
  await bareListeners.ask('open', {
    url: bareUrl,
    count: LISTENERS,
    auth: rooms.map((room) => ({ room })),
    groups: ROOMS,
  } satisfies OpenSockets)
  const round = (source: Child, listeners: Child, count: number): Promise<Delivered> =>
    deliver(listeners, Array<number>(ROOMS).fill(count / ROOMS), () =>
      source.ask<Commits>('commit', {
        perSecond: PER_SECOND,
        count,
        orderIds,
      } satisfies CommitLoad),
    )
  await takeTurns(
    1,
    () => round(manage, listeners, PROMPT.warmUp),
    () => round(bare, bareListeners, PROMPT.warmUp),
  )
  const { a, b } = await takeTurns(
    PROMPT.rounds,
    () => round(manage, listeners, PROMPT.events),
    () => round(bare, bareListeners, PROMPT.events),
  )
  for (const child of [listeners, bareListeners, bare]) await child.stop()
  const of = (rounds: Delivered[], at: 'p50' | 'p99'): number =>
    median(rounds.map((one) => one.latencyMs[at]))
  const [p50, p99] = [of(a, 'p50'), of(a, 'p99')]
  return [
    {
      what:
        `commit → socket: ${LISTENERS} sockets in rooms of ${LISTENERS / ROOMS}, ` +
        `${PER_SECOND} events/s (${book.engine})`,
      ratio: p50 / of(b, 'p50'),
      target: 'p50 ≤ 5, p99 ≤ 25 ms',
      pass: p50 <= 5 && p99 <= 25,
      product: `p50 ${short(p50)}, p99 ${short(p99)} ms`,
      baseline: `emit after commit: p50 ${short(of(b, 'p50'))}, p99 ${short(of(b, 'p99'))} ms`,
    },
  ]
}

export async function fanOutLines({ book, manage, edge, edgeUrl, start }: Bench): Promise<Line[]> {
  const bare = await start('bare-socketio', book.bare)
  const plain = await start('bare-ws')
  const [listeners, bareListeners] = [await start('socket-load'), await start('socket-load')]
  const fill = {
    auth: book.tokens.managers.map((token) => ({ token, lastSeq: null })),
    url: edgeUrl,
  } satisfies Partial<OpenSockets>
  const memory = await memoryOf(edge, () =>
    listeners.ask('open', { ...fill, count: CROWD } satisfies OpenSockets),
  )
  const bareMemory = await memoryOf(bare, async () =>
    bareListeners.ask('open', {
      url: await bare.ask<string>('url'),
      count: CROWD,
      auth: [{ room: 'all' }],
    } satisfies OpenSockets),
  )
  const product = (count: number): Promise<FannedOut> =>
    fanOut(edge, listeners, count, () =>
      manage.ask<Commits>('commit', {
        perSecond: PER_SECOND,
        count,
        orderIds: book.orderIds,
        rooms: ['all'],
      } satisfies CommitLoad),
    )
  const baseline = (count: number): Promise<FannedOut> =>
    fanOut(bare, bareListeners, count, () =>
      bare.ask<Commits>('emit', { perSecond: PER_SECOND, count } satisfies EmitLoad),
    )
  await takeTurns(
    1,
    () => product(FAN_OUT.warmUp),
    () => baseline(FAN_OUT.warmUp),
  )
  const { a, b } = await takeTurns(
    FAN_OUT.rounds,
    () => product(FAN_OUT.events),
    () => baseline(FAN_OUT.bareEvents),
  )
  await bare.stop()
  await listeners.stop()
  await bareListeners.ask('open', {
    url: await plain.ask<string>('url'),
    count: CROWD,
    auth: null,
  } satisfies OpenSockets)
  const raw = (count: number): Promise<FannedOut> =>
    fanOut(plain, bareListeners, count, () =>
      plain.ask<Commits>('emit', { perSecond: PER_SECOND, count } satisfies EmitLoad),
    )
  await raw(FAN_OUT.warmUp)
  const ws = await raw(FAN_OUT.bareEvents)
  for (const child of [bareListeners, plain]) await child.stop()
  const perCore = (rounds: FannedOut[]): number => median(rounds.map((one) => one.perCoreSecond))
  const ratio = medianRatio(
    a.map((one) => one.perCoreSecond),
    b.map((one) => one.perCoreSecond),
  )
  const p99 = median(a.map((one) => one.latencyMs.p99))
  const kept = memory.held / 1_000
  return [
    {
      what: `fan-out: ${CROWD.toLocaleString('en-US')} sockets all receiving ${PER_SECOND} commits/s (${book.engine})`,
      ratio: medianRatio(
        a.map((one) => one.eventsPerSecond),
        b.map((one) => one.eventsPerSecond),
      ),
      target: 'p99 ≤ 100 ms',
      pass: p99 <= 100,
      product:
        `${medianText(a, (one) => one.eventsPerSecond)}/s; ` +
        `p50 ${medianText(a, (one) => one.latencyMs.p50)}, p99 ${short(p99)} ms`,
      baseline: `Socket.IO emits ${medianText(b, (one) => one.eventsPerSecond)}/s at most`,
    },
    {
      what: '  deliveries per core-second of the edge',
      ratio,
      target: '≥ 4×',
      pass: ratio >= 4,
      product: short(perCore(a)),
      baseline: `${short(perCore(b))} Socket.IO`,
    },
    {
      what: '  the same beside bare ws',
      ratio: perCore(a) / ws.perCoreSecond,
      target: '',
      pass: null,
      product: short(perCore(a)),
      baseline: `${short(ws.perCoreSecond)} ws`,
    },
    {
      what: `memory of one connected socket, of ${CROWD.toLocaleString('en-US')}: heap and buffers; resident`,
      ratio: memory.held / bareMemory.held,
      target: '≤ 25 kB',
      pass: kept <= 25,
      product: `${short(kept)} kB; ${short(memory.resident / 1_000)} kB`,
      baseline: `${short(bareMemory.held / 1_000)} kB; ${short(bareMemory.resident / 1_000)} kB Socket.IO`,
    },
  ]
}

export interface Delivered {
  latencyMs: Spread
  deliveries: number
  /** When the last socket received the last event, by the clock shared by all processes. */
  lastAt: number
}

interface FannedOut extends Delivered {
  perCoreSecond: number
  /** Until the last socket had received the last of them. */
  eventsPerSecond: number
}

async function fanOut(
  server: Child,
  listeners: Child,
  count: number,
  send: () => Promise<Commits>,
): Promise<FannedOut> {
  const before = await server.usage()
  const begin = sharedNow()
  const delivered = await deliver(listeners, [count], send)
  const { cpuMs } = await server.usage()
  return {
    ...delivered,
    perCoreSecond: delivered.deliveries / ((cpuMs - before.cpuMs) / 1_000),
    eventsPerSecond: count / ((delivered.lastAt - begin) / 1_000),
  }
}

/**
 * Sends, waits until every socket has received everything, and measures each delivery from the
 * acknowledged commit.
 * @throws Error when an event was lost or came twice
 */
export async function deliver(
  listeners: Child,
  expected: number[],
  send: () => Promise<Commits>,
): Promise<Delivered> {
  await listeners.ask('listen')
  const sentAt = new Map(await send())
  const { arrivals, lost, surplus } = await listeners.ask<Received>('received', {
    expected,
    patienceMs: PATIENCE_MS,
  })
  if (lost > 0 || surplus > 0)
    throw new Error(`${lost} deliveries were lost, ${surplus} were too many`)
  const deliveries = arrivals.reduce(
    (sum, { events, times }) => sum + events.length * times.length,
    0,
  )
  const latencies = new Float64Array(deliveries)
  let at = 0
  let lastAt = 0
  for (const { events, times } of arrivals) {
    for (const time of times) lastAt = Math.max(lastAt, time)
    for (const event of events) {
      const sent = sentAt.get(event) as number
      // An event may be sent before its command has returned.
      for (const time of times) latencies[at++] = Math.max(0, time - sent)
    }
  }
  return { latencyMs: spreadOf(latencies), deliveries, lastAt }
}

/** Bytes that one socket adds to an idle server. */
async function memoryOf(
  server: Child,
  connect: () => Promise<unknown>,
): Promise<{ held: number; resident: number }> {
  const atRest = async () => {
    await server.ask('gc')
    await server.ask('gc')
    return server.usage()
  }
  const before = await atRest()
  await connect()
  const after = await atRest()
  return {
    held: (after.heldBytes - before.heldBytes) / CROWD,
    resident: (after.rssBytes - before.rssBytes) / CROWD,
  }
}
