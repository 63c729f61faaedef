/**
 * Fills the rollups of a book that was there before them, a month of a rollup in a transaction. A
 * run that was cut off continues with the months that are left.
 */
import { sql } from 'kysely'
import { addDays } from '#shared/kernel/time.ts'
import { inTransaction } from '#gateway/manage/db/transaction.ts'
import { addRows } from '#gateway/manage/jobs/job-store.ts'
import type { JobType } from '#gateway/manage/jobs/job-type.ts'
import { fillRollups, ROLLUPS } from './rollup.ts'
import type { Rollup } from './rollup-types.ts'

export const BACKFILL_JOB = 'report.backfill'

export const reportBackfill: JobType = {
  type: BACKFILL_JOB,
  async prepare({ database }, job) {
    const { rows: filled } = await sql<{ name: string }>`
      select r.name from report_rollup r where r.filled_at is not null`.execute(database.kysely)
    const done = new Set(filled.map(({ name }) => name))
    const targets: string[] = []
    for (const rollup of ROLLUPS.filter(({ name }) => !done.has(name))) {
      const { rows } = await rollup.extent.execute(database.kysely)
      targets.push(...monthsOf(rows[0]).map((month) => `${rollup.name}:${month}`))
    }
    await inTransaction(database, (trx) => addRows(trx, job.id, targets))
  },
  async row(tx, target) {
    const { rollup, month } = parsed(target)
    const from = `${month}-01`
    await fillRollups(tx.db, [rollup], { from, to: addDays(nextMonth(from), -1) })
  },
  async ended(tx, job, state) {
    if (state !== 'done') return
    const { rows } = await sql<{ failed: number }>`
      select count(*)::int as failed from job_row w
      where w.job_id = ${job.id} and w.state <> 'ok'`.execute(tx.db)
    if (rows[0]?.failed !== 0) return
    await sql`
      insert into report_rollup (name, filled_at)
      select n.name, clock_timestamp()
      from unnest(${ROLLUPS.map(({ name }) => name)}::text[]) as n (name)
      on conflict (name) do nothing`.execute(tx.db)
  },
}

/** Newest first: what people look at is there first. */
function monthsOf(extent: { first: string | null; last: string | null } | undefined): string[] {
  const { first, last } = extent ?? { first: null, last: null }
  if (first === null || last === null) return []
  const months: string[] = []
  for (let day = `${first.slice(0, 7)}-01`; day <= last; day = nextMonth(day))
    months.unshift(day.slice(0, 7))
  return months
}

function nextMonth(firstDay: string): string {
  return `${addDays(firstDay, 31).slice(0, 7)}-01`
}

function parsed(target: string): { rollup: Rollup; month: string } {
  const [name, month = ''] = target.split(':')
  const rollup = ROLLUPS.find((one) => one.name === name)
  if (rollup === undefined) throw new TypeError(`there is no rollup ${name}`)
  return { rollup, month }
}
