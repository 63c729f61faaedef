import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { setAnnouncementStatus } from '#shared/announcements/announcements-api.ts'
import { announcementLifecycle } from '#shared/announcements/announcement-lifecycle.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { findAnnouncement } from './announcement-queries.ts'
import {
  lockAnnouncement,
  loggedAnnouncement,
  type Announcement,
  emitAnnouncement,
} from './announcement-store.ts'

/** @throws Problem G404, G409 @throws IllegalTransition */
export async function publishAnnouncement(
  tx: CommandTx,
  { noticeId, version, status }: InputOf<typeof setAnnouncementStatus>,
): Promise<Announcement> {
  const before = await lockAnnouncement(tx, noticeId, version)
  const state = announcementLifecycle.next(before.status, {
    type: status === 'published' ? 'PUBLISH' : 'WITHDRAW',
  })
  await sql`
    update notice set status = ${state}, published_at = case
      when ${state === 'published'} then clock_timestamp()
      else published_at end, updated_by = ${staff(tx.actor).userId}, updated_at = clock_timestamp(),
      version = version + 1
    where id = ${noticeId}`.execute(tx.db)
  const after = (await findAnnouncement(tx.db, noticeId)) as Announcement
  emitAnnouncement(tx, state === 'published' ? 'published' : 'withdrawn', after)
  tx.log({
    action: state === 'published' ? 'publish' : 'withdraw',
    targetKind: 'notice',
    targetId: noticeId,
    before: loggedAnnouncement(before),
    after: loggedAnnouncement(after),
  })
  return after
}
