/**
 * From a client's cursor to live without a gap. During the catch-up a connection is in no room, and
 * the ring holds what happens meanwhile. The last step (send the rest of the ring, join the rooms)
 * is synchronous, so no event can fall between. A connection needs no buffer of its own.
 *
 * cursor ──(pages of manage's log)──► ring's floor ──(ring, 500 at a time)──► head ──► rooms
 */
import type { FeedEvent } from '#gateway/edge/feed/feed-event.ts'
import type { FeedPage } from '#gateway/edge/feed/feed-page.ts'
import type { Ring } from '#gateway/edge/feed/ring.ts'
import { Semaphore } from '#gateway/edge/semaphore.ts'
import { encodeFrame, type Frame } from './frame.ts'
import type { Rooms } from './rooms.ts'
import type { Connection } from './connection.ts'

export interface CatchUpDeps {
  ring: Ring
  rooms: Rooms
  page: (after: number, limit: number) => Promise<FeedPage>
  send: (connection: Connection, frame: Frame) => void
  now: () => number
  pageSize: number
  atOnce: number
  /** At most one `resync` per connection in this time. */
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
  readonly #gate: Semaphore
  readonly #running = new Set<Promise<void>>()

  constructor(deps: CatchUpDeps) {
    this.#deps = deps
    this.#gate = new Semaphore(deps.atOnce)
  }

  get pending(): Promise<void>[] {
    return [...this.#running]
  }

  /**
   * Brings the connection live. A caller with a live connection first flushes its waiting events.
   * @param cursor the client's `lastSeq`: null or absent = a fresh client, which starts at the head
   */
  start(connection: Connection, cursor: unknown): void {
    const { ring, rooms } = this.#deps
    if (cursor === null || cursor === undefined) return this.#join(connection, ring.head, 'fresh')
    if (typeof cursor !== 'number' || !Number.isSafeInteger(cursor) || cursor < 0)
      return this.#resync(connection)
    rooms.leave(connection)
    if (this.#isNear(cursor)) return this.#join(connection, cursor, 'ring')
    const work = this.#slowly(connection, cursor).finally(() => this.#running.delete(work))
    this.#running.add(work)
  }

  #isNear(cursor: number): boolean {
    const { ring, pageSize } = this.#deps
    return cursor >= ring.floor && cursor <= ring.head && ring.head - cursor <= pageSize
  }

  async #slowly(connection: Connection, start: number): Promise<void> {
    for (
      let step = 0;
      start > this.#deps.ring.head && step < AHEAD_STEPS && !connection.ended;
      step++
    )
      await pause(AHEAD_STEP_MS)
    if (start > this.#deps.ring.head) return this.#resync(connection)
    await this.#gate.run(async () => {
      const { epoch } = this.#deps.ring
      const paged = start < this.#deps.ring.floor
      let cursor: number | null = start
      while (cursor !== null && !connection.ended && !this.#isNear(cursor))
        cursor =
          cursor < this.#deps.ring.floor
            ? await this.#fromLog(connection, cursor)
            : await this.#fromRing(connection, cursor)
      if (connection.ended) return
      if (cursor === null || epoch !== this.#deps.ring.epoch) this.#resync(connection)
      else this.#join(connection, cursor, paged ? 'page' : 'ring')
    })
  }

  /** @returns the new cursor; null when the log no longer has it */
  async #fromLog(connection: Connection, cursor: number): Promise<number | null> {
    const { ring, pageSize } = this.#deps
    const page = await this.#page(cursor, pageSize)
    if (page === null || page.oldest > cursor + 1) return null
    // What this edge has not read yet will come live; sending it here as well would send it twice.
    const read = page.events.filter((event) => event.seq <= ring.head)
    const reached = read.length > 0 ? (read.at(-1) as FeedEvent).seq : Math.max(cursor, ring.floor)
    this.#sendChunk(connection, reached, read)
    return reached
  }

  async #fromRing(connection: Connection, cursor: number): Promise<number> {
    const chunk = this.#deps.ring.after(cursor, this.#deps.pageSize)
    const reached = chunk.at(-1)?.seq ?? this.#deps.ring.head
    this.#sendChunk(connection, reached, chunk)
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

  #sendChunk(connection: Connection, upTo: number, events: readonly FeedEvent[]): void {
    const own = eventsFor(connection, events)
    if (own.length > 0 && !connection.ended) this.#deps.send(connection, encodeFrame(upTo, own))
  }

  /** The step that must not be interrupted. */
  #join(connection: Connection, cursor: number, from: CaughtUpFrom): void {
    const { ring, rooms } = this.#deps
    if (connection.ended) return
    const rest = eventsFor(connection, ring.after(cursor))
    rooms.join(connection)
    this.#deps.send(connection, encodeFrame(ring.head, rest))
    this.#deps.onDone(from)
  }

  /**
   * Asks the client to refetch its open screens and continues live; one that comes too soon
   * receives the time to wait.
   */
  #resync(connection: Connection): void {
    const { ring, rooms, now, resyncMs } = this.#deps
    if (connection.ended) return
    const wait = connection.resyncAt + resyncMs - now()
    if (wait <= 0) {
      connection.resyncAt = now()
      connection.socket.emit('resync', { seq: ring.head })
      this.#deps.onDone('resync')
    } else if (!connection.resyncDue) {
      connection.resyncDue = true
      setTimeout(() => {
        connection.resyncDue = false
        this.#resync(connection)
      }, wait).unref()
    }
    if (!connection.live) rooms.join(connection)
  }

  /**
   * The log jumped: what happened between is unknown to this edge, so every client reads its
   * screens again.
   */
  resyncAll(connections: Iterable<Connection>): void {
    for (const connection of connections) this.#resync(connection)
  }
}

function eventsFor(connection: Connection, events: readonly FeedEvent[]): FeedEvent[] {
  if (events.length === 0) return []
  const rooms = new Set(connection.rooms)
  return events.filter((event) => event.audience.some((room) => rooms.has(room)))
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
