import { sql } from 'kysely'
import { hashPassword } from '#gateway/manage/features/session/password.ts'
import { PASSWORD } from '#tests/support/manage.ts'
import type { Database } from '#gateway/manage/db/client.ts'

let hash: Promise<string> | null = null
let made = 0

/** More reviewers than the built-in accounts; @returns their accounts. */
export async function addReviewers(
  { database }: { database: Database },
  count: number,
): Promise<string[]> {
  hash ??= hashPassword(PASSWORD)
  const passwordHash = await hash
  const accounts = Array.from({ length: count }, () => `racer${(made += 1)}`)
  for (const account of accounts) {
    await sql`
      insert into sys_user (account, nickname, user_name, password_hash, role_id)
      select ${account}, ${account}, ${`Racer ${account.slice(5)}`}, ${passwordHash}, g.id from sys_role g
        where g.unique_mark = 'reviewer'`.execute(database.kysely)
  }
  return accounts
}
