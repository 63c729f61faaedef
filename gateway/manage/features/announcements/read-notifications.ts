import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { NOTHING_SELECTED, Problem } from '#shared/kernel/problem.ts'
import type { readNotifications as readCall } from '#shared/announcements/notifications-api.ts'
import { NOTIFICATION_CHANGED } from '#shared/announcements/announcements-live.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { countUnread } from './notification-queries.ts'

/**
 * Marks own notifications as read and notifies the person's other tabs.
 * @throws Problem G-SEL when neither ids nor `all` are given
 */
export async function readNotifications(
  tx: CommandTx,
  { ids = [], all = false }: InputOf<typeof readCall>,
): Promise<{ unread: number }> {
  if (ids.length === 0 && !all) throw new Problem(NOTHING_SELECTED)
  const { userId } = staff(tx.actor)
  const { rows } = await sql<{ id: string }>`
    update notification set read_at = clock_timestamp() where user_id = ${userId} and read_at is null
      and (${all} or id = any(${ids}::text[])) returning id`.execute(tx.db)
  if (rows.length > 0)
    tx.emit(NOTIFICATION_CHANGED, {
      subject: `user:${userId}`,
      rooms: [`user:${userId}`],
      data: { kind: 'read', titleKey: '', params: {}, route: '' },
    })
  return { unread: await countUnread(tx.db, userId) }
}
