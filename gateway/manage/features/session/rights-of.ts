import { sql } from 'kysely'
import type { DataScope, Rights } from '#shared/kernel/permission.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { IS_OUTSIDE } from './session-store.ts'

interface Row {
  role_mark: string
  data_scope: string
  agency_id: string | null
  is_outside: boolean
  department_id: string | null
  group_id: string | null
  account: string
  user_name: string
  permissions: string[]
}

/**
 * The current rights of a person, for a job that runs without their session; null when the account
 * or its role was disabled.
 */
export async function rightsOf(
  db: Db,
  userId: string,
): Promise<{ rights: Rights; account: string; userName: string } | null> {
  const { rows } = await sql<Row>`
    select g.unique_mark as role_mark, g.data_scope, u.agency_id, ${IS_OUTSIDE} as is_outside,
      u.department_id, u.group_id, u.account, u.user_name,
      coalesce((select array_agg(code) from (
        select m.name || ':view' as code from sys_role_menu rm join sys_menu m on m.id = rm.menu_id
          where rm.role_id = u.role_id
        union all
        select m.name || ':' || b from sys_role_menu rm join sys_menu m on m.id = rm.menu_id cross
          join unnest(rm.buttons) b where rm.role_id = u.role_id
      ) codes), '{}') as permissions
    from sys_user u join sys_role g on g.id = u.role_id
    where u.id = ${userId} and u.status in ('enabled', 'normal') and g.status = 'enabled'`.execute(
    db,
  )
  const row = rows[0]
  if (!row) return null
  return {
    account: row.account,
    userName: row.user_name,
    rights: {
      roleMark: row.role_mark,
      permissions: new Set(row.permissions),
      scope: row.data_scope as DataScope,
      agencyId: row.agency_id,
      isOutside: row.is_outside,
      departmentId: row.department_id,
      groupId: row.group_id,
    },
  }
}
