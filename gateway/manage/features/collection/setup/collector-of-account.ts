/** A collector's side of an account that is made, switched or changed outside of set-up (the screen of accounts). */
import { sql } from 'kysely'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { tellCollector } from './save-person.ts'
import { giveUpCases } from './switch-persons.ts'

/** Makes the collector of a new account: every stage that is worked. Without a certificate nothing is given to him yet. */
export async function openCollector(cx: Cx, userId: string): Promise<void> {
  await sql`
    insert into collector (user_id, stage_ids, capacity)
    select ${userId}, array_agg(s.stage_id order by s.min_days), min(s.capacity) from stage s where s.status = 'enabled' having count(*) > 0
    on conflict (user_id) do nothing`.execute(cx.db)
  await tellCollector(cx, userId)
}

/** His cases go back to the pool; without `stays` he is no collector any more. Nothing happens to somebody who is none. */
export async function restCollector(
  cx: Cx,
  userId: string,
  { stays }: { stays: boolean },
): Promise<void> {
  const { rows } =
    await sql`select from collector k where k.user_id = ${userId} for update`.execute(cx.db)
  if (rows.length === 0) return
  await giveUpCases(cx, userId, null)
  await sql`update collector set version = version + 1, updated_at = clock_timestamp() where user_id = ${userId}`.execute(
    cx.db,
  )
  await tellCollector(cx, userId)
  if (!stays) await sql`delete from collector where user_id = ${userId}`.execute(cx.db)
}
