import { sql } from 'kysely'
import { PRESENCE_CHANGED } from '#shared/session/session-live.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'

/**
 * Emitted when a person's first session opens and when the last one ends, to those who lead them and
 * so have a list that says who is online. A leader without a group leads those without one, who have
 * no room of their own: they receive it through their list.
 */
export async function emitPresence(tx: CommandTx, userId: string, online: boolean): Promise<void> {
  const { rows } = await sql<{
    agency_id: string | null
    department_id: string | null
    group_id: string | null
  }>`
    select u.agency_id, u.department_id, u.group_id from sys_user u where u.id = ${userId}`.execute(
    tx.db,
  )
  const [unit] = rows
  if (!unit) return
  tx.emit(PRESENCE_CHANGED, {
    subject: `user:${userId}`,
    rooms: [
      'scope:all',
      'menu:ele_person',
      ...(unit.agency_id === null ? [] : [`scope:agency:${unit.agency_id}`]),
      ...(unit.department_id === null ? [] : [`scope:dept:${unit.department_id}`]),
      ...(unit.group_id === null ? [] : [`scope:group:${unit.group_id}`]),
    ],
    data: { userId, online },
  })
}

/** Whether the person has a session, which is what the lists show. */
export async function isPersonOnline(tx: CommandTx, userId: string): Promise<boolean> {
  const { rows } = await sql`
    select from sys_session s where s.user_id = ${userId} and s.revoked_at is null
      and s.expires_at > clock_timestamp() limit 1`.execute(tx.db)
  return rows.length > 0
}
