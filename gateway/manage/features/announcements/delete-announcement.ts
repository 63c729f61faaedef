import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { deleteAnnouncement as deleteCall } from '#shared/announcements/announcements-api.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { lockAnnouncement, loggedAnnouncement, emitAnnouncement } from './announcement-store.ts'

/** @throws Problem G404, G409 */
export async function deleteAnnouncement(
  tx: CommandTx,
  { noticeId, version }: InputOf<typeof deleteCall>,
): Promise<void> {
  const announcement = await lockAnnouncement(tx, noticeId, version)
  await sql`delete from notice where id = ${noticeId}`.execute(tx.db)
  emitAnnouncement(tx, 'withdrawn', { ...announcement, version: version + 1 })
  tx.log({
    action: 'delete',
    targetKind: 'notice',
    targetId: noticeId,
    before: loggedAnnouncement(announcement),
  })
}
