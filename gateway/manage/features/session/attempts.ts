/**
 * Brute force is slowed and stopped in one way for sign-in, password change and codes (trust.md G7): after three failures each further try
 * waits 2^n s, at `login.maxFails` nothing opens for `login.freezeMinutes`. A try is counted before it is checked and taken back when it
 * was right, so that parallel tries cannot pass together. What is counted is a text, not an account: an unknown one is stopped like a known one.
 */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { Problem } from '#shared/kernel/problem.ts'
import { TOO_MANY_ATTEMPTS } from '#shared/session/session-problems.ts'
import type { House } from '#gateway/manage/kernel/house.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'

/** From one address in an hour, whoever is tried: many people may share the address of an office. */
const MOST_OF_ADDRESS = 100

export interface Attempt {
  /** It was right: everything counted against this text is forgotten. */
  succeeded(db: Db): Promise<void>
  /** It was neither right nor wrong. */
  takeBack(): Promise<void>
}

export type AttemptKind = 'login' | 'password' | 'code'

/** @throws Problem S-TRY */
export async function takeAttempt(
  house: House,
  kind: AttemptKind,
  who: string,
  ip: string,
): Promise<Attempt> {
  const db = house.database.kysely
  const most = await house.parameters.int('login.maxFails')
  const minutes = await house.parameters.int('login.freezeMinutes')
  const key = createHash('sha256')
    .update(kind === 'login' ? who.toLowerCase() : `${kind}\n${who}`)
    .digest()
  const { rows } = await sql<{
    fails: number
    locked_sec: number
    wait_sec: number
    of_address: number
  }>`
    select count(*)::int as fails,
      coalesce(ceil(extract(epoch from max(f.at) + make_interval(mins => ${minutes}) - clock_timestamp())), 0)::int as locked_sec,
      coalesce(ceil(extract(epoch from max(f.at) - clock_timestamp()) + power(2, greatest(count(*) - 3, 0))), 0)::int as wait_sec,
      (select count(*)::int from login_failure a where a.ip = ${ip} and a.at > clock_timestamp() - interval '1 hour') as of_address
    from login_failure f where f.account_hash = ${key} and f.at > clock_timestamp() - make_interval(mins => ${minutes})`.execute(
    db,
  )
  const { fails, locked_sec, wait_sec, of_address } = rows[0] as {
    fails: number
    locked_sec: number
    wait_sec: number
    of_address: number
  }
  if (fails >= most)
    throw new Problem(TOO_MANY_ATTEMPTS, { m: Math.max(1, Math.ceil(locked_sec / 60)) })
  if (of_address >= MOST_OF_ADDRESS) throw new Problem(TOO_MANY_ATTEMPTS, { m: 60 })
  if (fails > 3 && wait_sec > 0) throw new Problem(TOO_MANY_ATTEMPTS, { m: 1 })
  // the lock lasts to the commit, so that of one text the numbers stand in the order others see them
  const made = await sql<{ id: string }>`
    with turn as (select pg_advisory_xact_lock(${key.readInt32BE(0)}, ${key.readInt32BE(4)}))
    insert into login_failure (account_hash, ip) select ${key}, ${ip} from turn returning id::text as id`.execute(
    db,
  )
  const { id } = made.rows[0] as { id: string }
  const takeBack = async (): Promise<void> =>
    void (await sql`delete from login_failure where id = ${id}::bigint`.execute(db))
  const before = await sql<{ tries: number }>`
    select count(*)::int as tries from login_failure f where f.account_hash = ${key} and f.id < ${id}::bigint and f.at > clock_timestamp() - make_interval(mins => ${minutes})`.execute(
    db,
  )
  if ((before.rows[0] as { tries: number }).tries >= most) {
    await takeBack()
    throw new Problem(TOO_MANY_ATTEMPTS, { m: minutes })
  }
  return {
    succeeded: async (within) =>
      void (await sql`delete from login_failure where account_hash = ${key}`.execute(within)),
    takeBack,
  }
}
