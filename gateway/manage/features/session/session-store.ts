/**
 * Sessions: opaque 256-bit tokens, stored only as SHA-256. Tokens are renewed every few minutes;
 * the old one is valid for a short grace period.
 */
import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '#gateway/manage/db/client.ts'
import { readPrepared } from '#gateway/manage/db/prepared.ts'
import type { Db, Trx } from '#gateway/manage/db/transaction.ts'

export const GRACE_SECONDS = 60

export function newToken(): string {
  return randomBytes(32).toString('base64url')
}
export function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

export interface SessionRow {
  id: string
  user_id: string
  rotation: number
  /** The given token is the one before the last renewal. */
  is_previous: boolean
  grace_over: boolean
  due_for_renewal: boolean
  token_hash: Buffer
  bind_hash: Buffer | null
  over: boolean
  seen_long_ago: boolean
  user_name: string
  account: string
  user_status: string
  role_id: string
  role_mark: string
  role_name: string
  role_status: string
  role_flag: number
  landing: string
  data_scope: string
  agency_id: string | null
  is_outside: boolean
  department_id: string | null
  group_id: string | null
  language: string
  country: string
  introduction: string | null
  avatar_file_id: string | null
  must_change: boolean
  two_factor: boolean
  login_at: string
  permissions: string[]
}

/** Over `sys_user u`: internal recovery units are stored as agencies, too. */
export const IS_OUTSIDE = sql<boolean>`
  exists (select from agency a where a.id = u.agency_id and not a.in_house)`

/**
 * The session of a token with the person's current rights; null when there is none. Nearly every
 * call of a person asks for it, and planning it takes a server longer than reading it.
 */
export async function findSession(
  database: Database,
  token: string,
  renewMinutes: number,
): Promise<SessionRow | null> {
  const hash = hashOf(token)
  const [row] = await readPrepared(
    database,
    sql<SessionRow>`
    select s.id, s.user_id, s.rotation, s.previous_hash = ${hash} and s.token_hash <> ${hash} as is_previous,
      s.rotated_at < clock_timestamp() - make_interval(secs => ${GRACE_SECONDS}) as grace_over,
      s.rotated_at < clock_timestamp() - make_interval(mins => ${renewMinutes}) as due_for_renewal,
      s.token_hash, s.bind_hash, s.revoked_at is not null or s.expires_at <= clock_timestamp() as over,
      s.last_seen_at < clock_timestamp() - interval '60 seconds' as seen_long_ago,
      u.user_name, u.account, u.status as user_status, u.role_id, g.unique_mark as role_mark,
        g.name as role_name, g.status as role_status, g.role_flag, g.landing, g.data_scope,
      u.agency_id, ${IS_OUTSIDE} as is_outside, u.department_id, u.group_id, u.language, u.country,
        u.introduction, u.avatar_file_id, u.must_change, u.two_factor, s.login_at,
      coalesce((select array_agg(code) from (
        select m.name || ':view' as code from sys_role_menu rm join sys_menu m on m.id = rm.menu_id
          where rm.role_id = u.role_id
        union all
        select m.name || ':' || b from sys_role_menu rm join sys_menu m on m.id = rm.menu_id cross
          join unnest(rm.buttons) b where rm.role_id = u.role_id
      ) codes), '{}') as permissions
    from sys_session s
    join sys_user u on u.id = s.user_id
    join sys_role g on g.id = u.role_id
    where s.token_hash = ${hash} or s.previous_hash = ${hash}`,
  )
  return row ?? null
}

/** Renews the token unless a concurrent call did. @returns whether this call did */
export async function rotateSession(
  db: Db,
  sessionId: string,
  rotation: number,
  token: string,
  idleMinutes: number,
  absoluteHours: number,
): Promise<boolean> {
  const renewed = await sql`
    update sys_session set previous_hash = token_hash, token_hash = ${hashOf(token)},
      rotation = rotation + 1, rotated_at = clock_timestamp(), last_seen_at = clock_timestamp(),
      expires_at = least(login_at + make_interval(hours => ${absoluteHours}),
        clock_timestamp() + make_interval(mins => ${idleMinutes}))
    where id = ${sessionId} and rotation = ${rotation} and revoked_at is null`.execute(db)
  return renewed.numAffectedRows === 1n
}

/** Moves the idle limit; the absolute limit stays. */
export async function touchSession(
  db: Db,
  sessionId: string,
  idleMinutes: number,
  absoluteHours: number,
): Promise<void> {
  await sql`
    update sys_session set last_seen_at = clock_timestamp(),
      expires_at = least(login_at + make_interval(hours => ${absoluteHours}),
        clock_timestamp() + make_interval(mins => ${idleMinutes}))
    where id = ${sessionId} and revoked_at is null`.execute(db)
}

export async function insertSession(
  trx: Trx,
  session: {
    id: string
    userId: string
    token: string
    bind: string | null
    ip: string | null
    agent: string | null
    idleMinutes: number
  },
): Promise<void> {
  await sql`
    insert into sys_session (id, user_id, token_hash, bind_hash, ip, agent, expires_at)
    values (${session.id}, ${session.userId}, ${hashOf(session.token)},
      ${session.bind === null ? null : hashOf(session.bind)}, ${session.ip},
      ${session.agent?.slice(0, 200) ?? null},
      clock_timestamp() + make_interval(mins => ${session.idleMinutes}))`.execute(trx)
}

/**
 * Ends sessions of a user.
 * @returns the ids ended; `only` ends one session, `keep` all but the newest n
 */
export async function revokeSessions(
  trx: Trx,
  userId: string,
  reason: string,
  which: { only?: string; keepNewest?: number } = {},
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update sys_session s set revoked_at = clock_timestamp(), revoke_reason = ${reason}
    where s.user_id = ${userId} and s.revoked_at is null
      and (${which.only ?? null}::text is null or s.id = ${which.only ?? null})
      and s.id not in (select k.id from sys_session k where k.user_id = ${userId} and k.revoked_at is null
        order by k.login_at desc, k.id desc limit ${which.keepNewest ?? 0})
    returning s.id`.execute(trx)
  return rows.map((r) => r.id)
}
