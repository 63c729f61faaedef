/** Locks of the rows that commands change, with the columns the commands read. */
import { type RawBuilder, sql } from 'kysely'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { Actor, StaffActor } from '../actor.ts'
import type { CommandTx } from '../command.ts'

export interface RowLocks<Row> {
  /**
   * One row within what the caller may write.
   * @throws Problem G404 when it is missing or not visible to the caller
   */
  lockOne: (tx: CommandTx, id: string) => Promise<Row>
  /** One row, without the scope of a caller; null when there is none. */
  lockAny: (tx: CommandTx, which: RawBuilder<boolean>) => Promise<Row | null>
  /** For background jobs: null when the state has changed or another process has locked it. */
  lockIfFree: (tx: CommandTx, id: string, state: RawBuilder<boolean>) => Promise<Row | null>
  /** Several rows in id order, so that two commands cannot deadlock. */
  lockAll: (tx: CommandTx, which: RawBuilder<boolean>) => Promise<Row[]>
}

/**
 * @param columns what is read of a locked row
 * @param writable rows a member of staff may write; the system, jobs and machines have no scope
 */
export function rowLocks<Row>(
  { name, alias }: { name: string; alias: string },
  columns: RawBuilder<unknown>,
  writable: (actor: StaffActor) => RawBuilder<boolean>,
): RowLocks<Row> {
  const from = sql`select ${columns} from ${sql.table(name)} ${sql.ref(alias)}`
  const id = sql.ref(`${alias}.id`)
  const forUpdate = sql`for update of ${sql.ref(alias)}`
  async function read(tx: CommandTx, which: RawBuilder<unknown>): Promise<Row[]> {
    const { rows } = await sql<Row>`${from} where ${which}`.execute(tx.db)
    return rows
  }
  return {
    async lockOne(tx, one) {
      const may = writableBy(tx.actor, writable)
      const [row] = await read(tx, sql`${id} = ${one} and ${may} ${forUpdate}`)
      if (row === undefined) throw new Problem(NOT_FOUND)
      return row
    },
    async lockAny(tx, which) {
      const [row] = await read(tx, sql`${which} ${forUpdate}`)
      return row ?? null
    },
    async lockIfFree(tx, one, state) {
      const [row] = await read(tx, sql`${id} = ${one} and ${state} ${forUpdate} skip locked`)
      return row ?? null
    },
    lockAll: (tx, which) => read(tx, sql`${which} order by ${id} ${forUpdate}`),
  }
}

/** The rows of a job were authorised when it started. */
export function writableBy(
  actor: Actor,
  writable: (actor: StaffActor) => RawBuilder<boolean>,
): RawBuilder<boolean> {
  if (actor.rights === null || actor.userId === null) return sql<boolean>`true`
  // rights and a user id are what a scope reads of a staff actor; the session is not read
  return writable(actor as StaffActor)
}
