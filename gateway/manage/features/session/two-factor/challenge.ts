/**
 * The state between password and code: a challenge known only to the browser that sent the right
 * password. Valid for five minutes and five codes.
 */
import { sql } from 'kysely'
import { Problem } from '#shared/kernel/problem.ts'
import { CHALLENGE_OVER, CODE_WRONG } from '#shared/session/session-problems.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { countFailedLogin } from '../failed-logins.ts'
import { refuseClosedAccount } from '../authenticate.ts'
import { unlockAccount } from '../locked-account.ts'
import { type Account, type Caller, type LoggedIn, openSession } from '../open-session.ts'
import { hashOf, newToken } from '../session-store.ts'
import { type CodeHolder, proveByCode } from './prove-by-code.ts'

const MINUTES = 5
const MOST_TRIES = 5

/** @returns the challenge; the database stores its hash */
export async function makeChallenge(
  context: AppContext,
  userId: string,
  bound: boolean,
): Promise<string> {
  const challenge = newToken()
  await sql`
    with over as (delete from login_challenge where expires_at < clock_timestamp())
    insert into login_challenge (id, user_id, bound, expires_at)
      values (${hashOf(challenge)}, ${userId}, ${bound},
      clock_timestamp() + make_interval(mins => ${MINUTES}))`.execute(context.database.kysely)
  return challenge
}

interface Found extends Account, CodeHolder {
  bound: boolean
  user_status: string
  role_status: string
}

/** @throws Problem S-CHAL, S-CODE, S-TRY, S-DIS, S-FRZ, S-ROLE */
export async function answerChallenge(
  context: AppContext,
  given: { challenge: string; code: string; bound: boolean } & Caller,
): Promise<LoggedIn> {
  const id = hashOf(given.challenge)
  const { rows } = await sql<Found>`
    select u.id, u.user_name, u.account, u.totp_secret, u.status as user_status, g.status as role_status,
      g.unique_mark as role_mark, c.bound
    from login_challenge c join sys_user u on u.id = c.user_id join sys_role g on g.id = u.role_id
    where c.id = ${id} and c.expires_at > clock_timestamp() and c.fails < ${MOST_TRIES} and u.two_factor`.execute(
    context.database.kysely,
  )
  const account = rows[0]
  if (!account) throw new Problem(CHALLENGE_OVER)
  refuseClosedAccount(account)
  await countFailedLogin(context, 'code', account.id, given.ip)
  try {
    return await openSession(context, account, given, account.bound || given.bound, async (tx) => {
      await proveByCode(tx, account, given.code)
      const used = await sql`delete from login_challenge where id = ${id}`.execute(tx.db)
      if (used.numAffectedRows !== 1n) throw new Problem(CHALLENGE_OVER)
      await unlockAccount(tx, account.account)
    })
  } catch (error) {
    if (error instanceof Problem && error.id === CODE_WRONG.id)
      await sql`update login_challenge set fails = fails + 1 where id = ${id}`.execute(
        context.database.kysely,
      )
    throw error
  }
}
