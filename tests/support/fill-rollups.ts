/** All rollups of a book that was there before, as the backfill fills them: a month at a time. */
import { sql } from 'kysely'
import { addDays } from '#shared/kernel/time.ts'
import type { Database } from '#gateway/manage/db/client.ts'
import { inTransaction } from '#gateway/manage/db/transaction.ts'
import { fillRollups as fill, ROLLUPS } from '#gateway/manage/features/reports/rollup.ts'

export async function fillRollups(database: Database): Promise<void> {
  for (const rollup of ROLLUPS) {
    const { rows } = await rollup.extent.execute(database.kysely)
    const { first = null, last = null } = rows[0] ?? {}
    if (first === null || last === null) continue
    for (let from = first; from <= last; from = addDays(from, 31))
      await inTransaction(database, (trx) => fill(trx, [rollup], { from, to: addDays(from, 30) }))
    await sql`
      insert into report_rollup (name, filled_at) values (${rollup.name}, clock_timestamp())
      on conflict (name) do nothing`.execute(database.kysely)
  }
}
