/**
 * The only way to write: one transaction, and inside it only `trx`. Its statements are sent in the
 * order they are asked for, none waits for the answer to the one before (pipelining): BEGIN travels
 * with the first statement, what it ends with together with COMMIT, and two statements asked for at
 * once go out together. Each is prepared once per connection, for a command's texts are few and
 * planning them costs as much as running them.
 */
import {
  type CompiledQuery,
  type DatabaseConnection,
  DummyDriver,
  type Kysely,
  PostgresDialect,
  type QueryResult,
  type RawBuilder,
  Transaction,
} from 'kysely'
import pg from 'pg'
import { ConnectionLost } from './checked-pool.ts'
import type { Database } from './client.ts'
import { hasOldPlans } from './prepared.ts'
import { commandName } from './statement-names.ts'

export type Db = Kysely<unknown>
export type Trx = Transaction<unknown>
/** Hands over a statement that is sent together with the commit. */
export type EndWith = (statement: RawBuilder<unknown>) => void
/**
 * Sends a statement whose answer nobody waits for before the commit, which is sent meanwhile. So it
 * must fail by an error of the database where it did not do what it should (`found_all`).
 * @param errorOf the error that counts instead of the database's
 */
export type Send = (statement: RawBuilder<unknown>, errorOf?: (error: unknown) => unknown) => void

/**
 * Thrown by what was sent on the word of an earlier read that no longer holds: what the transaction
 * did is undone and it runs again, as after a deadlock.
 */
export class RunAgain extends Error {
  override readonly name = 'RunAgain'
}

const SERIALIZATION_FAILURE = '40001'
const DEADLOCK = '40P01'
const IDLE_IN_TRANSACTION = '25P03'
const RETRIES = 3

/**
 * Runs `fn` in one read-committed transaction and commits what it did; any error rolls all of it
 * back. When the server gives the transaction up for a deadlock, a serialization failure or because
 * this process stood still in it, or `fn` asks for it, `fn` runs again, up to 3 times more: it must
 * have no effect outside `trx`. Inside it, a query on `db` waits for its own caller; use `trx` only.
 */
export async function inTransaction<T>(
  database: Database,
  fn: (trx: Trx, endWith: EndWith, send: Send) => Promise<T>,
): Promise<T> {
  let isPatient = false
  for (let retry = 0; ; retry += 1) {
    const attempt: Attempt = { isPatient, isCommitSent: false }
    try {
      return await runOnce(database, fn, attempt)
    } catch (error) {
      const stoodStill = wasGivenUp(error, attempt)
      if (
        retry === RETRIES ||
        !(
          stoodStill ||
          error instanceof RunAgain ||
          isOneOf(error, SERIALIZATION_FAILURE, DEADLOCK)
        )
      )
        throw error
      isPatient ||= stoodStill
    }
  }
}

interface Attempt {
  /** It may stand still for as long as its own work takes. */
  isPatient: boolean
  isCommitSent: boolean
}

/**
 * Whether the server ended the transaction because this process stood still in it (`idleMillis`), so
 * that it left nothing. A connection that is lost after the commit was sent may have left all.
 */
function wasGivenUp(error: unknown, { isCommitSent }: Attempt): boolean {
  return isOneOf(error, IDLE_IN_TRANSACTION) || (error instanceof ConnectionLost && !isCommitSent)
}

async function runOnce<T>(
  { pool, kysely }: Database,
  fn: (trx: Trx, endWith: EndWith, send: Send) => Promise<T>,
  attempt: Attempt,
): Promise<T> {
  const client = await pool.connect()
  const connection = new TransactionConnection(client)
  const executor = kysely
    .getExecutor()
    .withConnectionProvider({ provideConnection: (consumer) => consumer(connection) })
  const trx = new Transaction<unknown>({
    config: { dialect: DIALECT },
    dialect: DIALECT,
    driver: new DummyDriver(),
    executor,
  })
  const endings: RawBuilder<unknown>[] = []
  const sent: Promise<unknown>[] = []
  function send(statement: RawBuilder<unknown>, errorOf = (error: unknown) => error): void {
    const answer = connection.executeQuery(statement.compile(kysely)).catch((error: unknown) => {
      throw errorOf(error)
    })
    // its error counts at the end; until then nobody listens
    answer.catch(() => undefined)
    sent.push(answer)
  }
  try {
    const begun = client.query('start transaction isolation level read committed')
    if (attempt.isPatient)
      await inOrder(begun, client.query(`set local idle_in_transaction_session_timeout = '10s'`))
    const result = await inOrder(
      begun,
      fn(trx, (statement) => void endings.push(statement), send).catch(async (error: unknown) => {
        // a statement that was sent may have failed first, which stopped those after it
        await allInOrder(sent)
        throw error
      }),
    )
    const ended = allInOrder([
      ...sent,
      ...endings.map((statement) => connection.executeQuery(statement.compile(kysely))),
    ])
    connection.isOver = true
    attempt.isCommitSent = true
    await inOrder(ended, client.query('commit'))
    client.release()
    return result
  } catch (error) {
    connection.isOver = true
    const isRolledBack = await client.query('rollback').then(
      () => true,
      () => false,
    )
    client.release(!isRolledBack || hasOldPlans(error))
    throw error
  }
}

/**
 * The second's result; when the first failed, its error, for that is why the second did. Waits for
 * both.
 */
export async function inOrder<T>(first: Promise<unknown>, second: Promise<T>): Promise<T> {
  const [before, after] = await Promise.allSettled([first, second])
  if (before.status === 'rejected') throw before.reason
  if (after.status === 'rejected') throw after.reason
  return after.value
}

/** Waits for all; the error of the first that failed is why the later ones did. */
async function allInOrder(sent: readonly Promise<unknown>[]): Promise<void> {
  for (const one of await Promise.allSettled(sent)) if (one.status === 'rejected') throw one.reason
}

const DIALECT = new PostgresDialect({
  pool: () => Promise.reject(new TypeError('a transaction has its connection')),
})

class TransactionConnection implements DatabaseConnection {
  readonly #client: pg.PoolClient
  /** What comes now would run by itself, outside the transaction. */
  isOver = false

  constructor(client: pg.PoolClient) {
    this.#client = client
  }

  async executeQuery<R>({ sql: text, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    if (this.isOver) throw new TypeError('the transaction is over')
    const { command, rowCount, rows } = await this.#client.query({
      name: commandName(text),
      text,
      values: [...parameters],
    })
    return {
      numAffectedRows: command === 'SELECT' || rowCount === null ? undefined : BigInt(rowCount),
      rows: rows as R[],
    }
  }

  streamQuery(): AsyncIterableIterator<never> {
    throw new TypeError('a transaction reads whole results')
  }
}

function isOneOf(error: unknown, ...codes: string[]): boolean {
  return error instanceof pg.DatabaseError && error.code !== undefined && codes.includes(error.code)
}
