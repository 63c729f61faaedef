import { sql } from 'kysely'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { endSessions } from './end-sessions.ts'

export interface MySession {
  sessionId: string
  ip: string | null
  agent: string | null
  loginTime: string
  lastSeen: string
  current: boolean
}

/** The session of the call first, then by last use. */
export async function mySessions(db: Db, actor: StaffActor): Promise<MySession[]> {
  const { rows } = await sql<MySession>`
    select s.id as "sessionId", s.ip, s.agent, s.login_at as "loginTime", s.last_seen_at as "lastSeen",
      s.id = ${actor.sessionId} as current
    from sys_session s where s.user_id = ${actor.userId} and s.revoked_at is null
      and s.expires_at > clock_timestamp()
    order by s.id = ${actor.sessionId} desc, s.last_seen_at desc limit 50`.execute(db)
  return rows
}

/**
 * Ends one other session of the caller, or all others; the current one ends by logout.
 * @throws Problem G404
 */
export async function endMySession(
  tx: CommandTx,
  actor: StaffActor,
  sessionId: string | undefined,
): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select s.id from sys_session s
    where s.user_id = ${actor.userId} and s.revoked_at is null and s.expires_at > clock_timestamp()
      and s.id <> ${actor.sessionId} and (${sessionId ?? null}::text is null or s.id = ${sessionId ?? null})
    order by s.id`.execute(tx.db)
  if (sessionId !== undefined && rows.length === 0) throw new Problem(NOT_FOUND)
  let ended = 0
  for (const { id } of rows)
    ended += (await endSessions(tx, actor.userId, 'own', { only: id })).length
  tx.log({
    action: 'endSession',
    targetKind: 'session',
    targetId: sessionId ?? 'others',
    after: { ended },
  })
  return ended
}
