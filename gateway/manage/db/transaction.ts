// The only way to write: one transaction, and inside it only `trx`.
import type { Kysely, Transaction } from 'kysely'
import pg from 'pg'
import type { Database } from './client.ts'

export type Db = Kysely<unknown>
export type Trx = Transaction<unknown>

const SERIALIZATION_FAILURE = '40001'
const DEADLOCK = '40P01'
const RETRIES = 3

/**
 * Runs `fn` in one read-committed transaction and commits what it did; any error rolls all of it back.
 * When the server gives the transaction up for a deadlock or a serialization failure, `fn` runs again, up to 3 times more:
 * it must have no effect outside `trx`. Inside it, a query on `db` waits for its own caller; use `trx` only.
 */
export async function inTransaction<T>(database: Database, fn: (trx: Trx) => Promise<T>): Promise<T> {
  for (let retry = 0; ; retry += 1) {
    try {
      return await database.kysely.transaction().setIsolationLevel('read committed').execute(fn)
    } catch (error) {
      if (retry === RETRIES || !isWorthRetrying(error)) throw error
    }
  }
}

function isWorthRetrying(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === SERIALIZATION_FAILURE || error.code === DEADLOCK)
}
