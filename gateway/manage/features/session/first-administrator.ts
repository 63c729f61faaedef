import { sql } from 'kysely'
import { isPassword } from '#shared/session/password-rule.ts'
import { ADMINISTRATOR } from '#shared/session/roles.ts'
import type { Database } from '#gateway/manage/db/client.ts'
import { hashPassword } from './password.ts'

/**
 * The first account of a company, created from the configuration when there is no account. Its
 * password must be changed at the first login.
 * @returns whether it was created
 * @throws RangeError when the password breaks the rule
 */
export async function createFirstAdministrator(
  database: Database,
  account: string,
  password: string,
): Promise<boolean> {
  if (!isPassword(password))
    throw new RangeError(
      'ADMIN_PASSWORD must have 8 to 20 characters with a digit, a letter and a special character',
    )
  const passwordHash = await hashPassword(password)
  const made = await sql`
    insert into sys_user (account, nickname, user_name, password_hash, role_id, must_change)
    select ${account}, ${account}, ${account}, ${passwordHash}, g.id, true from sys_role g
    where g.unique_mark = ${ADMINISTRATOR} and not exists (select 1 from sys_user)`.execute(
    database.kysely,
  )
  return made.numAffectedRows === 1n
}
