import { sql } from 'kysely'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'

/**
 * Records an exposure: its time is used by the pop-up condition, and each account is counted once.
 * @throws Problem G404 when it is not published for the caller
 */
export async function showAnnouncement(tx: CommandTx, noticeId: string): Promise<number> {
  const { userId, rights } = staff(tx.actor)
  // the row lock serialises two tabs of one account
  const found = await sql<{ id: string }>`
    select n.id from notice n where n.id = ${noticeId} and n.status = 'published'
      and (n.roles = '{}' or ${rights.roleMark} = any(n.roles)) for update`.execute(tx.db)
  if (found.rows.length === 0) throw new Problem(NOT_FOUND)
  const { rows } = await sql<{ first: boolean }>`
    insert into notice_read as r (notice_id, user_id, shown_at)
      values (${noticeId}, ${userId}, clock_timestamp())
    on conflict (notice_id, user_id) do update set shown_at = excluded.shown_at
      returning r.xmax = 0 as first`.execute(tx.db)
  const counted = await sql<{ n: number }>`
    update notice
    set exposure_count = exposure_count + ${rows[0]?.first ? 1 : 0}
    where id = ${noticeId}
    returning exposure_count as n`.execute(tx.db)
  tx.log({ action: 'announcementShown', targetKind: 'notice', targetId: noticeId })
  return counted.rows[0]?.n ?? 0
}
