/** Sign-in (domain: trust.md G7, roles.md 4 login.*): the same answer and time for an unknown account and a wrong password, a growing wait, then a lock. */
import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { Problem } from '#shared/kernel/problem.ts'
import { ADMINISTRATOR } from '#shared/session/roles.ts'
import { BAD_CREDENTIALS, TOO_MANY_ATTEMPTS } from '#shared/session/session-problems.ts'
import { type Cx, runCommand } from '#gateway/manage/kernel/command.ts'
import type { House } from '#gateway/manage/kernel/house.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { refuseClosedAccount } from './authenticate.ts'
import { endSessions } from './end-sessions.ts'
import { passwordFits } from './password.ts'
import { insertSession, newToken } from './session-store.ts'

export interface LogIn {
  username: string
  password: string
  ip: string
  agent: string | null
  requestId: string
  /** A browser gets a bind cookie; a plain API client does not. */
  bound: boolean
}
export interface LoggedIn {
  token: string
  bind: string | null
}

interface Account {
  id: string
  account: string
  user_name: string
  password_hash: string
  user_status: string
  role_status: string
  role_mark: string
}

/** @throws Problem S-CRED, S-TRY, S-DIS, S-FRZ, S-ROLE */
export async function logIn(house: House, given: LogIn): Promise<LoggedIn> {
  const accountHash = createHash('sha256').update(given.username.toLowerCase()).digest()
  await refuseWhileLocked(house, accountHash)
  const found = await sql<Account>`
    select u.id, u.account, u.user_name, u.password_hash, u.status as user_status, g.status as role_status, g.unique_mark as role_mark
    from sys_user u join sys_role g on g.id = u.role_id where lower(u.account) = ${given.username.toLowerCase()}`.execute(house.database.kysely)
  const account = found.rows[0] ?? null
  if (!(await passwordFits(account?.password_hash ?? null, given.password)) || !account) {
    await sql`insert into login_failure (account_hash, ip) values (${accountHash}, ${given.ip})`.execute(house.database.kysely)
    await logAttempt(house, given, account, 'refused:S-CRED')
    throw new Problem(BAD_CREDENTIALS)
  }
  refuseClosedAccount(account)
  const token = newToken()
  const bind = given.bound ? randomBytes(32).toString('base64url') : null
  const id = `S${randomBytes(12).toString('hex')}`
  const idleMinutes = await house.parameters.int(account.role_mark === ADMINISTRATOR ? 'session.idleMinutesAdmin' : 'session.idleMinutes')
  const keepNewest = await house.parameters.int('session.max')
  const actor = { ...systemActor(account.user_name, given.requestId), userId: account.id, ip: given.ip, agent: given.agent }
  await runCommand(house, { actor, audit: { action: 'login', targetKind: 'session', targetId: id } }, async (cx: Cx) => {
    await insertSession(cx.db, { id, userId: account.id, token, bind, ip: given.ip, agent: given.agent, idleMinutes })
    await endSessions(cx, account.id, 'newerLogin', { keepNewest })
    await sql`delete from login_failure where account_hash = ${accountHash}`.execute(cx.db)
  })
  return { token, bind }
}

/** After three failures each further try waits 2^n s; at `login.maxFails` the account text is locked, known or not. */
async function refuseWhileLocked(house: House, accountHash: Buffer): Promise<void> {
  const most = await house.parameters.int('login.maxFails')
  const minutes = await house.parameters.int('login.freezeMinutes')
  const { rows } = await sql<{ fails: number; locked_sec: number; wait_sec: number }>`
    select count(*)::int as fails,
      coalesce(ceil(extract(epoch from max(f.at) + make_interval(mins => ${minutes}) - clock_timestamp())), 0)::int as locked_sec,
      coalesce(ceil(extract(epoch from max(f.at) - clock_timestamp()) + power(2, greatest(count(*) - 3, 0))), 0)::int as wait_sec
    from login_failure f where f.account_hash = ${accountHash} and f.at > clock_timestamp() - make_interval(mins => ${minutes})`.execute(house.database.kysely)
  const row = rows[0]
  if (!row) return
  if (row.fails >= most) throw new Problem(TOO_MANY_ATTEMPTS, { m: Math.max(1, Math.ceil(row.locked_sec / 60)) })
  if (row.fails > 3 && row.wait_sec > 0) throw new Problem(TOO_MANY_ATTEMPTS, { m: 1 })
}

async function logAttempt(house: House, given: LogIn, account: Account | null, result: string): Promise<void> {
  await sql`
    insert into operate_log (user_id, user_name, action, target_kind, result, ip, agent, request_id)
    values (${account?.id ?? null}, ${account?.user_name ?? null}, 'login', 'session', ${result}, ${given.ip}, ${given.agent}, ${given.requestId})`.execute(house.database.kysely)
}
