/**
 * A rollup: sums by IST day that reports read instead of the book. Tables are filled for a range of days
 * by statements that write only what differs.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Trx } from '#gateway/manage/db/transaction.ts'
import type { Days } from '#gateway/manage/kernel/ist-days.ts'
import { campaign } from './rollups/campaign.ts'
import { cohort } from './rollups/cohort.ts'
import { customerDay } from './rollups/customer-day.ts'
import { due } from './rollups/due.ts'
import { held } from './rollups/held.ts'
import { orderDay } from './rollups/order-day.ts'
import { moneyDay } from './rollups/money-day.ts'
import { process } from './rollups/process.ts'
import { recovery } from './rollups/recovery.ts'
import { remind } from './rollups/remind.ts'
import { reloan } from './rollups/reloan.ts'
import { reviewDay } from './rollups/review-day.ts'
import { risk } from './rollups/risk.ts'
import { ticketDay } from './rollups/ticket-day.ts'
import { type Rollup, type RollupTable, sharedOf, wholeDays } from './rollup-types.ts'

export const ROLLUPS: readonly Rollup[] = [
  orderDay,
  customerDay,
  due,
  process,
  cohort,
  moneyDay,
  ticketDay,
  recovery,
  held,
  reviewDay,
  reloan,
  risk,
  remind,
  campaign,
]

/** The mark of a due day on which something was posted; of all rollups that follow postings. */
export const POSTED = 'posted'

/** Rollups that sum the same rows of the book are filled together. */
export const FILLED_TOGETHER: readonly (readonly Rollup[])[] = [
  ROLLUPS.filter(({ followsPostings }) => followsPostings),
  ...ROLLUPS.filter(({ followsPostings }) => !followsPostings).map((rollup) => [rollup]),
]

/** Whether a rollup still lacks days that were there before its first mark. */
export const IS_FILLING = sql<boolean>`(
  (select count(*) from report_rollup r where r.filled_at is not null
    and r.name = any(${ROLLUPS.map(({ name }) => name)}::text[])) < ${ROLLUPS.length}
)`

/**
 * Updates the rows of these days from the book, those of tables that share rows of the book in one
 * statement. Two never run at once for one rollup.
 * @returns the rollups of which rows changed
 */
export async function fillRollups(
  trx: Trx,
  rollups: readonly Rollup[],
  days: Days,
): Promise<Rollup[]> {
  const changed = new Set<Rollup>()
  for (const { name } of rollups)
    await sql`select pg_advisory_xact_lock(7009, hashtext(${name}))`.execute(trx)
  // the other processors are for the people who work meanwhile
  await sql`set local max_parallel_workers_per_gather = 0`.execute(trx)
  const tables = rollups.flatMap((rollup) => rollup.tables.map((table) => ({ rollup, table })))
  const apart = tables.filter(({ table }) => table.shared === undefined)
  const together = tables.filter(({ table }) => table.shared !== undefined)
  for (const filled of [...apart.map((one) => [one]), together]) {
    if (filled.length === 0) continue
    const { rows } = await sql<{ name: string }>`
      ${fill(
        filled.map(({ table }) => table),
        days,
      )}`.execute(trx)
    for (const { name } of rows)
      for (const { rollup, table } of filled) if (table.name === name) changed.add(rollup)
  }
  return [...changed]
}

/** @returns a statement that answers the name of each table of which rows changed */
function fill(tables: readonly RollupTable[], days: Days): RawBuilder<unknown> {
  const shared = new Map(
    tables.flatMap((table) => (table.shared ?? []).map((one) => [one.name, one] as const)),
  )
  return sql`
    with ${sql.join([...sharedOf([...shared.values()], days), ...tables.map((one) => written(one, days))])}
    ${sql.join(
      tables.map(
        ({ name }) => sql`
          select ${name} as name
          where exists (select from ${sql.ref(`${name}_put`)})
            or exists (select from ${sql.ref(`${name}_gone`)})`,
      ),
      sql` union all `,
    )}`
}

/** What a table should hold, and what is written for it, as parts of a `with`. */
function written(table: RollupTable, marked: Days): RawBuilder<unknown> {
  const { name, keys, measures, rows } = table
  const days = wholeDays(table, marked)
  const list = (columns: readonly string[], of = '') =>
    sql.raw(columns.map((column) => `${of}${column}`).join(', '))
  const all = [...keys, ...measures]
  const own = sql.raw(name)
  const day = sql.raw(`t.${keys[0]}`)
  const fresh = sql.raw(`${name}_fresh`)
  return sql`
    ${fresh} as materialized (${rows(days)}), ${sql.raw(`${name}_put`)} as (
      insert into ${own} as t (${list(all)})
      select ${list(all, 'f.')} from ${fresh} f
      on conflict (${list(keys)}) do update
      set ${sql.raw(measures.map((column) => `${column} = excluded.${column}`).join(', '))}
      where (${list(measures, 't.')}) is distinct from (${list(measures, 'excluded.')})
      returning 1
    ), ${sql.raw(`${name}_gone`)} as (
      delete from ${own} t
      where ${day} >= ${days.from}::date and ${day} <= ${days.to}::date
        and not exists (
          select 1 from ${fresh} f
          where ${sql.raw(keys.map((column) => `f.${column} = t.${column}`).join(' and '))}
        )
      returning 1
    )`
}
