/**
 * Logs that are divided by the month of India (migration 0430): months are made ahead, and one that
 * is over its term leaves as a whole, with its space.
 */
import { setTimeout as rest } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import type { Database } from './client.ts'
import { inTransaction, type Trx } from './transaction.ts'

/** Writers of the log queue behind a month being detached or attached, for no longer than this. */
const LOCK_WAIT = '200ms'
/** A reader of seconds, such as a report, is let through; after a minute of them the next run tries. */
const TRIES = 60
const REST_MS = 1_000
const LOCK_NOT_AVAILABLE = '55P03'

/** A part of a divided log: a month, or what was written before it was divided or finds no month. */
export interface LogPart {
  table: string
  /** `2026-11`; null when it is no month. */
  month: string | null
}

/** Makes this month and the next two of every divided log. @returns how many were missing */
export async function makeMonths(database: Database): Promise<number> {
  return briefly(() =>
    inTransaction(database, async (trx) => {
      await waitBriefly(trx)
      const { rows } = await sql<{ made: number }>`select make_months() as made`.execute(trx)
      return rows[0]?.made ?? 0
    }),
  )
}

/** The beginning of the month of India in which a moment lies. */
export function monthOf(moment: RawBuilder<unknown>): RawBuilder<string> {
  const zone = sql.lit('Asia/Kolkata')
  return sql<string>`
    (date_trunc('month', (${moment}) at time zone ${zone}) at time zone ${zone})`
}

/** Parts of a log, the oldest first: months that ended by a moment, and those that are no month. */
export async function partsUntil(
  { kysely }: Database,
  log: string,
  moment: string,
): Promise<LogPart[]> {
  const { rows } = await sql<LogPart>`
    select p.table, p.month from (
      select ${`${log}_before`} as table, null as month, '-infinity'::timestamptz as ends
      union all
      select m.part, to_char(m.month, 'YYYY-MM'), m.ends from months_of(${log}) m
      where m.ends <= ${moment}::timestamptz
      union all
      select ${`${log}_unplaced`}, null, 'infinity'
    ) p
    order by p.ends`.execute(kysely)
  return rows
}

/**
 * Takes a month off its log and drops it, in a transaction of the caller. All of the log is locked for
 * as long as that takes, a change of the catalogue: "concurrently" needs a transaction of its own, in
 * which nothing could be written beside it.
 * @throws pg.DatabaseError `55P03` when somebody has used the log for long; see `briefly`
 */
export async function removeMonth(trx: Trx, log: string, part: string): Promise<void> {
  await waitBriefly(trx)
  await sql`alter table ${sql.table(log)} detach partition ${sql.table(part)}`.execute(trx)
  await sql`drop table ${sql.table(part)}`.execute(trx)
}

/** Runs again what waited too long for a lock, with a rest in which the others work. */
export async function briefly<T>(change: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1)
    try {
      return await change()
    } catch (error) {
      const isBusy = error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE
      if (!isBusy || tried === TRIES) throw error
      await rest(REST_MS)
    }
}

async function waitBriefly(trx: Trx): Promise<void> {
  await sql`set local lock_timeout = ${sql.lit(LOCK_WAIT)}`.execute(trx)
}
