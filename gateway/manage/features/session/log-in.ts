/**
 * Login by password: the same answer and the same time for an unknown account and a wrong password.
 */
import { sql } from 'kysely'
import { Problem } from '#shared/kernel/problem.ts'
import { BAD_CREDENTIALS } from '#shared/session/session-problems.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { countFailedLogin } from './failed-logins.ts'
import { refuseClosedAccount } from './authenticate.ts'
import { type Account, type Caller, type LoggedIn, openSession } from './open-session.ts'
import { hashPassword, isOutdatedHash, passwordFits } from './password.ts'
import { makeChallenge } from './two-factor/challenge.ts'

export interface LogIn extends Caller {
  username: string
  password: string
  /** A browser gets a bind cookie, a plain API client does not. */
  bound: boolean
}

interface Found extends Account {
  password_hash: string
  two_factor: boolean
  user_status: string
  role_status: string
}

/** @throws Problem S-CRED, S-DIS, S-FRZ, S-ROLE, S-TRY */
export async function logIn(
  context: AppContext,
  given: LogIn,
): Promise<LoggedIn | { challenge: string }> {
  const db = context.database.kysely
  const login = await countFailedLogin(context, 'login', given.username, given.ip)
  const found = await sql<Found>`
    select u.id, u.user_name, u.password_hash, u.two_factor, u.status as user_status,
      g.status as role_status, g.unique_mark as role_mark
    from sys_user u join sys_role g on g.id = u.role_id
      where lower(u.account) = ${given.username.toLowerCase()}`.execute(db)
  const account = found.rows[0] ?? null
  if (!(await passwordFits(account?.password_hash ?? null, given.password)) || !account) {
    await logRefusal(context, given, account)
    throw new Problem(BAD_CREDENTIALS)
  }
  try {
    refuseClosedAccount(account)
    if (account.two_factor) {
      const challenge = await makeChallenge(context, account.id, given.bound)
      await login.forget()
      return { challenge }
    }
  } catch (error) {
    await login.forget()
    throw error
  }
  // a hash with older settings is replaced while the password is available
  const rehashed = isOutdatedHash(account.password_hash) ? await hashPassword(given.password) : null
  return openSession(context, account, given, given.bound, async (tx) => {
    await login.succeeded(tx.db)
    if (rehashed !== null)
      await sql`
        update sys_user set password_hash = ${rehashed} where id = ${account.id}
          and password_hash = ${account.password_hash}`.execute(tx.db)
  })
}

async function logRefusal(
  context: AppContext,
  given: LogIn,
  account: Account | null,
): Promise<void> {
  await sql`
    insert into operate_log (user_id, user_name, action, target_kind, result, ip, agent, request_id)
    values (${account?.id ?? null}, ${account?.user_name ?? null}, 'login', 'session', 'refused:S-CRED',
      ${given.ip}, ${given.agent}, ${given.requestId})`.execute(context.database.kysely)
}
