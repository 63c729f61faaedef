/**
 * From a client's cursor to live without a gap. While a seat is caught up it is in no room; what happens meanwhile stands in
 * the ring. The last step - send the rest of the ring, join the rooms - runs without giving way to anything, so that no event
 * can fall between. The ring is the buffer; a seat needs none of its own.
 *
 *   cursor ──(pages of manage's log)──► ring's floor ──(ring, 500 at a time)──► head ──► rooms
 */
import type { FeedEvent } from '#gateway/edge/feed/feed-event.ts'
import type { FeedPage } from '#gateway/edge/feed/feed-page.ts'
import type { Ring } from '#gateway/edge/feed/ring.ts'
import { Gate } from '#gateway/edge/gate.ts'
import { encodeFrame, type Frame } from './frame.ts'
import type { Rooms } from './rooms.ts'
import type { Seat } from './seat.ts'

export interface CatchUpDeps {
  ring: Ring
  rooms: Rooms
  page: (after: number, limit: number) => Promise<FeedPage>
  send: (seat: Seat, frame: Frame) => void
  now: () => number
  pageSize: number
  atOnce: number
  /** At most one `resync` a seat in this time. */
  resyncMs: number
  onDone: (from: CaughtUpFrom) => void
}

export type CaughtUpFrom = 'fresh' | 'ring' | 'page' | 'resync'

/** Another edge may have read further than this one when its client comes over. */
const AHEAD_STEP_MS = 50
const AHEAD_STEPS = 20
const PAGE_TRIES = 5

export class CatchUp {
  readonly #deps: CatchUpDeps
  readonly #gate: Gate
  readonly #running = new Set<Promise<void>>()

  constructor(deps: CatchUpDeps) {
    this.#deps = deps
    this.#gate = new Gate(deps.atOnce)
  }

  get pending(): Promise<void>[] {
    return [...this.#running]
  }

  /**
   * Brings the seat live. Whoever calls it for a live seat flushes what waits for it first.
   * @param cursor the client's `lastSeq`: null or absent = a fresh client, which starts at the head
   */
  start(seat: Seat, cursor: unknown): void {
    const { ring, rooms } = this.#deps
    if (cursor === null || cursor === undefined) return this.#join(seat, ring.head, 'fresh')
    if (typeof cursor !== 'number' || !Number.isSafeInteger(cursor) || cursor < 0)
      return this.#resync(seat)
    rooms.leave(seat)
    if (this.#isNear(cursor)) return this.#join(seat, cursor, 'ring')
    const work = this.#slowly(seat, cursor).finally(() => this.#running.delete(work))
    this.#running.add(work)
  }

  #isNear(cursor: number): boolean {
    const { ring, pageSize } = this.#deps
    return cursor >= ring.floor && cursor <= ring.head && ring.head - cursor <= pageSize
  }

  async #slowly(seat: Seat, start: number): Promise<void> {
    for (let step = 0; start > this.#deps.ring.head && step < AHEAD_STEPS && !seat.ended; step++)
      await pause(AHEAD_STEP_MS)
    if (start > this.#deps.ring.head) return this.#resync(seat)
    await this.#gate.run(async () => {
      const { epoch } = this.#deps.ring
      const paged = start < this.#deps.ring.floor
      let cursor: number | null = start
      while (cursor !== null && !seat.ended && !this.#isNear(cursor))
        cursor =
          cursor < this.#deps.ring.floor
            ? await this.#fromLog(seat, cursor)
            : await this.#fromRing(seat, cursor)
      if (seat.ended) return
      if (cursor === null || epoch !== this.#deps.ring.epoch) this.#resync(seat)
      else this.#join(seat, cursor, paged ? 'page' : 'ring')
    })
  }

  /** @returns the new cursor; null when the log no longer has it */
  async #fromLog(seat: Seat, cursor: number): Promise<number | null> {
    const { ring, pageSize } = this.#deps
    const page = await this.#page(cursor, pageSize)
    if (page === null || page.oldest > cursor + 1) return null
    // What this edge has not read yet will come live; sending it here as well would send it twice.
    const read = page.events.filter((event) => event.seq <= ring.head)
    const reached = read.length > 0 ? (read.at(-1) as FeedEvent).seq : Math.max(cursor, ring.floor)
    this.#sendChunk(seat, reached, read)
    return reached
  }

  async #fromRing(seat: Seat, cursor: number): Promise<number> {
    const chunk = this.#deps.ring.after(cursor, this.#deps.pageSize)
    const reached = chunk.at(-1)?.seq ?? this.#deps.ring.head
    this.#sendChunk(seat, reached, chunk)
    await new Promise((resolve) => setImmediate(resolve))
    return reached
  }

  async #page(cursor: number, limit: number): Promise<FeedPage | null> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#deps.page(cursor, limit)
      } catch {
        if (attempt === PAGE_TRIES) return null
        await pause(200 * attempt)
      }
    }
  }

  #sendChunk(seat: Seat, upTo: number, events: readonly FeedEvent[]): void {
    const own = heardBy(seat, events)
    if (own.length > 0 && !seat.ended) this.#deps.send(seat, encodeFrame(upTo, own))
  }

  /** The step that must not be interrupted. */
  #join(seat: Seat, cursor: number, from: CaughtUpFrom): void {
    const { ring, rooms } = this.#deps
    if (seat.ended) return
    const rest = heardBy(seat, ring.after(cursor))
    rooms.join(seat)
    this.#deps.send(seat, encodeFrame(ring.head, rest))
    this.#deps.onDone(from)
  }

  /** Tells the client to read its open screens again, and goes on live; one that comes too soon is told when it may be. */
  #resync(seat: Seat): void {
    const { ring, rooms, now, resyncMs } = this.#deps
    if (seat.ended) return
    const wait = seat.resyncAt + resyncMs - now()
    if (wait <= 0) {
      seat.resyncAt = now()
      seat.socket.emit('resync', { seq: ring.head })
      this.#deps.onDone('resync')
    } else if (!seat.resyncDue) {
      seat.resyncDue = true
      setTimeout(() => {
        seat.resyncDue = false
        this.#resync(seat)
      }, wait).unref()
    }
    if (!seat.live) rooms.join(seat)
  }

  /** The log jumped: what happened between is unknown to this edge, so every client reads its screens again. */
  resyncAll(seats: Iterable<Seat>): void {
    for (const seat of seats) this.#resync(seat)
  }
}

function heardBy(seat: Seat, events: readonly FeedEvent[]): FeedEvent[] {
  if (events.length === 0) return []
  const rooms = new Set(seat.rooms)
  return events.filter((event) => event.audience.some((room) => rooms.has(room)))
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
