/**
 * Brute-force protection for logins, password changes and codes: after three failed logins each
 * further one waits 2^n seconds, and `login.maxFails` locks the text for `login.freezeMinutes`. A
 * login is counted as failed before it is checked and uncounted when it succeeds, so that
 * concurrent ones cannot pass together. The counted key is the typed text, not an account, so
 * unknown accounts are locked like known ones.
 */
import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { Problem } from '#shared/kernel/problem.ts'
import { TOO_MANY_ATTEMPTS } from '#shared/session/session-problems.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'

/**
 * Failed logins per IP address and hour, over all accounts, from which further ones are slowed. Many
 * people may share the address of an office, so the right password is never refused for them.
 */
const MOST_OF_ADDRESS = 100
const SLOW_MS = 2_000

export interface CountedLogin {
  /** The login succeeded: deletes all failed logins of this text. */
  succeeded(db: Db): Promise<void>
  /** The login was neither right nor wrong: removes its own count only. */
  forget(): Promise<void>
}

export type LoginKind = 'login' | 'password' | 'code'

/** @throws Problem S-TRY */
export async function countFailedLogin(
  context: AppContext,
  kind: LoginKind,
  who: string,
  ip: string,
): Promise<CountedLogin> {
  const db = context.database.kysely
  const most = await context.parameters.int('login.maxFails')
  const minutes = await context.parameters.int('login.freezeMinutes')
  const key = createHash('sha256')
    .update(kind === 'login' ? who.toLowerCase() : `${kind}\n${who}`)
    .digest()
  const { rows } = await sql<{
    fails: number
    locked_sec: number
    wait_sec: number
    of_address: number
    is_known: boolean
  }>`
    select count(*)::int as fails,
      coalesce(ceil(extract(epoch
        from max(f.at) + make_interval(mins => ${minutes}) - clock_timestamp())), 0)::int as locked_sec,
      coalesce(ceil(extract(epoch
        from max(f.at) - clock_timestamp()) + power(2, greatest(count(*) - 3, 0))), 0)::int as wait_sec,
      (select count(*)::int from login_failure a where a.ip = ${ip}
        and a.at > clock_timestamp() - interval '1 hour') as of_address,
      exists (select from sys_session s join sys_user u on u.id = s.user_id
        where ${kind === 'login'} and lower(u.account) = ${who.toLowerCase()} and s.ip = ${ip}) as is_known
    from login_failure f where f.account_hash = ${key}
      and f.at > clock_timestamp() - make_interval(mins => ${minutes})`.execute(db)
  const { fails, locked_sec, wait_sec, of_address, is_known } = rows[0] as {
    fails: number
    locked_sec: number
    wait_sec: number
    of_address: number
    is_known: boolean
  }
  if (fails >= most)
    throw new Problem(TOO_MANY_ATTEMPTS, { m: Math.max(1, Math.ceil(locked_sec / 60)) })
  if (fails > 3 && wait_sec > 0) throw new Problem(TOO_MANY_ATTEMPTS, { m: 1 })
  // an account that has logged in from this address before is not made to wait for its neighbours
  if (of_address >= MOST_OF_ADDRESS && !is_known) await delay(SLOW_MS)
  // the lock lasts until the commit, so that the counts of one text are numbered in the order other
  // transactions see them
  const made = await sql<{ id: string }>`
    with turn as (select pg_advisory_xact_lock(${key.readInt32BE(0)}, ${key.readInt32BE(4)}))
    insert into login_failure (account_hash, ip) select ${key}, ${ip} from turn returning id::text as id`.execute(
    db,
  )
  const { id } = made.rows[0] as { id: string }
  const forget = async (): Promise<void> =>
    void (await sql`delete from login_failure where id = ${id}::bigint`.execute(db))
  const before = await sql<{ tries: number }>`
    select count(*)::int as tries from login_failure f where f.account_hash = ${key}
      and f.id < ${id}::bigint and f.at > clock_timestamp() - make_interval(mins => ${minutes})`.execute(
    db,
  )
  if ((before.rows[0] as { tries: number }).tries >= most) {
    await forget()
    throw new Problem(TOO_MANY_ATTEMPTS, { m: minutes })
  }
  return {
    succeeded: async (within) =>
      void (await sql`delete from login_failure where account_hash = ${key}`.execute(within)),
    forget,
  }
}
