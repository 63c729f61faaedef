/** Queries of roles and of the tree of all permissions. */
import { type RawBuilder, sql } from 'kysely'
import type { approvalDetail } from '#shared/approvals/approval-detail-api.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { DEFAULT_PAGE_SIZE, type Page } from '#shared/kernel/page.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { PermissionNode } from '#shared/access/permission-tree.ts'
import type * as api from '#shared/access/roles-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { pendingApproval } from '#gateway/manage/features/approvals/public.ts'
import { isoTime, likeStart, sortOf } from '#gateway/manage/kernel/list-parts.ts'

type RoleDetail = DataOf<typeof api.roleDetail>
type Role = Omit<RoleDetail, 'checkedMenuIds' | 'checkedButtons'>

const SORTS = {
  name: 'g.name',
  uniqueMark: 'g.unique_mark',
  status: 'g.status',
  dataScope: 'g.data_scope',
  userCount: '"userCount"',
  updateTime: 'g.updated_at',
}

async function readRoles(
  db: Db,
  where: RawBuilder<boolean>,
  order: RawBuilder<unknown>,
  page: RawBuilder<unknown> = sql``,
): Promise<(Role & { total: number; now: string })[]> {
  const { rows } = await sql<Role & { total: number; now: string }>`
    select g.id as "roleId", g.name, g.unique_mark as "uniqueMark", g.status, g.data_scope as "dataScope",
      (select count(*)::int from sys_user u where u.role_id = g.id) as "userCount", g.built_in as "builtIn",
      ${isoTime('g.updated_at')} as "updateTime", g.version,
        ${sql.raw(pendingApproval(['roleEdit'], 'g.id'))} as approval, count(*) over ()::int as total,
        clock_timestamp() as now
    from sys_role g where ${where} order by ${order} ${page}`.execute(db)
  return rows
}

function shown({ total: _total, now: _now, ...role }: Role & { total: number; now: string }): Role {
  return role
}

export async function listRoles(db: Db, input: InputOf<typeof api.listRoles>): Promise<Page<Role>> {
  const size = input.pageSize ?? DEFAULT_PAGE_SIZE
  const all: RawBuilder<unknown>[] = [sql`true`]
  if (input.name !== undefined) all.push(sql`lower(g.name) like ${likeStart(input.name)}`)
  if (input.uniqueMark !== undefined)
    all.push(sql`lower(g.unique_mark) like ${likeStart(input.uniqueMark)}`)
  if (input.status !== undefined) all.push(sql`g.status = ${input.status}`)
  const rows = await readRoles(
    db,
    sql<boolean>`${sql.join(all, sql` and `)}`,
    sortOf(input.sort, SORTS, 'updateTime:desc', 'g.id'),
    sql`limit ${size} offset ${((input.pageNum ?? 1) - 1) * size}`,
  )
  return {
    rows: rows.map(shown),
    total: rows[0]?.total ?? 0,
    asOf: rows[0]?.now ?? new Date().toISOString(),
  }
}

/** @throws Problem G404 */
export async function findRole(db: Db, roleId: string): Promise<RoleDetail> {
  const [row] = await readRoles(db, sql<boolean>`g.id = ${roleId}`, sql`g.id`)
  if (!row) throw new Problem(NOT_FOUND)
  const { rows } = await sql<{ id: string; name: string; buttons: string[] }>`
    select m.id, m.name, rm.buttons from sys_role_menu rm join sys_menu m on m.id = rm.menu_id
      where rm.role_id = ${roleId} order by m.sort, m.name`.execute(db)
  return {
    ...shown(row),
    checkedMenuIds: rows.map(({ id }) => id),
    checkedButtons: Object.fromEntries(
      rows.filter(({ buttons }) => buttons.length > 0).map(({ name, buttons }) => [name, buttons]),
    ),
  }
}

/** Titles are i18n keys; a button's key is made from its code. */
export async function permissionTree(db: Db): Promise<PermissionNode[]> {
  const { rows } = await sql<{
    id: string
    parent_id: string | null
    name: string
    title: string
    path: string
    visible: number
    buttons: string[]
  }>`
    select m.id, m.parent_id, m.name, m.title, m.path, m.visible, m.buttons from sys_menu m
      order by m.sort, m.name`.execute(db)
  const below = (parent: string | null): PermissionNode[] =>
    rows
      .filter((row) => row.parent_id === parent)
      .map(({ id, name, title, path, visible, buttons }) => ({
        id,
        name,
        title,
        path,
        visible,
        buttons: buttons.map((code) => ({ code, title: `access:action.${code}` })),
        children: below(id),
      }))
  return below(null)
}

/** What an approval request about a role stores and shows. */
export type RequestedRole = {
  input: InputOf<typeof api.saveRole>
  /** Null = a new role. */
  before: { name: string; dataScope: string } | null
  added: string[]
  removed: string[]
}

export async function describeRoleEdit(
  db: Db,
  { input, before, added, removed }: RequestedRole,
): Promise<NonNullable<DataOf<typeof approvalDetail>['role']>> {
  const { rows } = await sql<{
    name: string
    title: string
  }>`select m.name, m.title from sys_menu m`.execute(db)
  const titles = new Map(rows.map(({ name, title }) => [name, title]))
  const change = (isAdded: boolean) => (tick: string) => {
    const [menu = '', action = null] = tick.split(':')
    return { added: isAdded, menu, title: titles.get(menu) ?? menu, action }
  }
  return {
    before,
    after: { name: input.name, dataScope: input.dataScope },
    changes: [...added.map(change(true)), ...removed.map(change(false))],
  }
}
