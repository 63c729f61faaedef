/**
 * A rollup: sums by IST day that reports read instead of the book. Each table is filled for a range
 * of days by one statement, which writes only what differs.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Trx } from '#gateway/manage/db/transaction.ts'
import type { Days } from '#gateway/manage/kernel/ist-days.ts'
import { campaign } from './rollups/campaign.ts'
import { cohort } from './rollups/cohort.ts'
import { customerDay } from './rollups/customer-day.ts'
import { due } from './rollups/due.ts'
import { orderDay } from './rollups/order-day.ts'
import { moneyDay } from './rollups/money-day.ts'
import { process } from './rollups/process.ts'
import { recovery } from './rollups/recovery.ts'
import { remind } from './rollups/remind.ts'
import { reloan } from './rollups/reloan.ts'
import { reviewDay } from './rollups/review-day.ts'
import { risk } from './rollups/risk.ts'
import { ticketDay } from './rollups/ticket-day.ts'
import type { Rollup, RollupTable } from './rollup-types.ts'

export const ROLLUPS: readonly Rollup[] = [
  orderDay,
  customerDay,
  due,
  process,
  cohort,
  moneyDay,
  ticketDay,
  recovery,
  reviewDay,
  reloan,
  risk,
  remind,
  campaign,
]

/** The mark of a due day on which something was posted; of all rollups that follow postings. */
export const POSTED = 'posted'

/** Whether a rollup still lacks days that were there before its first mark. */
export const IS_FILLING = sql<boolean>`(
  (select count(*) from report_rollup r where r.filled_at is not null
    and r.name = any(${ROLLUPS.map(({ name }) => name)}::text[])) < ${ROLLUPS.length}
)`

/**
 * Brings the rows of these days to what the book says. Two never run at once for one rollup.
 * @returns how many rows changed
 */
export async function fillRollup(trx: Trx, rollup: Rollup, days: Days): Promise<number> {
  await sql`select pg_advisory_xact_lock(7009, hashtext(${rollup.name}))`.execute(trx)
  let changed = 0
  for (const table of rollup.tables) {
    const { rows } = await sql<{ changed: number }>`${fill(table, days)}`.execute(trx)
    changed += rows[0]?.changed ?? 0
  }
  return changed
}

function fill({ name, keys, measures, rows }: RollupTable, days: Days): RawBuilder<unknown> {
  const list = (columns: readonly string[], of = '') =>
    sql.raw(columns.map((column) => `${of}${column}`).join(', '))
  const all = [...keys, ...measures]
  const own = sql.raw(name)
  const day = sql.raw(`t.${keys[0]}`)
  return sql`
    with fresh as materialized (${rows(days)}), written as (
      insert into ${own} as t (${list(all)})
      select ${list(all, 'f.')} from fresh f
      on conflict (${list(keys)}) do update
      set ${sql.raw(measures.map((column) => `${column} = excluded.${column}`).join(', '))}
      where (${list(measures, 't.')}) is distinct from (${list(measures, 'excluded.')})
      returning 1
    ), gone as (
      delete from ${own} t
      where ${day} >= ${days.from}::date and ${day} <= ${days.to}::date
        and not exists (
          select 1 from fresh f
          where ${sql.raw(keys.map((column) => `f.${column} = t.${column}`).join(' and '))}
        )
      returning 1
    )
    select (select count(*)::int from written) + (select count(*)::int from gone) as changed`
}
