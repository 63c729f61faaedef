import fc from 'fast-check'
import type { Socket } from 'socket.io'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { LiveFrame } from '#shared/kernel/live.ts'
import { type FeedEvent, readFeedEvent } from '#gateway/edge/feed/feed-event.ts'
import { Ring } from '#gateway/edge/feed/ring.ts'
import { CatchUp } from './catch-up.ts'
import { Coalescer } from './coalesce.ts'
import { encodeFrame, type Frame } from './frame.ts'
import { Rooms } from './rooms.ts'
import { newConnection, type Connection } from './connection.ts'

const WINDOW = 40

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/**
 * The edge between feed and wire: ring, rooms, windows and catch-up, with frames noted instead of
 * written.
 */
function floor() {
  const ring = new Ring(1_000, 1_000_000)
  const rooms = new Rooms()
  const frames = new Map<Connection, LiveFrame[]>()
  const send = (connection: Connection, frame: Frame) =>
    void frames.get(connection)?.push(read(frame))
  const coalescer = new Coalescer(rooms, WINDOW, send)
  const catchUp = new CatchUp({
    ring,
    rooms,
    send,
    page: () => Promise.reject(new Error('nothing older')),
    now: () => Date.now(),
    pageSize: 500,
    atOnce: 20,
    resyncMs: 10_000,
    onDone: () => undefined,
  })
  let seq = 0
  return {
    frames,
    coalescer,
    catchUp,
    rooms,
    connection(held: string[]) {
      const connection = newConnection(
        {} as Socket,
        { token: 't', cookie: undefined, fetchSite: undefined, address: '' },
        0,
      )
      connection.rooms = held
      frames.set(connection, [])
      catchUp.start(connection, null)
      return connection
    },
    deliver(subject: string, audience: string[]): FeedEvent {
      seq += 1
      const event = readFeedEvent({
        seq,
        id: `e${seq}`,
        type: 'x.changed',
        subject,
        time: '2026-11-21T00:00:00Z',
        audience,
        data: {},
      })
      ring.push(event)
      coalescer.deliver(event)
      return event
    },
  }
}

function read(frame: Frame): LiveFrame {
  const [, json] = /^2\/ops,(\[.*\])$/s.exec(frame.text) ?? []
  return (JSON.parse(json ?? 'null') as [string, LiveFrame])[1]
}

function seqs(frames: LiveFrame[]): number[] {
  return frames.flatMap((frame) => frame.events.map((event) => event.seq))
}

test('the first event of a quiet connection is sent at once, the next ones together at the end of the window', () => {
  const f = floor()
  const connection = f.connection(['all'])
  f.deliver('order:1', ['all'])
  f.deliver('order:2', ['all'])
  f.deliver('order:3', ['all'])
  expect(f.frames.get(connection)?.map((frame) => frame.events.length)).toEqual([0, 1])
  vi.advanceTimersByTime(WINDOW)
  expect(f.frames.get(connection)?.map((frame) => frame.events.length)).toEqual([0, 1, 2])
  vi.advanceTimersByTime(2 * WINDOW)
  f.deliver('order:4', ['all'])
  expect(f.frames.get(connection)?.at(-1)).toMatchObject({ upTo: 4, events: [{ seq: 4 }] })
})

test('a busy room does not make a quiet one wait', () => {
  const f = floor()
  f.connection(['busy'])
  const quiet = f.connection(['quiet'])
  for (let i = 0; i < 10; i++) f.deliver('order:1', ['busy'])
  f.deliver('order:2', ['quiet'])
  expect(f.frames.get(quiet)?.at(-1)).toMatchObject({ upTo: 11, events: [{ seq: 11 }] })
})

