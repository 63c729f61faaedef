// Silences of pg made loud, and one of its alarms made an answer.
import pg from 'pg'
import { callerGone, cancelStatement } from './caller-gone.ts'
import { readName } from './statement-names.ts'

/** COMMIT of a failed transaction: the server has rolled it back and reports no error. */
export class TransactionRolledBack extends Error {
  override readonly name = 'TransactionRolledBack'
  readonly code = 'TRANSACTION_ROLLED_BACK'

  constructor() {
    super(
      'The transaction was rolled back at commit: a statement in it had failed and its error was swallowed',
    )
  }
}

/**
 * No connection became free: nearly always a query that waits for the connection of its own caller.
 */
export class ConnectionWaitTimeout extends Error {
  override readonly name = 'ConnectionWaitTimeout'
  readonly code = 'CONNECTION_WAIT_TIMEOUT'

  constructor(max: number, cause: unknown) {
    super(
      `No database connection became free: all ${max} are in use. ` +
        'The likely culprit is a query on `db` awaited inside a transaction, where only `trx` ' +
        'may be used; otherwise a statement that runs too long, or a server that does not answer',
      { cause },
    )
  }
}

/**
 * The connection ended under a statement; whether a commit that was under way took effect is not
 * known.
 */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
  /** connection_failure; pg's own error has no code, or the socket's. */
  readonly code = '08006'
}

/**
 * A client that does not take a rollback for a commit, names the loss of its connection, and sends
 * together what is asked for at once.
 */
export class CheckedClient extends pg.Client {
  #isLost = false
  // The client has them, its type does not.
  declare readonly processID: number
  declare readonly secretKey: number
  /** The embedded database runs one statement at a time and cannot be interrupted. */
  readonly #isServer: boolean

  constructor(config?: string | pg.ClientConfig) {
    super(config)
    this.#isServer = typeof config === 'string' || config?.stream === undefined
    // the pool is notified of idle clients only; the loss of one that is lent would end the process, and
    // its query fails anyway
    this.on('error', () => (this.#isLost = true))
  }

  // One signature for the seven of pg.Client.query: all arguments pass through unchanged.
  override query = ((...args: unknown[]) => {
    this.#gather()
    // the seven signatures are called as one
    const result: unknown = Reflect.apply(pg.Client.prototype.query, this, this.#prepared(args))
    if (!(result instanceof Promise)) return result
    const named = this.#whileWanted(result).catch((error: unknown) => this.#fail(error))
    return args[0] === 'commit' ? named.then(refuseRollback) : named
  }) as pg.Client['query']

  /**
   * The embedded database spends five times as long on planning a list as on reading it, so each of
   * its reads is prepared, as the statements of a command are. A server plans reads for their values.
   */
  #prepared(args: unknown[]): unknown[] {
    const [text, values] = args
    if (this.#isServer || args.length !== 2 || typeof text !== 'string' || !Array.isArray(values))
      return args
    return [{ name: readName(text), text, values }]
  }

  /**
   * A statement whose caller goes away is cancelled. The connection is kept until the server has
   * taken that word, which would else meet the statement of somebody else.
   */
  async #whileWanted<T>(result: Promise<T>): Promise<T> {
    const gone = callerGone()
    if (gone === undefined || !this.#isServer) return result
    const cancelled: Promise<void>[] = []
    const cancel = (): void => {
      cancelled.push(cancelStatement(this))
    }
    if (gone.aborted) cancel()
    else gone.addEventListener('abort', cancel, { once: true })
    try {
      return await result
    } finally {
      gone.removeEventListener('abort', cancel)
      await Promise.all(cancelled)
    }
  }

  /**
   * What is asked for in one go leaves in one packet: each write to the socket costs as much as a
   * small query.
   */
  #gather(): void {
    const { stream } = this.connection
    if (stream.writableCorked > 0) return
    stream.cork()
    process.nextTick(() => stream.uncork())
  }

  #fail(error: unknown): never {
    if (this.#isLost && error instanceof Error && !(error instanceof pg.DatabaseError))
      throw new ConnectionLost(error.message, { cause: error })
    throw error
  }
}

/** A pool whose wait for a connection ends in an error that names the likely culprit. */
export class NamingPool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>
  override connect(callback: Parameters<pg.Pool['connect']>[0]): void
  override connect(callback?: Parameters<pg.Pool['connect']>[0]): Promise<pg.PoolClient> | void {
    if (callback)
      return super.connect((error, client, done) =>
        callback(error && this.#named(error), client, done),
      )
    return super.connect().catch((error: unknown) => {
      throw this.#named(error as Error) // pg rejects with Errors only
    })
  }

  #named(error: Error): Error {
    return error.message.includes('timeout exceeded when trying to connect')
      ? new ConnectionWaitTimeout(this.options.max ?? 0, error)
      : error
  }
}

function refuseRollback(result: pg.QueryResult): pg.QueryResult {
  if (result.command === 'ROLLBACK') throw new TransactionRolledBack()
  return result
}
