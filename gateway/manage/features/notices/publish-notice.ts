import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { setNoticeStatus } from '#shared/notices/announcements-api.ts'
import { noticeLifecycle } from '#shared/notices/notice-lifecycle.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { findNotice } from './notice-queries.ts'
import { lockNotice, loggedNotice, type Notice, tellNotice } from './notice-store.ts'

/** @throws Problem G404, G409 @throws IllegalTransition */
export async function publishNotice(
  cx: Cx,
  { noticeId, version, status }: InputOf<typeof setNoticeStatus>,
): Promise<Notice> {
  const before = await lockNotice(cx, noticeId, version)
  const state = noticeLifecycle.next(before.status, {
    type: status === 'published' ? 'PUBLISH' : 'WITHDRAW',
  })
  await sql`
    update notice set status = ${state}, published_at = case when ${state === 'published'} then clock_timestamp() else published_at end, updated_by = ${staff(cx.actor).userId}, updated_at = clock_timestamp(), version = version + 1
    where id = ${noticeId}`.execute(cx.db)
  const after = (await findNotice(cx.db, noticeId)) as Notice
  tellNotice(cx, state === 'published' ? 'published' : 'withdrawn', after)
  cx.log({
    action: state === 'published' ? 'publish' : 'withdraw',
    targetKind: 'notice',
    targetId: noticeId,
    before: loggedNotice(before),
    after: loggedNotice(after),
  })
  return after
}
