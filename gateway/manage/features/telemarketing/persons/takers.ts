/** Who may be given tasks, and how many they have. */
import { type RawBuilder, sql } from 'kysely'
import type { Taker } from '#shared/telemarketing/distribute.ts'
import type { Segment } from '#shared/telemarketing/tele-sets.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'

export interface NamedTaker extends Taker {
  name: string
}

/**
 * Locks the telemarketers, so that two commands that give tasks count them one after the other.
 * @param where which of them, over `tele_person p` and `sys_user u`; all of the segment else
 */
export async function lockTakers(
  tx: CommandTx,
  segment: Segment,
  where: RawBuilder<boolean> = sql<boolean>`p.segments @> array[${segment}::text]`,
): Promise<NamedTaker[]> {
  await sql`
    select 1 from tele_person p join sys_user u on u.id = p.user_id where ${where}
    order by p.user_id for update of p`.execute(tx.db)
  return readTakers(tx.db, segment, where)
}

export async function readTakers(
  db: Db,
  segment: Segment,
  where: RawBuilder<boolean>,
): Promise<NamedTaker[]> {
  const { rows } = await sql<NamedTaker>`
    select p.user_id as "userId", u.user_name as name, p.capacity,
      (select count(*)::int from tele_task t where t.assignee_id = p.user_id
        and t.state in ('claimed', 'assigned')) as open,
      u.allocation_flag as "takesTasks", u.status in ('enabled', 'normal') as "isEnabled",
      p.segments @> array[${segment}::text] as "isOfSegment"
    from tele_person p join sys_user u on u.id = p.user_id where ${where}
    order by p.user_id`.execute(db)
  return rows
}
