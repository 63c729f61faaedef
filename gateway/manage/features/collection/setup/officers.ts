import { sql } from 'kysely'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { INVALID_FIELDS, Problem } from '#shared/kernel/problem.ts'
import type { officerOptions } from '#shared/collection/setup-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'

const MAY_LEAD = ['manager', 'internal_supervisor', 'external_supervisor', 'team_leader']

/** Who may be the officer of a unit. */
export async function findOfficers(db: Db): Promise<DataOf<typeof officerOptions>> {
  const { rows } = await sql<{
    userId: string
    userName: string
    account: string
    roleMark: string
  }>`
    select u.id as "userId", u.user_name as "userName", u.account, g.unique_mark as "roleMark"
      from sys_user u join sys_role g on g.id = u.role_id
    where g.unique_mark = any(${MAY_LEAD}) and u.status in ('enabled', 'normal') order by u.user_name, u.id`.execute(
    db,
  )
  return rows
}

/** @throws Problem G-FIELD at `officerId` */
export async function requireOfficer(tx: CommandTx, userId: string): Promise<void> {
  if (!(await findOfficers(tx.db)).some((officer) => officer.userId === userId))
    throw new Problem(INVALID_FIELDS, {}, { fields: { officerId: 'unknown' } })
}
