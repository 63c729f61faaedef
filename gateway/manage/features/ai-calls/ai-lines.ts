/** Lines of the robot: how many calls each may still make, at once and today (IST). */
import { sql } from 'kysely'
import { IST_MIDNIGHT } from '#gateway/manage/features/collection/public.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'

/** Each line that is switched on, with the calls it made today and those that are out. */
export const LINES_NOW = sql`
  select l.id, l.number, l.concurrency, l.daily_cap,
    (select count(*)::int from ai_call a where a.line_id = l.id and a.started_at >= ${IST_MIDNIGHT}) as used,
    (select count(*)::int from ai_call a where a.line_id = l.id and a.state in ('dialling', 'calling')) as out
  from phone_line l where l.kind = 'ai' and l.status = 'enabled'`

/**
 * The line with the most calls left, locked: two cores cannot both take its last one. Null: every
 * line is at its concurrency or its daily limit, or there is none.
 */
export async function takeLine(tx: CommandTx): Promise<{ id: string; number: string } | null> {
  await sql`
    select from phone_line l where l.kind = 'ai' and l.status = 'enabled' order by l.id
    for update`.execute(tx.db)
  const { rows } = await sql<{ id: string; number: string }>`
    select n.id, n.number from (${LINES_NOW}) n where n.used < n.daily_cap and n.out < n.concurrency
    order by n.daily_cap - n.used desc, n.id limit 1`.execute(tx.db)
  return rows[0] ?? null
}
