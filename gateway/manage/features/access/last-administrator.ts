import { sql } from 'kysely'
import { Problem } from '#shared/kernel/problem.ts'
import { LAST_ADMINISTRATOR } from '#shared/access/access-problems.ts'
import { ADMINISTRATOR } from '#shared/session/roles.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'

/**
 * Somebody is about to stop being an enabled administrator: another one must remain. The lock on the role makes two who switch
 * each other off at the same moment wait for each other.
 * @throws Problem U-LAST
 */
export async function keepAnAdministrator(cx: Cx, userId: string): Promise<void> {
  await sql`select from sys_role g where g.unique_mark = ${ADMINISTRATOR} for update`.execute(cx.db)
  const { rows } = await sql`
    select from sys_user u join sys_role g on g.id = u.role_id where g.unique_mark = ${ADMINISTRATOR} and u.status in ('enabled', 'normal') and u.id <> ${userId} limit 1`.execute(
    cx.db,
  )
  if (rows.length === 0) throw new Problem(LAST_ADMINISTRATOR)
}
