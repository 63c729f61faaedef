/**
 * Built-in roles and menus are declared in `shared/<feature>/<feature>-menu.ts` and copied into the
 * tables at each start. An administrator's changes are kept: a menu or an action is granted to the
 * built-in roles only at the start that adds it.
 */
import { sql } from 'kysely'
import type { MenuItem } from '#shared/kernel/permission.ts'
import { ADMINISTRATOR, ROLES } from '#shared/session/roles.ts'
import type { Database } from '#gateway/manage/db/client.ts'
import { inTransaction, type Trx } from '#gateway/manage/db/transaction.ts'

export async function syncRolesAndMenus(
  database: Database,
  menus: readonly MenuItem[],
): Promise<void> {
  await inTransaction(database, async (trx) => {
    // several manage processes may start concurrently
    await sql`select pg_advisory_xact_lock(7003)`.execute(trx)
    const { rows } = await sql<{
      id: string
      buttons: string[]
    }>`select m.id, m.buttons from sys_menu m`.execute(trx)
    const before = new Map(rows.map((row) => [row.id, new Set(row.buttons)]))
    await syncRoles(trx)
    await syncMenus(trx, menus)
    const fresh = menus.filter((menu) => !before.has(idOf(menu.name)))
    await grantMenus(
      trx,
      fresh.flatMap((menu) =>
        withAdministrator(menu.roles).map((mark) => ({ menu: idOf(menu.name), mark })),
      ),
    )
    await grantActions(
      trx,
      menus.flatMap((menu) =>
        Object.entries(menu.actions).flatMap(([action, roles]) =>
          before.get(idOf(menu.name))?.has(action)
            ? []
            : withAdministrator(roles).map((mark) => ({ menu: idOf(menu.name), mark, action })),
        ),
      ),
    )
  })
}

const idOf = (name: string): string => `M_${name}`
const withAdministrator = (roles: readonly string[]): string[] => [
  ...new Set([ADMINISTRATOR, ...roles]),
]
const rowsOf = (rows: readonly object[]): string =>
  JSON.stringify(rows.map((row, n) => ({ n, ...row })))

async function syncRoles(trx: Trx): Promise<void> {
  await sql`
    insert into sys_role (name, unique_mark, data_scope, role_flag, landing, built_in)
    select d.name, d.mark, d.scope, d."roleFlag", d.landing, true
      from jsonb_to_recordset(${rowsOf(ROLES)}::jsonb) as d(n int, name text, mark text, scope text,
      "roleFlag" int, landing text)
    where not exists (select from sys_role g where g.unique_mark = d.mark) order by d.n`.execute(
    trx,
  )
}

async function syncMenus(trx: Trx, menus: readonly MenuItem[]): Promise<void> {
  const declared = menus.map((menu) => ({
    ...menu,
    id: idOf(menu.name),
    parent: menu.parent === null ? null : idOf(menu.parent),
    noCache: menu.noCache ?? false,
    buttons: Object.keys(menu.actions),
    alsoShows: menu.alsoShows ?? [],
  }))
  await sql`
    insert into sys_menu (id, parent_id, path, component, visible, name, title, icon, no_cache, sort,
      buttons, also_shows)
    select d.id, d.parent, d.path, d.component, d.visible, d.name, d.title, d.icon, d."noCache", d.sort,
      d.buttons, d."alsoShows"
    from jsonb_to_recordset(${rowsOf(declared)}::jsonb) as d(id text, parent text, path text,
      component text, visible int, name text, title text, icon text, "noCache" boolean, sort int,
      buttons text[], "alsoShows" text[])
    on conflict (id) do update
      set parent_id = excluded.parent_id, path = excluded.path, component = excluded.component,
      visible = excluded.visible, title = excluded.title, icon = excluded.icon,
      no_cache = excluded.no_cache, sort = excluded.sort, buttons = excluded.buttons,
        also_shows = excluded.also_shows`.execute(trx)
}

async function grantMenus(
  trx: Trx,
  grants: readonly { menu: string; mark: string }[],
): Promise<void> {
  await sql`
    insert into sys_role_menu (role_id, menu_id)
    select g.id, d.menu from jsonb_to_recordset(${rowsOf(grants)}::jsonb) as d(menu text, mark text)
      join sys_role g on g.unique_mark = d.mark and g.built_in
    on conflict do nothing`.execute(trx)
}

async function grantActions(
  trx: Trx,
  grants: readonly { menu: string; mark: string; action: string }[],
): Promise<void> {
  await sql`
    update sys_role_menu rm set buttons = rm.buttons || array(select a.action
      from unnest(d.actions) with ordinality a(action, n) where a.action <> all (rm.buttons) order by a.n)
    from (select g.id as role_id, d.menu, array_agg(d.action order by d.n) as actions
          from jsonb_to_recordset(${rowsOf(grants)}::jsonb) as d(n int, menu text, mark text, action text)
            join sys_role g on g.unique_mark = d.mark and g.built_in group by g.id, d.menu) d
    where rm.role_id = d.role_id and rm.menu_id = d.menu`.execute(trx)
}
