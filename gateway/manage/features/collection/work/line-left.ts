/** Whether the line of a person has calls of the day left. */
import { sql } from 'kysely'
import { LINE_FULL, Problem } from '#shared/kernel/problem.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { IST_MIDNIGHT } from '../cases/case-row.ts'

/**
 * A line bound to a person has its calls of the day. How many it carries at once is not asked: one
 * person uses it.
 * @throws Problem C-LINE
 */
export async function requireLineLeft(
  tx: CommandTx,
  { userId }: StaffActor,
  kind: 'service' | 'promotional' | 'whatsapp',
): Promise<void> {
  const way = kind === 'whatsapp' ? 'whatsapp' : 'phone'
  // the lock: two calls of the person must not both be the last one; so the calls are counted by a
  // statement of their own, which sees those of the other one
  const lines = await sql<{ cap: number }>`
    select p.daily_cap as cap from phone_line p
    where p.bound_user_id = ${userId} and p.kind = ${kind} and p.status = 'enabled'
    for update`.execute(tx.db)
  const [line] = lines.rows
  if (!line) return
  const calls = await sql<{ used: number }>`
    select count(*)::int as used from call_log l
    where l.user_id = ${userId} and l.way = ${way} and l.started_at >= ${IST_MIDNIGHT}`.execute(
    tx.db,
  )
  if ((calls.rows[0]?.used ?? 0) >= line.cap) throw new Problem(LINE_FULL, { n: line.cap })
}
