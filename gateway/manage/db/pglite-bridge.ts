// Many pg clients on PGlite's single session. A client keeps the session from its first message
// until ReadyForQuery says "idle", so transactions never interleave; the others wait in order. A
// client that goes away inside a transaction is rolled back. Known to differ from a server, because
// all clients share one session: - session advisory locks are re-entrant between clients
// (pg_try_advisory_lock succeeds for every one of them), and a client that goes away does not free
// them: use transaction locks, or elect once a process; - `set` (without `local`), temporary tables
// and SQL-level `prepare` are seen by all clients; - no statement can be cancelled,
// statement_timeout and lock_timeout never fire; `copy … from stdin` ends PGlite.
import { PgliteListeners, statementTexts } from './pglite-listeners.ts'
import { PgliteOutput } from './pglite-output.ts'
import { PgliteSession, type ReplyPort, type Unit } from './pglite-session.ts'
import { STATUS, query, sync } from './wire.ts'

/** Executes whole messages and gives the raw output piece by piece, before it returns. */
export type Execute = (bytes: Uint8Array, onData: (chunk: Uint8Array) => void) => Promise<void>

export interface ClientPort extends ReplyPort {
  on(event: 'message', listener: (bytes: Uint8Array) => void): unknown
  on(event: 'close', listener: () => void): unknown
}

type Turn = PgliteSession | (() => Promise<void>)

export class PgliteBridge {
  readonly #execute: Execute
  readonly #waitMillis: number
  readonly #onBroken: (error: Error) => void
  readonly #sessions = new Set<PgliteSession>()
  readonly #listeners = new PgliteListeners()
  readonly #output = new PgliteOutput((channel, bytes) => this.#notify(channel, bytes))
  readonly #waiting: Turn[] = []
  #owner: PgliteSession | null = null
  #ownerText = ''
  /** Since when the owner has had nothing to execute while it keeps the session. */
  #idleSince: number | null = null
  #timer: NodeJS.Timeout | undefined
  #isRunning = false
  #mustSettle = false
  #lastId = 0

  constructor(options: { execute: Execute; waitMillis: number; onBroken: (error: Error) => void }) {
    this.#execute = options.execute
    this.#waitMillis = options.waitMillis
    this.#onBroken = options.onBroken
  }

