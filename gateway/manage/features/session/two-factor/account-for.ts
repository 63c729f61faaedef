import { sql } from 'kysely'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { TWO_FACTOR_PERMISSION } from '#shared/session/account-api.ts'
import { ADMINISTRATOR } from '#shared/session/roles.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'

export interface TwoFactorAccount {
  id: string
  account: string
  two_factor: boolean
  totp_secret: Buffer | null
  pending: Buffer | null
  recovery_left: number
}

/**
 * The caller's own account, or another's when the caller may switch it; an administrator's only for
 * administrators.
 * @throws Problem G404, also for an existing account, so that the answer does not reveal it
 */
export async function accountFor(
  db: Db,
  actor: StaffActor,
  userId: string,
): Promise<TwoFactorAccount> {
  if (userId !== actor.userId && !actor.rights.permissions.has(TWO_FACTOR_PERMISSION))
    throw new Problem(NOT_FOUND)
  const { rows } = await sql<TwoFactorAccount>`
    select u.id, u.account, u.two_factor, u.totp_secret, cardinality(u.recovery_hashes) as recovery_left,
      case when u.totp_pending_at > clock_timestamp() - interval '10 minutes' then u.totp_pending end as
        pending
    from sys_user u join sys_role g on g.id = u.role_id
    where u.id = ${userId} and (u.id = ${actor.userId} or g.unique_mark <> ${ADMINISTRATOR}
      or ${actor.rights.roleMark} = ${ADMINISTRATOR})`.execute(db)
  const row = rows[0]
  if (!row) throw new Problem(NOT_FOUND)
  return row
}
