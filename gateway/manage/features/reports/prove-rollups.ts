/** Proof of the rollups: days drawn at random are summed from the book again and compared. */
import { sql } from 'kysely'
import { addDays, daysBetween } from '#shared/kernel/time.ts'
import type { InvariantResult } from '#gateway/manage/db/invariant.ts'
import type { Database } from '#gateway/manage/db/client.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { POSTED, ROLLUPS } from './rollup.ts'
import { bookRows, type Rollup, type RollupTable, wholeDays } from './rollup-types.ts'

const DAYS = 30

/**
 * One result per table; its sample names the days that differ. Days that are marked, and rollups
 * that are not filled yet, are left out: nobody claims that they are right.
 * @param seed draws the same days of the same book again; each result names it
 */
export async function proveRollups(
  { kysely: db }: Database,
  seed = Date.now() % 1_000_000,
): Promise<InvariantResult[]> {
  const results: InvariantResult[] = []
  for (const rollup of ROLLUPS) {
    const days = await randomDays(db, rollup, drawOf(seed))
    for (const table of rollup.tables) {
      const wrong: string[] = []
      for (const day of days) if (await differs(db, rollup, table, day)) wrong.push(day)
      results.push({
        code: `F:${table.name}`,
        name: `${table.name} equals the book on ${days.length} random days (seed ${seed})`,
        violations: wrong.length,
        sample: wrong.slice(0, 5),
      })
    }
  }
  return results
}

/** Numbers below `most`, one after the other (mulberry32). */
function drawOf(seed: number): (most: number) => number {
  let state = seed >>> 0
  return (most) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % most
  }
}

async function randomDays(
  db: Db,
  rollup: Rollup,
  draw: (most: number) => number,
): Promise<string[]> {
  const { rows: filled } = await sql`
    select 1 from report_rollup r where r.name = ${rollup.name} and r.filled_at is not null`.execute(
    db,
  )
  const { rows } = await rollup.extent.execute(db)
  const { first, last } = rows[0] ?? { first: null, last: null }
  if (filled.length === 0 || first === null || last === null) return []
  const span = daysBetween(first, last) + 1
  const drawn = new Set<number>()
  while (drawn.size < Math.min(DAYS, span)) drawn.add(draw(span))
  return [...drawn].map((n) => addDays(first, n)).toSorted()
}

async function differs(db: Db, rollup: Rollup, table: RollupTable, day: string): Promise<boolean> {
  const { name, keys, measures } = table
  const days = wholeDays(table, { from: day, to: day })
  const columns = sql.join([...keys, ...measures].map((column) => sql.ref(column)))
  // one statement, so that both are of one moment
  const { rows } = await sql`
    with book as materialized (
      select ${columns} from (${bookRows(table, days)}) f
    ), kept as materialized (
      select ${columns} from ${sql.table(name)} t
      where ${sql.ref(`t.${keys[0]}`)} >= ${days.from}::date
        and ${sql.ref(`t.${keys[0]}`)} <= ${days.to}::date
    )
    select 1
    where not exists (
        select from report_mark m where m.rollup in (${rollup.name}, ${POSTED})
          and m.day = ${day}::date)
      and (exists (select from (select * from book except all select * from kept) a)
        or exists (select from (select * from kept except all select * from book) b))`.execute(db)
  return rows.length > 0
}
