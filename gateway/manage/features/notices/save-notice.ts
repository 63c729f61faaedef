import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { FORBIDDEN, INVALID_FIELDS, Problem } from '#shared/kernel/problem.ts'
import type * as api from '#shared/notices/announcements-api.ts'
import { hasForbiddenLink } from '#shared/notices/notice-links.ts'
import { noticeLifecycle } from '#shared/notices/notice-lifecycle.ts'
import type { NoticeState } from '#shared/notices/notice-sets.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { lockNotice, loggedNotice, tellNotice } from './notice-store.ts'

/** @throws Problem G422; G403 when it is to be published and the caller may not */
export async function addNotice(
  cx: Cx,
  { roles = [], ...input }: InputOf<typeof api.addNotice>,
): Promise<string> {
  checkContent(input)
  await checkRoles(cx, roles)
  if (input.status === 'withdrawn')
    throw new Problem(INVALID_FIELDS, {}, { fields: { status: 'enum' } })
  const isPublished = input.status === 'published'
  if (isPublished) refuseWithoutPublish(cx)
  const { rows } = await sql<{ id: string }>`
    insert into notice (title, content, status, pop_condition, roles, published_at, updated_by)
    values (${input.title}, ${input.content}, ${input.status}, ${input.popCondition}, ${roles}, case when ${isPublished} then clock_timestamp() end, ${staff(cx.actor).userId}) returning id`.execute(
    cx.db,
  )
  const noticeId = (rows[0] as { id: string }).id
  if (isPublished)
    tellNotice(cx, 'published', { noticeId, version: 1, roles, popCondition: input.popCondition })
  cx.log({
    action: 'add',
    targetKind: 'notice',
    targetId: noticeId,
    after: loggedNotice({ ...input, roles }),
  })
  return noticeId
}

/**
 * Changes of words alone are no new publication: whoever has seen it is not shown it again.
 * @throws Problem G404, G409, G422, G403 @throws IllegalTransition when its state does not lead to the one given
 */
export async function editNotice(
  cx: Cx,
  { noticeId, version, roles = [], ...input }: InputOf<typeof api.editNotice>,
): Promise<void> {
  const before = await lockNotice(cx, noticeId, version)
  checkContent(input)
  await checkRoles(cx, roles)
  const status = stateAfter(before.status, input.status)
  if (status !== before.status) refuseWithoutPublish(cx)
  const appears = status === 'published' && before.status !== 'published'
  await sql`
    update notice set title = ${input.title}, content = ${input.content}, status = ${status}, pop_condition = ${input.popCondition}, roles = ${roles},
      published_at = case when ${appears} then clock_timestamp() else published_at end, updated_by = ${staff(cx.actor).userId}, updated_at = clock_timestamp(), version = version + 1
    where id = ${noticeId}`.execute(cx.db)
  const after = { noticeId, version: version + 1, roles, popCondition: input.popCondition }
  // who was told of it and is left out now must lose it
  if (before.status === 'published' && (status !== 'published' || narrows(before.roles, roles)))
    tellNotice(cx, 'withdrawn', { ...after, roles: before.roles })
  if (status === 'published') tellNotice(cx, 'published', after)
  cx.log({
    action: 'edit',
    targetKind: 'notice',
    targetId: noticeId,
    before: loggedNotice(before),
    after: loggedNotice({ ...input, status, roles }),
  })
}

/** An edit either leaves the state alone or takes the one step that leads to the state given; a draft is never made again. */
function stateAfter(from: NoticeState, to: NoticeState): NoticeState {
  if (from === to) return from
  return noticeLifecycle.next(from, { type: to === 'published' ? 'PUBLISH' : 'WITHDRAW' }) === to
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
      .map(([name]) => [name, 'notices:fault.link']),
  )
  if (Object.keys(fields).length > 0) throw new Problem(INVALID_FIELDS, {}, { fields })
}

async function checkRoles(cx: Cx, marks: readonly string[]): Promise<void> {
  const { rows } = await sql<{
    known: number
  }>`select count(*)::int as known from sys_role g where g.unique_mark = any(${[...marks]}::text[])`.execute(
    cx.db,
  )
  if (rows[0]?.known !== marks.length)
    throw new Problem(INVALID_FIELDS, {}, { fields: { roles: 'unknown' } })
}

function refuseWithoutPublish(cx: Cx): void {
  if (!staff(cx.actor).rights.permissions.has('notice_list:publish')) throw new Problem(FORBIDDEN)
}
