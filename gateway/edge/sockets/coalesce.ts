/**
 * Few writes under load, no wait in quiet: a seat's first event goes at once; those that follow within the window travel as
 * one frame at its end. Windows are counted per seat, not per audience: most events name their own order or case, so
 * audiences hardly ever repeat, while a seat hears many of them. Each seat gets its events strictly in the order of the log,
 * so `upTo` is simply the newest event read.
 *
 * Seats that wait for the same events share one list and one encoded frame: a list is a path in a tree, extended once an
 * event, and two seats hold the same list exactly when they hold the same node.
 */
import type { FeedEvent } from '#gateway/edge/feed/feed-event.ts'
import { encodeFrame, type Frame } from './frame.ts'
import type { Rooms } from './rooms.ts'
import type { Seat } from './seat.ts'

export interface Pending {
  before: Pending | null
  event: FeedEvent
  frame: Frame | null
}

export class Coalescer {
  readonly #rooms: Rooms
  readonly #windowMs: number
  readonly #send: (seat: Seat, frame: Frame) => void
  #waiting: Seat[] = []
  #window = 1
  #timer: NodeJS.Timeout | undefined
  #newest = 0

  constructor(rooms: Rooms, windowMs: number, send: (seat: Seat, frame: Frame) => void) {
    this.#rooms = rooms
    this.#windowMs = windowMs
    this.#send = send
  }

  /** Seq up to which every live seat has or waits for its events. */
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
    this.#rooms.visit(event.audience, (seat) => {
      if (seat.pending === null && seat.window !== this.#window) {
        seat.window = this.#window
        now ??= encodeFrame(event.seq, [event])
        this.#send(seat, now)
        return
      }
      if (seat.pending === null) this.#waiting.push(seat)
      let node = extended.get(seat.pending)
      if (!node) {
        node = { before: seat.pending, event, frame: null }
        extended.set(seat.pending, node)
      }
      seat.pending = node
    })
    if (now || this.#waiting.length > 0)
      this.#timer ??= setTimeout(() => this.#endWindow(), this.#windowMs)
  }

  /** Sends what waits, now. */
  flush(): void {
    const seats = this.#waiting
    this.#waiting = []
    for (const seat of seats) {
      const list = seat.pending
      seat.pending = null
      if (list === null || !seat.live) continue
      list.frame ??= encodeFrame(this.#newest, listed(list))
      seat.window = this.#window
      this.#send(seat, list.frame)
    }
  }

  /** Forgets what waits for a seat that leaves; its cursor tells what it still needs. */
  drop(seat: Seat): void {
    seat.pending = null
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  /** Seats written to at the end of a window count as written to in the next one: at most one frame a window under load. */
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
  return events.reverse()
}
