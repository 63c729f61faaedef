import { sql } from 'kysely'
import { FORBIDDEN, Problem, SESSION_EXPIRED } from '#shared/kernel/problem.ts'
import {
  OLD_PASSWORD_WRONG,
  PASSWORD_SAME,
  PASSWORDS_DIFFER,
} from '#shared/session/session-problems.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { runCommand } from '#gateway/manage/kernel/command.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { countFailedLogin } from './failed-logins.ts'
import { endSessions } from './end-sessions.ts'
import { hashPassword, passwordFits } from './password.ts'
import { refuseUnfitPassword } from './password-policy.ts'

export interface ChangePassword {
  username: string
  oldPwd: string
  newPwd: string
  confirmNewPwd: string
}

/**
 * Changes the own password and ends every session of the account. Hashing takes longer than a
 * transaction should, so it runs before the transaction, and the old hash is a condition of the
 * update.
 * @throws Problem P-DIFF, P-SAME, P-FMT, P-WEAK, P-OLD, S-TRY, G403 for another's account
 */
export async function changePassword(
  context: AppContext,
  actor: StaffActor,
  given: ChangePassword,
): Promise<void> {
  const { rows } = await sql<{ account: string; user_name: string; password_hash: string }>`
    select u.account, u.user_name, u.password_hash from sys_user u where u.id = ${actor.userId}`.execute(
    context.database.kysely,
  )
  const user = rows[0]
  if (!user) throw new Problem(SESSION_EXPIRED)
  if (user.account.toLowerCase() !== given.username.trim().toLowerCase())
    throw new Problem(FORBIDDEN)
  if (given.newPwd !== given.confirmNewPwd) throw new Problem(PASSWORDS_DIFFER)
  if (given.newPwd === given.oldPwd) throw new Problem(PASSWORD_SAME)
  refuseUnfitPassword(given.newPwd, [user.account, user.user_name])
  const login = await countFailedLogin(context, 'password', actor.userId, actor.ip ?? '')
  if (!(await passwordFits(user.password_hash, given.oldPwd))) throw new Problem(OLD_PASSWORD_WRONG)
  const fresh = await hashPassword(given.newPwd)
  await runCommand(
    context,
    { actor, audit: { action: 'changePassword', targetKind: 'user', targetId: actor.userId } },
    async (tx) => {
      const changed = await sql`
      update sys_user set password_hash = ${fresh}, must_change = false, updated_at = clock_timestamp()
        where id = ${actor.userId} and password_hash = ${user.password_hash}`.execute(tx.db)
      if (changed.numAffectedRows !== 1n) throw new Problem(OLD_PASSWORD_WRONG)
      await login.succeeded(tx.db)
      await endSessions(tx, actor.userId, 'password')
    },
  )
}
