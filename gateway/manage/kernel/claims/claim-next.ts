/**
 * The next free rows are claimed in one statement that skips rows a colleague is claiming, so nobody
 * waits and no row is claimed twice.
 */
import { type RawBuilder, sql } from 'kysely'
import type { StaffActor } from '../actor.ts'
import type { CommandTx } from '../command.ts'
import type { ClaimParts } from './claim-table.ts'

export interface NextClaims<Row> {
  claims: ClaimParts
  actor: StaffActor
  count: number
  /** How many rows the person holds, and how many they may hold. */
  held: RawBuilder<number>
  capacity: RawBuilder<number>
  /** Free rows the person may claim, and their order. */
  where: RawBuilder<boolean>
  orderBy: RawBuilder<unknown>
  /** Assignments beside holder, version and time. */
  set: RawBuilder<unknown>
  /** Columns `logged` and `row` read. */
  columns: RawBuilder<unknown>
  /** Writes the log of the rows of `claimed c`. */
  logged: RawBuilder<unknown>
  /** A claimed row as JSON, and the joins it needs. */
  row: RawBuilder<Row>
  joins: RawBuilder<unknown>
}

export interface ClaimedRows<Row> {
  /** Before this claim. */
  held: number
  capacity: number
  /** Null when nothing was claimed: no room, or no free row. */
  claimed: Row[] | null
}

/** Call `lockCapacity` first, so that the count is exact. */
export async function claimNext<Row>(
  tx: CommandTx,
  wanted: NextClaims<Row>,
): Promise<ClaimedRows<Row>> {
  const { claims, count, columns, orderBy } = wanted
  const { name, alias } = claims.table
  const from = sql`${sql.table(name)} ${sql.ref(alias)}`
  const own = (column: string) => sql.ref(`${alias}.${column}`)
  const { rows } = await sql<ClaimedRows<Row>>`
    with room as (
      select ${wanted.held} as held, ${wanted.capacity} as capacity
    ), picked as (
      -- the outer limit says nothing new but to the planner, which cannot know how much room there is
      select p.id from (
        select ${own('id')} from ${from}
        where ${wanted.where}
        order by ${orderBy}
        limit (select greatest(0, least(${count}::int, m.capacity - m.held)) from room m)
        for update of ${sql.ref(alias)} skip locked
      ) p limit ${sql.lit(count)}
    ), claimed as (
      update ${from} set ${wanted.set}, version = ${own('version')} + 1, updated_at = clock_timestamp(),
        ${claims.newHolder(wanted.actor)}
      from picked p where ${own('id')} = p.id returning ${columns}
    ), logged as (
      ${wanted.logged}
    )
    select m.held, m.capacity, (select json_agg(${wanted.row} order by ${orderBy})
      from claimed ${sql.ref(alias)} ${wanted.joins}) as claimed from room m`.execute(tx.db)
  // a select without a table: always one row
  return rows[0] as ClaimedRows<Row>
}
