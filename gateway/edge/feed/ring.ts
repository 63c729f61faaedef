/**
 * The newest events, bounded by number and bytes: what a reconnecting socket is caught up from
 * without asking manage.
 */
import type { FeedEvent } from './feed-event.ts'

/** Held beside its JSON: the object, its strings and rooms. */
const OVERHEAD = 300

export class Ring {
  readonly #maxEvents: number
  readonly #maxBytes: number
  #events: FeedEvent[] = []
  /** Index of the oldest kept one; the array is cut when half of it is dead. */
  #start = 0
  #bytes = 0
  #floor = 0
  #head = 0
  #epoch = 0

  constructor(maxEvents: number, maxBytes: number) {
    this.#maxEvents = maxEvents
    this.#maxBytes = maxBytes
  }

  /** Seq of the newest event read (or known to exist before the first was). */
  get head(): number {
    return this.#head
  }

  /** Every event with a seq above this one is here. */
  get floor(): number {
    return this.#floor
  }

  /** Changes when the ring was reset: a cursor of before means nothing now. */
  get epoch(): number {
    return this.#epoch
  }

  get size(): number {
    return this.#events.length - this.#start
  }

  /** Forgets everything; the next event is the one after `head`. */
  reset(head: number): void {
    this.#epoch += 1
    this.#events = []
    this.#start = 0
    this.#bytes = 0
    this.#floor = head
    this.#head = head
  }

  push(event: FeedEvent): void {
    this.#events.push(event)
    this.#bytes += sizeOf(event)
    this.#head = event.seq
    while (this.size > this.#maxEvents || (this.#bytes > this.#maxBytes && this.size > 1))
      this.#dropOldest()
  }

  /** Events after `seq`, oldest first, at most `limit`. Complete only when `seq >= floor`. */
  after(seq: number, limit = Number.POSITIVE_INFINITY): FeedEvent[] {
    const from = this.#indexAfter(seq)
    return this.#events.slice(from, Math.min(this.#events.length, from + limit))
  }

  #dropOldest(): void {
    const oldest = this.#events[this.#start] as FeedEvent
    this.#floor = oldest.seq
    this.#bytes -= sizeOf(oldest)
    this.#start += 1
    if (this.#start > this.#events.length / 2) {
      this.#events = this.#events.slice(this.#start)
      this.#start = 0
    }
  }

  #indexAfter(seq: number): number {
    let low = this.#start
    let high = this.#events.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#events[middle] as FeedEvent).seq <= seq) low = middle + 1
      else high = middle
    }
    return low
  }
}

function sizeOf(event: FeedEvent): number {
  return event.json.length + OVERHEAD
}
