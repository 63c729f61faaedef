/**
 * The collector row of an account that is created, switched or changed on the screen of accounts.
 */
import { sql } from 'kysely'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { emitCollector } from './save-person.ts'
import { giveUpCases } from './switch-persons.ts'

/**
 * Creates the collector of a new account with every enabled stage. Without a certificate they are
 * given no case yet.
 */
export async function openCollector(tx: CommandTx, userId: string): Promise<void> {
  await sql`
    insert into collector (user_id, stage_ids, capacity)
    select ${userId}, array_agg(s.stage_id order by s.min_days), min(s.capacity) from stage s
      where s.status = 'enabled' having count(*) > 0
    on conflict (user_id) do nothing`.execute(tx.db)
  await emitCollector(tx, userId)
}

/**
 * Returns the person's cases to the pool; without `stays` also deletes the collector. Does nothing
 * for an account that is no collector.
 */
export async function restCollector(
  tx: CommandTx,
  userId: string,
  { stays }: { stays: boolean },
): Promise<void> {
  const { rows } =
    await sql`select from collector k where k.user_id = ${userId} for update`.execute(tx.db)
  if (rows.length === 0) return
  await giveUpCases(tx, userId, null)
  await sql`
    update collector set version = version + 1, updated_at = clock_timestamp() where user_id = ${userId}`.execute(
    tx.db,
  )
  await emitCollector(tx, userId)
  if (!stays) await sql`delete from collector where user_id = ${userId}`.execute(tx.db)
}
