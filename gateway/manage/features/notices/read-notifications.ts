import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { NOTHING_SELECTED, Problem } from '#shared/kernel/problem.ts'
import type { readNotifications as readCall } from '#shared/notices/notices-api.ts'
import { NOTIFICATION_CHANGED } from '#shared/notices/notices-live.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { countUnread } from './notification-queries.ts'

/** Marks own news as read; his other tabs hear of it. @throws Problem G-SEL when neither some nor all are named */
export async function readNotifications(
  cx: Cx,
  { ids = [], all = false }: InputOf<typeof readCall>,
): Promise<{ unread: number }> {
  if (ids.length === 0 && !all) throw new Problem(NOTHING_SELECTED)
  const { userId } = staff(cx.actor)
  const { rows } = await sql<{ id: string }>`
    update notification set read_at = clock_timestamp() where user_id = ${userId} and read_at is null and (${all} or id = any(${ids}::text[])) returning id`.execute(
    cx.db,
  )
  if (rows.length > 0)
    cx.emit(NOTIFICATION_CHANGED, {
      subject: `user:${userId}`,
      rooms: [`user:${userId}`],
      data: { kind: 'read', titleKey: '', params: {}, route: '' },
    })
  return { unread: await countUnread(cx.db, userId) }
}
