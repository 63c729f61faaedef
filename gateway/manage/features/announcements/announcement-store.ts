/** Rows of the tables notice and notice_read. */
import { sql } from 'kysely'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { setAnnouncementStatus } from '#shared/announcements/announcements-api.ts'
import {
  ANNOUNCEMENT_PUBLISHED,
  ANNOUNCEMENT_WITHDRAWN,
} from '#shared/announcements/announcements-live.ts'
import { changedByOther } from '#gateway/manage/kernel/changed-by.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { findAnnouncement } from './announcement-queries.ts'

export type Announcement = DataOf<typeof setAnnouncementStatus>

/** @throws Problem G404, G409 */
export async function lockAnnouncement(
  tx: CommandTx,
  noticeId: string,
  version: number,
): Promise<Announcement> {
  await sql`select from notice n where n.id = ${noticeId} for update`.execute(tx.db)
  const announcement = await findAnnouncement(tx.db, noticeId)
  if (announcement === null) throw new Problem(NOT_FOUND)
  if (announcement.version !== version)
    throw await changedByOther(tx.db, 'notice', noticeId, announcement)
  return announcement
}

/** Emits the event to everybody, or to the roles of the announcement and its screen. */
export function emitAnnouncement(
  tx: CommandTx,
  what: 'published' | 'withdrawn',
  {
    noticeId,
    version,
    roles,
    popCondition,
  }: Pick<Announcement, 'noticeId' | 'version' | 'roles' | 'popCondition'>,
): void {
  const rooms =
    roles.length === 0 ? ['all'] : [...roles.map((mark) => `role:${mark}`), 'menu:notice_list']
  tx.emit(what === 'published' ? ANNOUNCEMENT_PUBLISHED : ANNOUNCEMENT_WITHDRAWN, {
    subject: `notice:${noticeId}`,
    version,
    rooms,
    data: { noticeId, popCondition },
  })
}

/**
 * What the operate log stores of an announcement. Its text is written for staff and holds no
 * customer data.
 */
export function loggedAnnouncement({
  title,
  status,
  popCondition,
  roles,
}: Pick<Announcement, 'title' | 'status' | 'popCondition' | 'roles'>): Record<string, unknown> {
  return { title, status, popCondition, roles }
}
