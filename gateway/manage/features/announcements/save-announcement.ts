import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { FORBIDDEN, INVALID_FIELDS, Problem } from '#shared/kernel/problem.ts'
import type * as api from '#shared/announcements/announcements-api.ts'
import { hasForbiddenLink } from '#shared/announcements/announcement-links.ts'
import { announcementLifecycle } from '#shared/announcements/announcement-lifecycle.ts'
import type { AnnouncementState } from '#shared/announcements/announcement-sets.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { lockAnnouncement, loggedAnnouncement, emitAnnouncement } from './announcement-store.ts'

/** @throws Problem G-FIELD; G403 when it is to be published and the caller may not publish */
export async function addAnnouncement(
  tx: CommandTx,
  { roles = [], ...input }: InputOf<typeof api.addAnnouncement>,
): Promise<string> {
  checkContent(input)
  await checkRoles(tx, roles)
  if (input.status === 'withdrawn')
    throw new Problem(INVALID_FIELDS, {}, { fields: { status: 'enum' } })
  const isPublished = input.status === 'published'
  if (isPublished) refuseWithoutPublish(tx)
  const { rows } = await sql<{ id: string }>`
    insert into notice (title, content, status, pop_condition, roles, published_at, updated_by)
    values (${input.title}, ${input.content}, ${input.status}, ${input.popCondition}, ${roles}, case
      when ${isPublished} then clock_timestamp() end, ${staff(tx.actor).userId}) returning id`.execute(
    tx.db,
  )
  const noticeId = (rows[0] as { id: string }).id
  if (isPublished)
    emitAnnouncement(tx, 'published', {
      noticeId,
      version: 1,
      roles,
      popCondition: input.popCondition,
    })
  tx.log({
    action: 'add',
    targetKind: 'notice',
    targetId: noticeId,
    after: loggedAnnouncement({ ...input, roles }),
  })
  return noticeId
}

/**
 * An edit of a published announcement is not a new publication, so people who have seen it are not
 * shown it again.
 * @throws Problem G404, G409, G-FIELD, G403
 * @throws IllegalTransition when its state does not lead to the given one
 */
export async function editAnnouncement(
  tx: CommandTx,
  { noticeId, version, roles = [], ...input }: InputOf<typeof api.editAnnouncement>,
): Promise<void> {
  const before = await lockAnnouncement(tx, noticeId, version)
  checkContent(input)
  await checkRoles(tx, roles)
  const status = stateAfter(before.status, input.status)
  if (status !== before.status) refuseWithoutPublish(tx)
  const appears = status === 'published' && before.status !== 'published'
  await sql`
    update notice set title = ${input.title}, content = ${input.content}, status = ${status},
      pop_condition = ${input.popCondition}, roles = ${roles},
      published_at = case when ${appears} then clock_timestamp()
        else published_at end, updated_by = ${staff(tx.actor).userId}, updated_at = clock_timestamp(),
        version = version + 1
    where id = ${noticeId}`.execute(tx.db)
  const after = { noticeId, version: version + 1, roles, popCondition: input.popCondition }
  // readers who are no longer included must lose it
  if (before.status === 'published' && (status !== 'published' || narrows(before.roles, roles)))
    emitAnnouncement(tx, 'withdrawn', { ...after, roles: before.roles })
  if (status === 'published') emitAnnouncement(tx, 'published', after)
  tx.log({
    action: 'edit',
    targetKind: 'notice',
    targetId: noticeId,
    before: loggedAnnouncement(before),
    after: loggedAnnouncement({ ...input, status, roles }),
  })
}

/**
 * An edit keeps the state or makes the one transition to the given state; nothing becomes a draft
 * again.
 */
function stateAfter(from: AnnouncementState, to: AnnouncementState): AnnouncementState {
  if (from === to) return from
  return announcementLifecycle.next(from, { type: to === 'published' ? 'PUBLISH' : 'WITHDRAW' }) ===
    to
    ? to
    : from
}

function narrows(before: readonly string[], after: readonly string[]): boolean {
  return after.length > 0 && (before.length === 0 || before.some((mark) => !after.includes(mark)))
}

function checkContent({ title, content }: { title: string; content: string }): void {
  const fields = Object.fromEntries(
    Object.entries({ title, content })
      .filter(([, text]) => hasForbiddenLink(text))
      .map(([name]) => [name, 'announcements:fault.link']),
  )
  if (Object.keys(fields).length > 0) throw new Problem(INVALID_FIELDS, {}, { fields })
}

async function checkRoles(tx: CommandTx, marks: readonly string[]): Promise<void> {
  const { rows } = await sql<{
    known: number
  }>`select count(*)::int as known from sys_role g where g.unique_mark = any(${[...marks]}::text[])`.execute(
    tx.db,
  )
  if (rows[0]?.known !== marks.length)
    throw new Problem(INVALID_FIELDS, {}, { fields: { roles: 'unknown' } })
}

function refuseWithoutPublish(tx: CommandTx): void {
  if (!staff(tx.actor).rights.permissions.has('notice_list:publish')) throw new Problem(FORBIDDEN)
}
