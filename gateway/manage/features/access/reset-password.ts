import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { Problem } from '#shared/kernel/problem.ts'
import { NOT_YOURSELF } from '#shared/access/access-problems.ts'
import type * as api from '#shared/access/users-api.ts'
import { isPassword } from '#shared/session/password-rule.ts'
import { PASSWORD_FORMAT, PASSWORDS_DIFFER } from '#shared/session/session-problems.ts'
import {
  endSessions,
  hashPassword,
  refuseUnfitPassword,
  unlockAccount,
} from '#gateway/manage/features/session/public.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { lockUser, refuseAboveOwn, tellUser } from './user-rules.ts'

/**
 * Somebody forgot his password: he gets one that he must change when he signs in, and a lock after failed tries is gone.
 * @throws Problem G403, G404, U-SELF (one's own is changed by knowing it), P-FMT, P-DIFF, P-WEAK
 */
export async function resetUserPassword(
  cx: Cx,
  { userId, newPwd, confirmNewPwd }: InputOf<typeof api.resetUserPassword>,
): Promise<void> {
  const user = await lockUser(cx, userId)
  refuseAboveOwn(cx, user.role_mark)
  if (staff(cx.actor).userId === userId) throw new Problem(NOT_YOURSELF)
  if (!isPassword(newPwd))
    throw new Problem(PASSWORD_FORMAT, {}, { fields: { newPwd: 'access:fault.password' } })
  if (newPwd !== confirmNewPwd)
    throw new Problem(PASSWORDS_DIFFER, {}, { fields: { confirmNewPwd: 'access:fault.differs' } })
  refuseUnfitPassword(newPwd, [user.account, user.nickname, user.user_name])
  const passwordHash = await hashPassword(newPwd)
  await sql`update sys_user set password_hash = ${passwordHash}, must_change = true, version = version + 1, updated_at = clock_timestamp() where id = ${userId}`.execute(
    cx.db,
  )
  await unlockAccount(cx, user.account)
  await endSessions(cx, userId, 'password')
  await tellUser(cx, userId)
  cx.log({ action: 'reset', targetKind: 'user', targetId: userId })
}
