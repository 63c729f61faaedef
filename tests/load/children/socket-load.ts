/** Listeners of the bench: record when each frame arrived; identical frames are parsed once. */
import type { LiveFrame } from '#shared/kernel/live.ts'
import { Wire } from '#tests/support/wire.ts'
import { sharedNow } from '../measure.ts'
import { BENCH_FIELD } from './bare-event.ts'
import { serveBench } from './child.ts'

export interface OpenSockets {
  url: string
  count: number
  /** The handshake of each, in turn; null for a plain WebSocket server. */
  auth: Record<string, unknown>[] | null
  /**
   * What each group watches, `kind:key`; socket n belongs to group n modulo their number. Absent:
   * one group that watches nothing.
   */
  watch?: string[]
  /** How many groups there are when none watches anything. */
  groups?: number
}

export interface Arrivals {
  /** Events of one frame, `subject version`. */
  events: string[]
  /** When each socket received it, by the clock shared by all processes. */
  times: Float64Array
}

export interface Received {
  arrivals: Arrivals[]
  /** Events that a socket did not receive in time, and unexpected ones. */
  lost: number
  surplus: number
}

const AT_ONCE = 40

interface Frame {
  events: string[]
  times: number[]
}

class Listener {
  readonly group: number
  readonly wire: Wire
  received = 0

  constructor(
    url: URL,
    group: number,
    auth: Record<string, unknown> | null,
    watch: string | undefined,
  ) {
    this.group = group
    this.wire = new Wire(
      url,
      { auth, ...(watch === undefined ? {} : { watch }), clock: sharedNow },
      { onFrame: (data, from, end, upTo, at) => this.#onFrame(data, from, end, upTo, at) },
    )
  }

  #onFrame(data: Buffer, from: number, end: number, upTo: number, at: number): void {
    const known = frames[this.group] as Map<number, Frame>
    const name = upTo * 2 ** 20 + (end - from)
    let frame = known.get(name)
    if (!frame) {
      frame = { events: eventsOf(data.toString('utf8', from, end)), times: [] }
      known.set(name, frame)
    }
    if (frame.events.length === 0) return
    frame.times.push(at)
    this.received += frame.events.length
  }
}

let listeners: Listener[] = []
/**
 * By group, then by `upTo` and length: all sockets of a group receive the same events, so these
 * identify a frame.
 */
let frames: Map<number, Frame>[] = []

serveBench({ start: () => null, open, listen, received, close })

async function open({
  url,
  count,
  auth,
  watch,
  groups = watch?.length ?? 1,
}: OpenSockets): Promise<void> {
  close()
  frames = Array.from({ length: groups }, () => new Map<number, Frame>())
  const target = new URL(url)
  async function opener(first: number): Promise<void> {
    for (let n = first; n < count; n += AT_ONCE) {
      const listener = new Listener(
        target,
        n % groups,
        auth === null ? null : (auth[n % auth.length] as Record<string, unknown>),
        watch?.[n % groups],
      )
      listeners.push(listener)
      await listener.wire.ready
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => opener(n)))
}

/** Starts counting. */
function listen(): void {
  for (const known of frames) known.clear()
  for (const listener of listeners) listener.received = 0
}

/** Waits until every socket has received the events of its group. */
async function received({
  expected,
  patienceMs,
}: {
  expected: number[]
  patienceMs: number
}): Promise<Received> {
  const end = sharedNow() + patienceMs
  const missing = ({ group, received: times }: Listener): number =>
    (expected[group] as number) - times
  while (sharedNow() < end && listeners.some((listener) => missing(listener) > 0))
    await new Promise((resume) => setTimeout(resume, 10))
  const sum = (values: number[]): number =>
    values.reduce((all, value) => all + Math.max(0, value), 0)
  return {
    arrivals: frames.flatMap((known) =>
      [...known.values()]
        .filter((frame) => frame.events.length > 0)
        .map(({ events, times }) => ({ events, times: Float64Array.from(times) })),
    ),
    lost: sum(listeners.map(missing)),
    surplus: sum(listeners.map((listener) => -missing(listener))),
  }
}

function close(): void {
  for (const { wire } of listeners) wire.end()
  listeners = []
}

function eventsOf(message: string): string[] {
  const [, frame] = JSON.parse(message.slice(message.indexOf('['))) as [string, LiveFrame]
  return frame.events
    .filter(({ data }) => (data as { fields?: string[] }).fields?.[0] === BENCH_FIELD)
    .map(({ subject, version }) => `${subject} ${version}`)
}
