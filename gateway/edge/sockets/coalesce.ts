/**
 * Few writes under load, no delay when quiet: the first event of a connection is sent at once;
 * those that follow within the window are sent as one frame at its end. Windows are per connection,
 * not per audience: most events name their own order or case, so audiences hardly ever repeat,
 * while a connection receives many of them. Each connection gets its events strictly in log order,
 * so `upTo` is the newest event read.
 *
 * Connections that wait for the same events share one list and one encoded frame: a list is a path
 * in a tree, extended once per event, and two connections hold the same list exactly when they hold
 * the same node.
 */
import type { FeedEvent } from '#gateway/edge/feed/feed-event.ts'
import { encodeFrame, type Frame } from './frame.ts'
import type { Rooms } from './rooms.ts'
import type { Connection } from './connection.ts'
import type { Pending } from './pending.ts'

export class Coalescer {
  readonly #rooms: Rooms
  readonly #windowMs: number
  readonly #send: (connection: Connection, frame: Frame) => void
  #waiting: Connection[] = []
  #window = 1
  #timer: NodeJS.Timeout | undefined
  #newest = 0

  constructor(
    rooms: Rooms,
    windowMs: number,
    send: (connection: Connection, frame: Frame) => void,
  ) {
    this.#rooms = rooms
    this.#windowMs = windowMs
    this.#send = send
  }

  /** Seq up to which every live connection has or waits for its events. */
  get newest(): number {
    return this.#newest
  }

  /** Without an event: after a jump of the feed. */
  setNewest(seq: number): void {
    this.#newest = seq
  }

  deliver(event: FeedEvent): void {
    this.#newest = event.seq
    let now: Frame | undefined
    const extended = new Map<Pending | null, Pending>()
    this.#rooms.visit(event.audience, (connection) => {
      if (connection.pending === null && connection.window !== this.#window) {
        connection.window = this.#window
        now ??= encodeFrame(event.seq, [event])
        this.#send(connection, now)
        return
      }
      if (connection.pending === null) this.#waiting.push(connection)
      let node = extended.get(connection.pending)
      if (!node) {
        node = { before: connection.pending, event, frame: null }
        extended.set(connection.pending, node)
      }
      connection.pending = node
    })
    if (now || this.#waiting.length > 0)
      this.#timer ??= setTimeout(() => this.#endWindow(), this.#windowMs)
  }

  /** Sends what waits, now. */
  flush(): void {
    const connections = this.#waiting
    this.#waiting = []
    for (const connection of connections) {
      const list = connection.pending
      connection.pending = null
      if (list === null || !connection.live) continue
      list.frame ??= encodeFrame(this.#newest, listed(list))
      connection.window = this.#window
      this.#send(connection, list.frame)
    }
  }

  /** Drops what waits for a connection that leaves; its cursor shows what it still needs. */
  drop(connection: Connection): void {
    connection.pending = null
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  /**
   * Connections written to at the end of a window count as written to in the next one: at most one frame
   * a window under load.
   */
  #endWindow(): void {
    const wasBusy = this.#waiting.length > 0
    this.#window += 1
    this.flush()
    this.#timer = wasBusy ? setTimeout(() => this.#endWindow(), this.#windowMs) : undefined
  }
}

function listed(last: Pending): FeedEvent[] {
  const events: FeedEvent[] = []
  for (let node: Pending | null = last; node; node = node.before) events.push(node.event)
  return events.toReversed()
}
