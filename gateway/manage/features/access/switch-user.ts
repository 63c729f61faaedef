import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { NOT_YOURSELF } from '#shared/access/access-problems.ts'
import type * as api from '#shared/access/users-api.ts'
import { ADMINISTRATOR } from '#shared/session/roles.ts'
import { restCollector, tellCollector } from '#gateway/manage/features/collection/public.ts'
import { endSessions, unlockAccount } from '#gateway/manage/features/session/public.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { keepAnAdministrator } from './last-administrator.ts'
import type { Releases } from './save-user.ts'
import { isCollectorRole, lockUser, refuseAboveOwn, tellUser } from './user-rules.ts'

/**
 * Off (disabled, frozen): sessions and their sockets end, what he had claimed is freed, his cases go back to the pool and he gets
 * no new work. On: he is let in again, also after too many failed sign-ins; new work is opened by hand.
 * @throws Problem G403, G404, G409, U-SELF, U-LAST
 */
export async function setUserStatus(
  cx: Cx,
  { userId, version, status: asked }: InputOf<typeof api.setUserStatus>,
  releases: Releases,
): Promise<void> {
  const user = await lockUser(cx, userId, version)
  refuseAboveOwn(cx, user.role_mark)
  if (staff(cx.actor).userId === userId) throw new Problem(NOT_YOURSELF)
  const isOn = asked === 'enabled' || asked === 'normal'
  const isCollector = isCollectorRole(user.role_mark)
  const status = isOn ? (isCollector ? 'normal' : 'enabled') : asked
  if (status === user.status) return
  if (!isOn && user.role_mark === ADMINISTRATOR) await keepAnAdministrator(cx, userId)
  await sql`
    update sys_user set status = ${status}, frozen_until = null, allocation_flag = allocation_flag and ${isOn}, version = version + 1, updated_at = clock_timestamp() where id = ${userId}`.execute(
    cx.db,
  )
  if (isOn) {
    await unlockAccount(cx, user.account)
    if (isCollector) await tellCollector(cx, userId)
  } else {
    await endSessions(cx, userId, 'status')
    for (const release of releases) await release(cx, userId)
    await restCollector(cx, userId, { stays: true })
  }
  await tellUser(cx, userId)
  cx.log({
    action: 'status',
    targetKind: 'user',
    targetId: userId,
    before: { status: user.status },
    after: { status },
  })
}

/** @throws Problem G403, G404 */
export async function unlockUser(
  cx: Cx,
  { userId }: InputOf<typeof api.unlockUser>,
): Promise<void> {
  const user = await lockUser(cx, userId)
  refuseAboveOwn(cx, user.role_mark)
  await unlockAccount(cx, user.account)
  await tellUser(cx, userId)
  cx.log({ action: 'unlock', targetKind: 'user', targetId: userId })
}

/** @throws Problem G403; G404, also for a session that is not his or over */
export async function kickUser(
  cx: Cx,
  { userId, sessionId }: InputOf<typeof api.kickUser>,
): Promise<void> {
  const user = await lockUser(cx, userId)
  refuseAboveOwn(cx, user.role_mark)
  const ended = await endSessions(
    cx,
    userId,
    'kick',
    sessionId === undefined ? {} : { only: sessionId },
  )
  if (sessionId !== undefined && ended.length === 0) throw new Problem(NOT_FOUND)
  await tellUser(cx, userId)
  cx.log({
    action: 'kick',
    targetKind: 'user',
    targetId: userId,
    after: { sessions: ended.length },
  })
}
