/**
 * Keeps each connection in the rooms that manage names for it: asked at connect, when its watches
 * change, when an event may change rights, and once a minute. A connection whose
 * session has ended is notified and closed.
 */
import type { FeedEvent } from '#gateway/edge/feed/feed-event.ts'
import type { RightsClient, RoomsAnswer } from './rights-client.ts'
import type { Rooms } from './rooms.ts'
import type { Connection } from './connection.ts'

export interface RightsDeps {
  questions: RightsClient
  rooms: Rooms
  now: () => number
  /** The session ended: send the client the reason and close. */
  kick: (connection: Connection, reason: string) => void
  /** Manage refused some of the connection's watches. */
  onRefused: (connection: Connection, refused: readonly string[]) => void
  /** The rows whose presence the connection may follow. */
  onRows: (connection: Connection, rows: readonly string[]) => void
}

/** Events kept to see whether one came while a question was under way. */
const REMEMBERED = 200
/**
 * A core that still answers from before the change is asked again after this time; by then its
 * caches have expired.
 */
const AGAIN_MS = 1_000
const RETRY_MS = [100, 250, 500, 1_000, 2_000, 4_000]

export class Rights {
  readonly #deps: RightsDeps
  readonly #running = new Map<Connection, Promise<RoomsAnswer>>()
  readonly #queued = new Map<Connection, Promise<RoomsAnswer>>()
  readonly #again = new Map<Connection, NodeJS.Timeout>()
  readonly #rechecks: { no: number; audience: readonly string[] }[] = []
  #no = 0

  constructor(deps: RightsDeps) {
    this.#deps = deps
  }

  /** Work under way, for callers that wait until it is done. */
  get pending(): Promise<unknown>[] {
    return [...this.#running.values(), ...this.#queued.values()]
  }

  /** Queries the rights by a request that starts after this call, and applies the answer. */
  refresh(connection: Connection): Promise<RoomsAnswer> {
    const running = this.#running.get(connection)
    if (!running) return this.#run(connection)
    const queued = this.#queued.get(connection)
    if (queued) return queued
    const next = running.then(() => {
      this.#queued.delete(connection)
      return this.#run(connection)
    })
    this.#queued.set(connection, next)
    return next
  }

  /**
   * An event that may have changed rights: the rooms of its audience are requested again, at most
   * about 1 s later.
   */
  onRecheck(event: FeedEvent, others: Iterable<Connection>): void {
    this.#no += 1
    this.#rechecks.push({ no: this.#no, audience: event.audience })
    if (this.#rechecks.length > REMEMBERED) this.#rechecks.shift()
    const reason = event.reason ?? 'rights'
    this.#deps.rooms.visit(event.audience, (connection) => this.#recheckTwice(connection, reason))
    for (const connection of others)
      if (connection.rooms.some((room) => event.audience.includes(room)))
        this.#recheckTwice(connection, reason)
  }

  /** Ends the questions that are still to come. */
  stop(): void {
    for (const timer of this.#again.values()) clearTimeout(timer)
    this.#again.clear()
  }

  #recheckTwice(connection: Connection, reason: string): void {
    void this.recheck(connection, reason)
    clearTimeout(this.#again.get(connection))
    this.#again.set(
      connection,
      setTimeout(() => {
        this.#again.delete(connection)
        if (!connection.ended) void this.recheck(connection, reason)
      }, AGAIN_MS),
    )
  }

  /**
   * Asks until manage answers. A connection that cannot be confirmed is closed, so that it returns
   * when manage does.
   */
  async recheck(connection: Connection, reason: string): Promise<void> {
    for (const wait of RETRY_MS) {
      const answer = await this.refresh(connection)
      if (connection.ended) return
      if (answer.kind === 'no') return this.#deps.kick(connection, reason)
      if (answer.kind === 'yes') return
      await new Promise((resolve) => setTimeout(resolve, wait))
    }
    if (!connection.ended) connection.socket.disconnect(true)
  }

  /**
   * @returns whether the token belongs to the connection's own session, which then continues under
   * it
   */
  async renew(connection: Connection, token: string): Promise<boolean> {
    const answer = await this.#deps.questions.query({
      token,
      cookie: connection.cookie,
      fetchSite: connection.fetchSite,
      address: connection.address,
      watches: [...connection.watches].toSorted(),
    })
    if (answer.kind !== 'yes' || answer.data.sessionId !== connection.sessionId) return false
    connection.token = token
    return true
  }

  /**
   * The look once a minute: nothing is known to have changed, so a manage that is away changes
   * nothing.
   */
  async routine(connection: Connection): Promise<void> {
    const answer = await this.refresh(connection)
    if (answer.kind === 'no' && !connection.ended) this.#deps.kick(connection, 'expired')
  }

  #run(connection: Connection): Promise<RoomsAnswer> {
    const run = this.#query(connection).finally(() => this.#running.delete(connection))
    this.#running.set(connection, run)
    return run
  }

  async #query(connection: Connection): Promise<RoomsAnswer> {
    for (;;) {
      const from = this.#no
      const watches = [...connection.watches].toSorted()
      const { rows } = connection
      connection.queriedAt = this.#deps.now()
      const answer = await this.#deps.questions.query({
        token: connection.token,
        cookie: connection.cookie,
        fetchSite: connection.fetchSite,
        address: connection.address,
        watches,
        rows,
      })
      if (answer.kind !== 'yes') return answer
      // A live connection learns of a change through its rooms; one that is not in them yet would
      // miss it.
      if (!connection.live && this.#changedSince(from, answer.data.rooms)) continue
      connection.circle = answer.data.circle ?? null
      connection.avatar = answer.data.avatar ?? null
      this.#apply(connection, answer.data.rooms, answer.data.refused)
      this.#deps.onRows(
        connection,
        connection.ended ? [] : (answer.data.rows ?? []).filter((row) => rows.includes(row)),
      )
      if (answer.renewed) connection.token = answer.renewed
      return answer
    }
  }

  #apply(connection: Connection, rooms: readonly string[], refused: readonly string[]): void {
    this.#deps.rooms.move(connection, connection.ended ? [] : rooms)
    const gone = connection.watches.filter((watch) => refused.includes(watch))
    if (gone.length === 0) return
    connection.watches = connection.watches.filter((watch) => !gone.includes(watch))
    this.#deps.onRefused(connection, gone)
  }

  #changedSince(no: number, rooms: readonly string[]): boolean {
    if (this.#no - no > REMEMBERED) return true
    return this.#rechecks.some(
      (recheck) => recheck.no > no && recheck.audience.some((room) => rooms.includes(room)),
    )
  }
}
