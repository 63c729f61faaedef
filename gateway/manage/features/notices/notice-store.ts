/** Rows of notice and notice_read. */
import { sql } from 'kysely'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { setNoticeStatus } from '#shared/notices/announcements-api.ts'
import { NOTICE_PUBLISHED, NOTICE_WITHDRAWN } from '#shared/notices/notices-live.ts'
import { changedByOther } from '#gateway/manage/kernel/changed-by.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { findNotice } from './notice-queries.ts'

export type Notice = DataOf<typeof setNoticeStatus>

/** @throws Problem G404, G409 */
export async function lockNotice(cx: Cx, noticeId: string, version: number): Promise<Notice> {
  await sql`select from notice n where n.id = ${noticeId} for update`.execute(cx.db)
  const notice = await findNotice(cx.db, noticeId)
  if (notice === null) throw new Problem(NOT_FOUND)
  if (notice.version !== version) throw await changedByOther(cx.db, 'notice', noticeId, notice)
  return notice
}

/** Who is told that an announcement appeared or went: everybody, or the roles it is for. */
export function tellNotice(
  cx: Cx,
  what: 'published' | 'withdrawn',
  {
    noticeId,
    version,
    roles,
    popCondition,
  }: Pick<Notice, 'noticeId' | 'version' | 'roles' | 'popCondition'>,
): void {
  const rooms =
    roles.length === 0 ? ['all'] : [...roles.map((mark) => `role:${mark}`), 'menu:notice_list']
  cx.emit(what === 'published' ? NOTICE_PUBLISHED : NOTICE_WITHDRAWN, {
    subject: `notice:${noticeId}`,
    version,
    rooms,
    data: { noticeId, popCondition },
  })
}

/** What the log holds of an announcement; its text is for staff and holds no customer. */
export function loggedNotice({
  title,
  status,
  popCondition,
  roles,
}: Pick<Notice, 'title' | 'status' | 'popCondition' | 'roles'>): Record<string, unknown> {
  return { title, status, popCondition, roles }
}
