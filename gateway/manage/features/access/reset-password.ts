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
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { lockUser, refuseAboveOwn, emitUser } from './user-rules.ts'

/**
 * Sets a password that must be changed at the next login, and removes a lock after failed logins.
 * @throws Problem G403, G404, U-SELF (the own password is changed by knowing it), P-FMT, P-DIFF,
 * P-WEAK
 */
export async function resetUserPassword(
  tx: CommandTx,
  { userId, newPwd, confirmNewPwd }: InputOf<typeof api.resetUserPassword>,
): Promise<void> {
  const user = await lockUser(tx, userId)
  refuseAboveOwn(tx, user.role_mark)
  if (staff(tx.actor).userId === userId) throw new Problem(NOT_YOURSELF)
  if (!isPassword(newPwd))
    throw new Problem(PASSWORD_FORMAT, {}, { fields: { newPwd: 'access:fault.password' } })
  if (newPwd !== confirmNewPwd)
    throw new Problem(PASSWORDS_DIFFER, {}, { fields: { confirmNewPwd: 'access:fault.differs' } })
  refuseUnfitPassword(newPwd, [user.account, user.nickname, user.user_name])
  const passwordHash = await hashPassword(newPwd)
  await sql`
    update sys_user set password_hash = ${passwordHash}, must_change = true, version = version + 1,
      updated_at = clock_timestamp() where id = ${userId}`.execute(tx.db)
  await unlockAccount(tx, user.account)
  await endSessions(tx, userId, 'password')
  await emitUser(tx, userId)
  tx.log({ action: 'reset', targetKind: 'user', targetId: userId })
}
