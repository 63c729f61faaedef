import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { NOT_YOURSELF } from '#shared/access/access-problems.ts'
import type * as api from '#shared/access/users-api.ts'
import { ADMINISTRATOR } from '#shared/session/roles.ts'
import { restCollector, emitCollector } from '#gateway/manage/features/collection/public.ts'
import { endSessions, unlockAccount } from '#gateway/manage/features/session/public.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { keepAnAdministrator } from './last-administrator.ts'
import type { Releases } from './save-user.ts'
import { isCollectorRole, lockUser, refuseAboveOwn, emitUser } from './user-rules.ts'

/**
 * Off (disabled, frozen): sessions end, claims are released, cases return to the pool, and the
 * person gets no new work. On: the person can log in again, also after failed logins; new work must
 * be switched on by hand.
 * @throws Problem G403, G404, G409, U-SELF, U-LAST
 */
export async function setUserStatus(
  tx: CommandTx,
  { userId, version, status: wanted }: InputOf<typeof api.setUserStatus>,
  releases: Releases,
): Promise<void> {
  const user = await lockUser(tx, userId, version)
  refuseAboveOwn(tx, user.role_mark)
  if (staff(tx.actor).userId === userId) throw new Problem(NOT_YOURSELF)
  const isOn = wanted === 'enabled' || wanted === 'normal'
  const isCollector = isCollectorRole(user.role_mark)
  const status = isOn ? (isCollector ? 'normal' : 'enabled') : wanted
  if (status === user.status) return
  if (!isOn && user.role_mark === ADMINISTRATOR) await keepAnAdministrator(tx, userId)
  await sql`
    update sys_user set status = ${status}, frozen_until = null, allocation_flag = allocation_flag
      and ${isOn}, version = version + 1, updated_at = clock_timestamp() where id = ${userId}`.execute(
    tx.db,
  )
  if (isOn) {
    await unlockAccount(tx, user.account)
    if (isCollector) await emitCollector(tx, userId)
  } else {
    await endSessions(tx, userId, 'status')
    for (const release of releases) await release(tx, userId)
    await restCollector(tx, userId, { stays: true })
  }
  await emitUser(tx, userId)
  tx.log({
    action: 'status',
    targetKind: 'user',
    targetId: userId,
    before: { status: user.status },
    after: { status },
  })
}

/** @throws Problem G403, G404 */
export async function unlockUser(
  tx: CommandTx,
  { userId }: InputOf<typeof api.unlockUser>,
): Promise<void> {
  const user = await lockUser(tx, userId)
  refuseAboveOwn(tx, user.role_mark)
  await unlockAccount(tx, user.account)
  await emitUser(tx, userId)
  tx.log({ action: 'unlock', targetKind: 'user', targetId: userId })
}

/** @throws Problem G403; G404, also for a session of another account or an ended one */
export async function kickUser(
  tx: CommandTx,
  { userId, sessionId }: InputOf<typeof api.kickUser>,
): Promise<void> {
  const user = await lockUser(tx, userId)
  refuseAboveOwn(tx, user.role_mark)
  const ended = await endSessions(
    tx,
    userId,
    'kick',
    sessionId === undefined ? {} : { only: sessionId },
  )
  if (sessionId !== undefined && ended.length === 0) throw new Problem(NOT_FOUND)
  await emitUser(tx, userId)
  tx.log({
    action: 'kick',
    targetKind: 'user',
    targetId: userId,
    after: { sessions: ended.length },
  })
}
