import { sql } from 'kysely'
import { Problem } from '#shared/kernel/problem.ts'
import { LAST_ADMINISTRATOR } from '#shared/access/access-problems.ts'
import { ADMINISTRATOR } from '#shared/session/roles.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'

/**
 * Before an enabled administrator is disabled or loses the role: another one must remain. The lock
 * on the role's row serialises two administrators who disable each other.
 * @throws Problem U-LAST
 */
export async function keepAnAdministrator(tx: CommandTx, userId: string): Promise<void> {
  await sql`select from sys_role g where g.unique_mark = ${ADMINISTRATOR} for update`.execute(tx.db)
  const { rows } = await sql`
    select from sys_user u join sys_role g on g.id = u.role_id where g.unique_mark = ${ADMINISTRATOR}
      and u.status in ('enabled', 'normal') and u.id <> ${userId} limit 1`.execute(tx.db)
  if (rows.length === 0) throw new Problem(LAST_ADMINISTRATOR)
}
