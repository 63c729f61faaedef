/**
 * Built-in roles and menus are declared in `shared/<feature>/<feature>-menu.ts` and brought into the tables at each start. What an
 * administrator changed stays: a menu or an action is granted to the built-in roles only in the start that brings it.
 */
import { sql } from 'kysely'
import type { MenuItem } from '#shared/kernel/permission.ts'
import { ADMINISTRATOR, ROLES } from '#shared/session/roles.ts'
import type { Database } from '#gateway/manage/db/client.ts'
import { inTransaction, type Trx } from '#gateway/manage/db/transaction.ts'

export async function syncRolesAndMenus(database: Database, menus: readonly MenuItem[]): Promise<void> {
  await inTransaction(database, async (trx) => {
    // several manage processes may start at once
    await sql`select pg_advisory_xact_lock(7003)`.execute(trx)
    const { rows } = await sql<{ id: string; buttons: string[] }>`select m.id, m.buttons from sys_menu m`.execute(trx)
    const before = new Map(rows.map((row) => [row.id, row.buttons]))
    // asked for at once, they leave in this order without waiting for each other: a start need not wait a hundred times
    await Promise.all([
      ...ROLES.map((role) => sql`
        insert into sys_role (name, unique_mark, data_scope, role_flag, landing, built_in) values (${role.name}, ${role.mark}, ${role.scope}, ${role.roleFlag}, ${role.landing}, true)
        on conflict (unique_mark) do nothing`.execute(trx)),
      ...parentsFirst(menus).flatMap((menu) => syncMenu(trx, menu, before.get(`M_${menu.name}`) ?? null)),
    ])
  })
}

/** @param known the actions the menu had before; null = it is new */
function syncMenu(trx: Trx, menu: MenuItem, known: readonly string[] | null): Promise<unknown>[] {
  const id = `M_${menu.name}`
  const actions = Object.keys(menu.actions)
  const asked: Promise<unknown>[] = []
  asked.push(sql`
    insert into sys_menu (id, parent_id, path, component, visible, name, title, icon, no_cache, sort, buttons, also_shows)
    values (${id}, ${menu.parent === null ? null : `M_${menu.parent}`}, ${menu.path}, ${menu.component}, ${menu.visible}, ${menu.name}, ${menu.title}, ${menu.icon ?? null}, ${menu.noCache ?? false}, ${menu.sort}, ${actions}, ${[...(menu.alsoShows ?? [])]})
    on conflict (id) do update set parent_id = excluded.parent_id, path = excluded.path, component = excluded.component, visible = excluded.visible, title = excluded.title, icon = excluded.icon,
      no_cache = excluded.no_cache, sort = excluded.sort, buttons = excluded.buttons, also_shows = excluded.also_shows`.execute(trx))
  if (known === null) {
    const marks = [ADMINISTRATOR, ...menu.roles]
    asked.push(sql`insert into sys_role_menu (role_id, menu_id) select g.id, ${id} from sys_role g where g.unique_mark = any(${marks}) and g.built_in on conflict do nothing`.execute(trx))
  }
  for (const action of actions) {
    if (known?.includes(action)) continue
    const marks = [ADMINISTRATOR, ...(menu.actions[action] ?? [])]
    asked.push(sql`
      update sys_role_menu rm set buttons = array_append(rm.buttons, ${action}) from sys_role g
      where g.id = rm.role_id and rm.menu_id = ${id} and g.unique_mark = any(${marks}) and g.built_in and not ${action} = any(rm.buttons)`.execute(trx))
  }
  return asked
}

function parentsFirst(menus: readonly MenuItem[]): MenuItem[] {
  const depth = (menu: MenuItem): number => (menu.parent === null ? 0 : 1 + depth(menus.find((m) => m.name === menu.parent) as MenuItem))
  return [...menus].sort((a, b) => depth(a) - depth(b))
}
