import { sql } from 'kysely'
import type { MenuTreeNode } from '#shared/session/session-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { buttonNumbers, type Rights } from '#shared/kernel/permission.ts'

interface MenuRow {
  id: string
  parent_id: string | null
  path: string
  component: string
  visible: number
  redirect: string | null
  name: string
  title: string
  icon: string | null
  no_cache: boolean
  buttons: string[]
  also_shows: string[]
}

/**
 * Menu tree of a role: a group appears only with a permitted child, and redirects to its first one.
 */
export async function menuTree(db: Db, roleId: string, rights: Rights): Promise<MenuTreeNode[]> {
  const { rows } = await sql<MenuRow>`
    select m.id, m.parent_id, m.path, m.component, m.visible, m.redirect, m.name, m.title, m.icon,
      m.no_cache, rm.buttons, m.also_shows
    from sys_role_menu rm join sys_menu m on m.id = rm.menu_id where rm.role_id = ${roleId}
      order by m.sort, m.name`.execute(db)
  const childrenOf = (parent: string | null): MenuTreeNode[] =>
    rows
      .filter((row) => row.parent_id === parent)
      .flatMap((row) => nodeOf(row, childrenOf(row.id), rights))
  return childrenOf(null)
}

function nodeOf(row: MenuRow, children: MenuTreeNode[], rights: Rights): MenuTreeNode[] {
  const isGroup = row.component === 'Layout'
  if (isGroup && children.length === 0) return []
  const first = children.find((child) => child.visible === 0)
  return [
    {
      id: row.id,
      path: row.path,
      component: row.component,
      visible: row.visible,
      redirect: isGroup ? (row.redirect ?? first?.redirect ?? first?.path ?? null) : row.redirect,
      name: row.name,
      meta: {
        title: row.title,
        icon: row.icon,
        noCache: row.no_cache,
        btnPermissions: [
          ...buttonNumbers(row.name, row.buttons),
          ...row.buttons.map((code) => `${row.name}:${code}`),
          ...row.also_shows.filter((code) => rights.permissions.has(code)),
        ],
      },
      children,
    },
  ]
}

/** The landing page when the role may see it, else the workbench. */
export function landingOf(landing: string, menu: readonly MenuTreeNode[]): string {
  const has = (nodes: readonly MenuTreeNode[]): boolean =>
    nodes.some(
      (node) => (node.path === landing && node.component !== 'Layout') || has(node.children),
    )
  return has(menu) ? landing : '/home_page'
}
