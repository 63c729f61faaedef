// Statements that are parsed and planned once per connection: for short ones that costs as much as
// running them.
import { type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import type { Database } from './client.ts'
import { commandName } from './statement-names.ts'

/** A prepared statement no longer fits its table: another process has migrated. */
const PLAN_OUTDATED = '0A000'

/**
 * The right side of `column =` for one value or many. One stands by itself: a prepared plan of `=
 * any(list)` counts on ten, so for one the server thinks it could do better and plans each time
 * again, which costs more than the statement.
 */
export function anyOf(
  values: readonly (string | number)[],
  type: 'text' | 'int' = 'text',
): RawBuilder<unknown> {
  return values.length === 1
    ? sql`${values[0]}::${sql.raw(type)}`
    : sql`any(${[...values]}::${sql.raw(type)}[])`
}

/** Whether a connection must be given up after an error, so that its plans are made again. */
export function hasOldPlans(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === PLAN_OUTDATED
}

/**
 * Reads with a prepared statement. Only for one whose plan is good for whatever values it is asked
 * with: they are not looked at any more.
 */
export async function readPrepared<Row>(
  database: Database,
  statement: RawBuilder<Row>,
): Promise<Row[]> {
  const { sql: text, parameters } = statement.compile(database.kysely)
  const client = await database.pool.connect()
  let isOutdated = false
  try {
    const { rows } = await client.query({
      name: commandName(text),
      text,
      values: [...parameters],
    })
    return rows as Row[]
  } catch (error) {
    isOutdated = hasOldPlans(error)
    if (!isOutdated) throw error
  } finally {
    client.release(isOutdated)
  }
  return (await statement.execute(database.kysely)).rows
}
