import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { deleteNotice as deleteCall } from '#shared/notices/announcements-api.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { lockNotice, loggedNotice, tellNotice } from './notice-store.ts'

/** @throws Problem G404, G409 */
export async function deleteNotice(
  cx: Cx,
  { noticeId, version }: InputOf<typeof deleteCall>,
): Promise<void> {
  const notice = await lockNotice(cx, noticeId, version)
  await sql`delete from notice where id = ${noticeId}`.execute(cx.db)
  tellNotice(cx, 'withdrawn', { ...notice, version: version + 1 })
  cx.log({
    action: 'delete',
    targetKind: 'notice',
    targetId: noticeId,
    before: loggedNotice(notice),
  })
}
