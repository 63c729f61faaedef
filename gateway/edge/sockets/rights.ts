/**
 * Keeps each seat in the rooms manage names for it now: asked at connect, when its watches change, when an event says that
 * rights may have changed, and once a minute. A session that is no longer one is told and ended.
 */
import type { FeedEvent } from '#gateway/edge/feed/feed-event.ts'
import type { Questions, RoomsAnswer } from './questions.ts'
import type { Rooms } from './rooms.ts'
import type { Seat } from './seat.ts'

export interface RightsDeps {
  questions: Questions
  rooms: Rooms
  now: () => number
  /** The session ended: tell the client why and close. */
  kick: (seat: Seat, reason: string) => void
  /** Manage refused some of the seat's watches. */
  onRefused: (seat: Seat, refused: readonly string[]) => void
  /** Of which rows the seat may hear who has them open. */
  onRows: (seat: Seat, rows: readonly string[]) => void
}

/** Events kept to see whether one came while a question was under way. */
const REMEMBERED = 200
const RETRY_MS = [100, 250, 500, 1_000, 2_000, 4_000]

export class Rights {
  readonly #deps: RightsDeps
  readonly #running = new Map<Seat, Promise<RoomsAnswer>>()
  readonly #queued = new Map<Seat, Promise<RoomsAnswer>>()
  readonly #rechecks: { no: number; audience: readonly string[] }[] = []
  #no = 0

  constructor(deps: RightsDeps) {
    this.#deps = deps
  }

  /** Work under way, for whoever waits until it is done. */
  get pending(): Promise<unknown>[] {
    return [...this.#running.values(), ...this.#queued.values()]
  }

  /** Asks with a question that begins after this call, and applies the answer. */
  refresh(seat: Seat): Promise<RoomsAnswer> {
    const running = this.#running.get(seat)
    if (!running) return this.#run(seat)
    const queued = this.#queued.get(seat)
    if (queued) return queued
    const next = running.then(() => {
      this.#queued.delete(seat)
      return this.#run(seat)
    })
    this.#queued.set(seat, next)
    return next
  }

  /** An event that may have changed rights: its audience is asked about again, at most about 1 s later (trust.md E5, G2). */
  onRecheck(event: FeedEvent, others: Iterable<Seat>): void {
    this.#no += 1
    this.#rechecks.push({ no: this.#no, audience: event.audience })
    if (this.#rechecks.length > REMEMBERED) this.#rechecks.shift()
    const reason = event.reason ?? 'rights'
    this.#deps.rooms.visit(event.audience, (seat) => void this.recheck(seat, reason))
    for (const seat of others)
      if (seat.rooms.some((room) => event.audience.includes(room))) void this.recheck(seat, reason)
  }

  /** Asks until manage answers; a seat that cannot be confirmed is closed, so that it comes back when manage does. */
  async recheck(seat: Seat, reason: string): Promise<void> {
    for (const wait of RETRY_MS) {
      const answer = await this.refresh(seat)
      if (seat.ended) return
      if (answer.kind === 'no') return this.#deps.kick(seat, reason)
      if (answer.kind === 'yes') return
      await new Promise((resolve) => setTimeout(resolve, wait))
    }
    if (!seat.ended) seat.socket.disconnect(true)
  }

  /** @returns whether the token is of the seat's own session, which then goes on under it */
  async renew(seat: Seat, token: string): Promise<boolean> {
    const answer = await this.#deps.questions.ask({
      token,
      cookie: seat.cookie,
      fetchSite: seat.fetchSite,
      address: seat.address,
      watches: [...seat.watches].sort(),
    })
    if (answer.kind !== 'yes' || answer.data.sessionId !== seat.sessionId) return false
    seat.token = token
    return true
  }

  /** The look once a minute: nothing is known to have changed, so a manage that is away changes nothing. */
  async routine(seat: Seat): Promise<void> {
    const answer = await this.refresh(seat)
    if (answer.kind === 'no' && !seat.ended) this.#deps.kick(seat, 'expired')
  }

  #run(seat: Seat): Promise<RoomsAnswer> {
    const run = this.#ask(seat).finally(() => this.#running.delete(seat))
    this.#running.set(seat, run)
    return run
  }

  async #ask(seat: Seat): Promise<RoomsAnswer> {
    for (;;) {
      const from = this.#no
      const watches = [...seat.watches].sort()
      const { rows } = seat
      seat.askedAt = this.#deps.now()
      const answer = await this.#deps.questions.ask({
        token: seat.token,
        cookie: seat.cookie,
        fetchSite: seat.fetchSite,
        address: seat.address,
        watches,
        rows,
      })
      if (answer.kind !== 'yes') return answer
      // A live seat hears of a change through its rooms; one that is not in them yet would miss it.
      if (!seat.live && this.#changedSince(from, answer.data.rooms)) continue
      seat.circle = answer.data.circle ?? null
      this.#apply(seat, answer.data.rooms, answer.data.refused)
      this.#deps.onRows(
        seat,
        seat.ended ? [] : (answer.data.rows ?? []).filter((row) => rows.includes(row)),
      )
      if (answer.renewed) seat.token = answer.renewed
      return answer
    }
  }

  #apply(seat: Seat, rooms: readonly string[], refused: readonly string[]): void {
    this.#deps.rooms.move(seat, seat.ended ? [] : rooms)
    const gone = seat.watches.filter((watch) => refused.includes(watch))
    if (gone.length === 0) return
    seat.watches = seat.watches.filter((watch) => !gone.includes(watch))
    this.#deps.onRefused(seat, gone)
  }

  #changedSince(no: number, rooms: readonly string[]): boolean {
    if (this.#no - no > REMEMBERED) return true
    return this.#rechecks.some(
      (recheck) => recheck.no > no && recheck.audience.some((room) => rooms.includes(room)),
    )
  }
}
