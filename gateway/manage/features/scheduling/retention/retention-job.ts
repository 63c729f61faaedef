/**
 * Removes what was kept for its term, each night. Logs that are divided by months lose whole months;
 * other rows go in small statements of their own, so that nobody waits for one. An entry of the operate
 * log says how many of what, older than when. The ledger and the book stay; the operate log has a class
 * of its own, which exports first.
 */
import { setTimeout as rest } from 'node:timers/promises'
import { sql } from 'kysely'
import {
  briefly,
  type LogPart,
  makeMonths,
  monthOf,
  partsUntil,
  removeMonth,
} from '#gateway/manage/db/months.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { runCommand } from '#gateway/manage/kernel/command.ts'
import { type Retained, termDays } from '#gateway/manage/kernel/retained.ts'

const NAME = 'retention'
const CHUNK = 1_000

interface Removed {
  rows: number
  /** ISO 8601; what is older went. */
  before: string
}

export function retentionClass(retained: readonly Retained[]): ScheduledClass {
  return {
    name: NAME,
    cycle: '30 2 * * *',
    async run(context) {
      await makeMonths(context.database)
      const removed: Record<string, Removed> = {}
      let monthsRemoved = 0
      for (const one of retained) {
        if (context.stopping.aborted) break
        const { rows, before, months } = await removeOver(context, one)
        if (rows > 0) removed[one.name] = { rows, before }
        monthsRemoved += months.length
      }
      if (Object.keys(removed).length > 0)
        await runCommand(
          context,
          { actor: systemActor(NAME), audit: { action: NAME, after: { removed } } },
          async () => undefined,
        )
      return {
        removed: Object.values(removed).reduce((sum, { rows }) => sum + rows, 0),
        monthsRemoved,
      }
    },
  }
}

/** @returns also the months removed whole, each recorded by an entry of its own */
async function removeOver(
  context: AppContext,
  one: Retained,
): Promise<Removed & { months: string[] }> {
  const days = await termDays(context, one.term, one.atLeast)
  const before = await momentBefore(context, days, one.byMonth === true)
  if (one.byMonth !== true)
    return { rows: await removeRows(context, one, one.table, before), before, months: [] }
  let rows = 0
  const months: string[] = []
  for (const { table, month } of await partsUntil(context.database, one.table, before)) {
    if (context.stopping.aborted) break
    if (month !== null && (await removeWhole(context, one, { table, month }, before)))
      months.push(month)
    else rows += await removeRows(context, one, table, before)
  }
  return { rows, before, months }
}

/** @returns the moment before which rows are over; by month the beginning of one */
async function momentBefore(
  { database }: AppContext,
  days: number,
  byMonth: boolean,
): Promise<string> {
  const moment = sql`clock_timestamp() - make_interval(days => ${days})`
  const { rows } = await sql<{ before: string }>`
    select ${byMonth ? monthOf(moment) : moment} as before`.execute(database.kysely)
  return (rows[0] as { before: string }).before
}

/**
 * Removes a month of which no row must stay, with the entry that records it.
 * @returns false when some stay
 */
async function removeWhole(
  context: AppContext,
  { name, table, isOver }: Retained,
  part: LogPart,
  before: string,
): Promise<boolean> {
  const { rows: counted } = await sql<{ rows: number; stay: number }>`
    select count(*)::int as rows,
      (count(*) filter (where not (${isOver(sql<string>`${before}::timestamptz`)})))::int as stay
    from ${sql.table(part.table)} r`.execute(context.database.kysely)
  const [{ rows, stay }] = counted as [{ rows: number; stay: number }]
  if (stay > 0) return false
  await briefly(() =>
    runCommand(
      context,
      {
        actor: systemActor(NAME),
        audit: { action: NAME, after: { removed: { [name]: { rows, month: part.month } } } },
      },
      ({ db }) => removeMonth(db, table, part.table),
    ),
  )
  return true
}

/** @returns how many went, or were emptied */
async function removeRows(
  context: AppContext,
  { isOver, emptied }: Retained,
  table: string,
  before: string,
): Promise<number> {
  const db = context.database.kysely
  const some = sql`
    select r.id from ${sql.table(table)} r
    where ${isOver(sql<string>`${before}::timestamptz`)} limit ${CHUNK}`
  const remove =
    emptied === undefined
      ? sql`delete from ${sql.table(table)} where id in (${some})`
      : sql`update ${sql.table(table)} set ${emptied} where id in (${some})`
  let rows = 0
  for (;;) {
    const from = performance.now()
    const { numAffectedRows = 0n } = await remove.execute(db)
    rows += Number(numAffectedRows)
    if (numAffectedRows < BigInt(CHUNK) || context.stopping.aborted) return rows
    // as long as the statement took, so that half of the time is others'
    await rest(performance.now() - from)
  }
}
