import { sql } from 'kysely'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import type { listViews } from '#shared/views/views-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'

/** Own views first, then those shared with the caller's current role. */
export async function viewsOf(
  db: Db,
  userId: string,
  menu: string,
): Promise<DataOf<typeof listViews>> {
  const { rows } = await sql<DataOf<typeof listViews>['rows'][number]>`
    select v.id as "viewId", v.name, v.filters, v.columns, v.sort, v.role_id is not null as shared,
      v.is_default and v.owner_id = ${userId} as "isDefault", v.owner_id = ${userId} as "isOwn",
      u.user_name as "ownerName"
    from list_view v join sys_user u on u.id = v.owner_id
    where v.menu = ${menu} and (v.owner_id = ${userId} or v.role_id = (select m.role_id from sys_user m
      where m.id = ${userId}))
    order by v.owner_id = ${userId} desc, lower(v.name), v.id limit 200`.execute(db)
  return { rows }
}