  connect(port: ClientPort): void {
    const session = new PgliteSession(++this.#lastId, port)
    this.#sessions.add(session)
    port.on('message', (bytes) => {
      session.push(bytes)
      this.#wake(session)
    })
    port.on('close', () => {
      session.isClosed = true
      this.#wake(session)
    })
  }

  /** Runs `job` when no client has a transaction open, and keeps the session for it meanwhile. */
  runExclusive<T>(job: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.push(() => job().then(resolve, reject))
      void this.#run()
    })
  }

  #wake(session: PgliteSession): void {
    if (!this.#sessions.has(session)) return
    if (session !== this.#owner && !this.#waiting.includes(session)) this.#enqueue(session)
    void this.#run()
  }

  #enqueue(session: PgliteSession): void {
    session.waitsSince = Date.now()
    this.#waiting.push(session)
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return
    this.#isRunning = true
    clearTimeout(this.#timer)
    try {
      for (;;) {
        const turn = this.#owner ?? this.#waiting.shift()
        if (!turn) break
        if (typeof turn === 'function') {
          await turn()
          continue
        }
        this.#owner = turn
        if (!(await this.#step(turn))) break
        await nextEvents() // the thread must receive new clients and messages between statements
      }
    } catch (error) {
      this.#onBroken(error as Error) // execute and the scanner throw Errors only
      return // isRunning stays: a broken session must not be used again
    }
    this.#isRunning = false
    this.#watch()
  }

  /**
   * Executes what the owner has sent, up to the end of its transaction; false when it keeps the
   * session and must be waited for.
   */
  async #step(session: PgliteSession): Promise<boolean> {
    let unit = session.isClosed ? null : session.nextUnit()
    const hasWorked = unit !== null
    while (unit) {
      await this.#perform(session, unit)
      unit = session.isClosed || this.#output.status === STATUS.idle ? null : session.nextUnit()
    }
    // answers to what came in one packet leave in one
    this.#output.deliver()
    const isAtRest = this.#output.status === STATUS.idle && !session.isUnsynced
    if (!hasWorked && !session.isClosed && !isAtRest) return false
    this.#idleSince = null
    if (session.isClosed) await this.#discard(session)
    else if (!isAtRest) return true
    if (this.#mustSettle) await this.#settle()
    this.#owner = null
    if (session.hasInput() && !session.isClosed) this.#enqueue(session)
    return true
  }

  async #perform(session: PgliteSession, unit: Unit): Promise<void> {
    this.#ownerText = ''
    const wasUnsynced = session.isUnsynced
    this.#output.reset((bytes) => session.send(bytes))
    await this.#execute(unit.bytes, (chunk) => this.#output.feed(chunk))
    session.isUnsynced = this.#output.readyCount === 0
    if (unit.asksReady && session.isUnsynced && !wasUnsynced)
      throw new Error('PGlite ended its session')
    if (this.#output.status !== STATUS.idle)
      this.#ownerText = statementTexts(unit.bytes).slice(0, 200)
    if (!this.#output.hasListened) return
    this.#listeners.track(session, unit.bytes)
    this.#mustSettle = true
  }

  /**
   * Ends a client's part of the session: its transaction, its prepared statements, its channels.
   */
  async #discard(session: PgliteSession): Promise<void> {
    this.#sessions.delete(session)
    if (session.isUnsynced) await this.#internal(sync())
    if (this.#output.status !== STATUS.idle) await this.#internal(query('rollback'))
    const statements = session.closeStatements()
    if (statements) await this.#internal(statements)
    if (session.channels.size > 0) this.#mustSettle = true
  }

  async #settle(): Promise<void> {
    this.#mustSettle = false
    const statement = this.#listeners.settle(this.#sessions)
    if (statement !== null) await this.#internal(query(statement))
  }

  async #internal(bytes: Uint8Array): Promise<void> {
    this.#output.reset(() => {})
    await this.#execute(bytes, (chunk) => this.#output.feed(chunk))
    this.#output.deliver()
  }

  #notify(channel: string, bytes: Uint8Array<ArrayBuffer>): void {
    for (const session of this.#sessions)
      if (session.channels.has(channel)) session.send(bytes.slice())
  }

  /**
   * While the owner is idle inside its transaction, nobody may wait for it longer than waitMillis.
   */
  #watch(): void {
    if (!this.#owner) return
    this.#idleSince ??= Date.now()
    const first = this.#waiting.find((turn) => typeof turn !== 'function' && !turn.isClosed)
    if (typeof first !== 'object') return
    const due = Math.max(this.#idleSince, first.waitsSince) + this.#waitMillis
    this.#timer = setTimeout(() => this.#refuseWaiting(), Math.max(0, due - Date.now()))
  }

  #refuseWaiting(): void {
    const since = Date.now() - this.#waitMillis
    const late = this.#waiting
      .filter((turn) => typeof turn !== 'function')
      .filter((turn) => !turn.isClosed && turn.waitsSince <= since)
    for (const turn of late) {
      this.#waiting.splice(this.#waiting.indexOf(turn), 1)
      turn.refuse({
        code: '55P03',
        message:
          `waited ${this.#waitMillis / 1000} s for PGlite's one session, which an idle transaction keeps; ` +
          'the likely culprit is a query on `db` awaited inside a transaction, where only `trx` may be used',
        hint: `The open transaction last ran: ${this.#ownerText || '(unknown)'}`,
      })
    }
    this.#watch()
  }
}

function nextEvents(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
