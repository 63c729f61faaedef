import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { isPersonalFilter } from '#shared/kernel/personal-filters.ts'
import {
  FORBIDDEN,
  INVALID_FIELDS,
  NOT_FOUND,
  Problem,
  TOO_MANY_ROWS,
} from '#shared/kernel/problem.ts'
import { mayShareViews } from '#shared/views/view-sharing.ts'
import { MOST_VIEWS, type saveView as saveCall } from '#shared/views/views-api.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'

/**
 * Creates a view, or replaces an own one. Filters that identify a customer are left out, because a
 * view outlives the reason to look for that customer. A new default replaces the old one.
 * @throws Problem G403 to share without the scope for it, G404 for another's, G-FIELD for a name that
 * is taken, G-MAX
 */
export async function saveView(
  tx: CommandTx,
  {
    viewId,
    menu,
    name,
    filters,
    columns = null,
    sort = null,
    shared,
    isDefault,
  }: InputOf<typeof saveCall>,
): Promise<string> {
  const { userId, rights } = staff(tx.actor)
  if (shared && !mayShareViews(rights.scope)) throw new Problem(FORBIDDEN)
  const kept = Object.fromEntries(
    Object.entries(filters).filter(([filter]) => !isPersonalFilter(filter)),
  )
  // serialises the changes of one person's views of a list
  await sql`select from sys_user u where u.id = ${userId} for update`.execute(tx.db)
  const { rows: own } = await sql<{
    id: string
    name: string
  }>`select v.id, lower(v.name) as name from list_view v where v.owner_id = ${userId} and v.menu = ${menu}`.execute(
    tx.db,
  )
  if (viewId !== undefined && !own.some((view) => view.id === viewId)) throw new Problem(NOT_FOUND)
  if (own.some((view) => view.id !== viewId && view.name === name.toLowerCase()))
    throw new Problem(INVALID_FIELDS, {}, { fields: { name: 'ui:views.taken' } })
  if (viewId === undefined && own.length >= MOST_VIEWS)
    throw new Problem(TOO_MANY_ROWS, { n: MOST_VIEWS })
  if (isDefault)
    await sql`
      update list_view set is_default = false, updated_at = clock_timestamp() where owner_id = ${userId}
        and menu = ${menu} and is_default and id is distinct from ${viewId ?? null}`.execute(tx.db)
  const role = shared ? sql`(select u.role_id from sys_user u where u.id = ${userId})` : sql`null`
  const { rows } =
    viewId === undefined
      ? await sql<{ id: string }>`
        insert into list_view (menu, name, owner_id, role_id, filters, columns, sort, is_default)
        values (${menu}, ${name}, ${userId}, ${role}, ${JSON.stringify(kept)}::jsonb,
          ${columns === null ? null : JSON.stringify(columns)}::jsonb, ${sort}, ${isDefault}) returning id`.execute(
          tx.db,
        )
      : await sql<{ id: string }>`
        update list_view set name = ${name}, role_id = ${role}, filters = ${JSON.stringify(kept)}::jsonb,
          columns = ${columns === null ? null : JSON.stringify(columns)}::jsonb, sort = ${sort},
          is_default = ${isDefault},
          updated_at = clock_timestamp(), version = version + 1
        where id = ${viewId} returning id`.execute(tx.db)
  const id = (rows[0] as { id: string }).id
  tx.log({
    action: 'viewSave',
    targetKind: 'view',
    targetId: id,
    after: { menu, shared, isDefault },
  })
  return id
}