test('connections that wait for the same events share one encoded frame', () => {
  const rooms = new Rooms()
  const sent: Frame[] = []
  const coalescer = new Coalescer(rooms, WINDOW, (_seat, frame) => sent.push(frame))
  for (const held of [
    ['all', 'a'],
    ['all', 'b'],
    ['all', 'c'],
  ]) {
    const connection = newConnection(
      {} as Socket,
      { token: 't', cookie: undefined, fetchSite: undefined, address: '' },
      0,
    )
    connection.rooms = held
    rooms.join(connection)
  }
  for (let seq = 1; seq <= 5; seq++)
    coalescer.deliver(
      readFeedEvent({
        seq,
        id: 'e',
        type: 'x',
        subject: 'o:1',
        time: '2026-11-21T00:00:00Z',
        audience: ['all', `only:${seq}`],
        data: {},
      }),
    )
  vi.advanceTimersByTime(WINDOW)
  expect([sent.length, new Set(sent).size]).toEqual([6, 2])
})

const ROOMS = ['all', 'scope:1', 'scope:2', 'order:1', 'order:2', 'user:1']
const audience = fc.uniqueArray(fc.constantFrom(...ROOMS), { minLength: 1, maxLength: 4 })
const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('event' as const),
      subject: fc.constantFrom('order:1', 'order:2', 'case:1'),
      audience,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      ms: fc.integer({ min: 1, max: 100 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('reconnect' as const),
      who: fc.nat(5),
      lost: fc.nat(3),
    }),
  },
)

test('each connection gets exactly its events in log order, and resuming from any upTo loses nothing', () => {
  fc.assert(
    fc.property(
      fc.array(audience, { minLength: 1, maxLength: 6 }),
      fc.array(step, { maxLength: 80 }),
      (held, steps) => {
        const f = floor()
        const connections = held.map((rooms) => f.connection(rooms))
        const events: FeedEvent[] = []
        for (const one of steps) {
          if (one.do === 'event') events.push(f.deliver(one.subject, one.audience))
          else if (one.do === 'wait') vi.advanceTimersByTime(one.ms)
          else reconnect(f, connections[one.who % connections.length] as Connection, one.lost)
        }
        vi.advanceTimersByTime(3 * WINDOW)
        for (const connection of connections) {
          const frames = f.frames.get(connection) ?? []
          const own = events
            .filter((event) => event.audience.some((room) => connection.rooms.includes(room)))
            .map((event) => event.seq)
          expect(seqs(frames)).toEqual(own)
          frames.forEach((frame, i) =>
            expect(seqs(frames.slice(0, i + 1))).toEqual(own.filter((seq) => seq <= frame.upTo)),
          )
        }
      },
    ),
    { numRuns: 500 },
  )

  /**
   * The connection breaks, its last frames are lost on the way, the client comes back from the last
   * upTo it saw.
   */
  function reconnect(f: ReturnType<typeof floor>, connection: Connection, lost: number): void {
    f.rooms.leave(connection)
    f.coalescer.drop(connection)
    const frames = f.frames.get(connection) ?? []
    frames.splice(Math.max(1, frames.length - lost))
    f.catchUp.start(connection, frames.at(-1)?.upTo)
  }
})

test('a frame is one WebSocket text message whatever its length', () => {
  for (const length of [0, 10, 100, 1_000, 70_000]) {
    const event = {
      ...readFeedEvent({
        seq: 1,
        id: 'e',
        type: 'x',
        subject: 'o:1',
        time: '2026-11-21T00:00:00Z',
        audience: [],
        data: { text: 'ü'.repeat(length) },
      }),
    }
    const { options, text, bytes } = encodeFrame(1, [event])
    const [header, payload] = options.wsPreEncodedFrame
    const short = (header[1] ?? 0) & 0x7f
    const shortLength =
      short < 126
        ? short
        : short === 126
          ? header.readUInt16BE(2)
          : Number(header.readBigUInt64BE(2))
    expect([header[0], shortLength, bytes, payload.toString()]).toEqual([
      0x81,
      payload.length,
      payload.length,
      `4${text}`,
    ])
  }
})
