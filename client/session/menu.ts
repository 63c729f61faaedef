/**
 * Reads the server's menu tree: which path shows which component, with which titles and button
 * codes. Pure.
 */
import type { MenuTreeNode } from '#shared/session/session-api.ts'

/** A menu that is a page: a leaf of the tree. */
export interface MenuPage {
  id: string
  name: string
  /** Absolute. */
  path: string
  component: string
  title: string
  icon: string | null
  hidden: boolean
  noCache: boolean
  btnPermissions: readonly string[]
  /** From the root group down to the page itself. */
  trail: readonly { title: string; name: string; path: string }[]
}

/** Component of a group in the server's tree; a group without children has no target. */
export const GROUP = 'Layout'

export interface MenuIndex {
  pages: ReadonlyMap<string, MenuPage>
  /** Group path → its target: its redirect, else its first visible page. */
  redirects: ReadonlyMap<string, string>
  byName: ReadonlyMap<string, MenuPage>
}

/** Children may carry a path segment or an absolute path. */
export function absolutePath(parent: string, path: string): string {
  return path.startsWith('/') ? path : `${parent.replace(/\/$/, '')}/${path}`
}

export function indexMenu(menu: readonly MenuTreeNode[]): MenuIndex {
  const pages = new Map<string, MenuPage>()
  const redirects = new Map<string, string>()
  const byName = new Map<string, MenuPage>()
  const walk = (
    nodes: readonly MenuTreeNode[],
    parent: string,
    trail: MenuPage['trail'],
  ): string | undefined => {
    let first: string | undefined
    for (const node of nodes) {
      const path = absolutePath(parent, node.path)
      const here = [...trail, { title: node.meta.title, name: node.name, path }]
      if (node.children.length > 0 || node.component === GROUP) {
        const firstChild = walk(node.children, path, here)
        const target = node.redirect ? absolutePath(path, node.redirect) : firstChild
        if (target) redirects.set(path, target)
        first ??= node.visible === 1 ? undefined : firstChild
        continue
      }
      const page: MenuPage = {
        id: node.id,
        name: node.name,
        path,
        component: node.component,
        title: node.meta.title,
        icon: node.meta.icon,
        hidden: node.visible === 1,
        noCache: node.meta.noCache,
        btnPermissions: node.meta.btnPermissions,
        trail: here,
      }
      pages.set(path, page)
      byName.set(node.name, page)
      if (!page.hidden) first ??= path
    }
    return first
  }
  walk(menu, '', [])
  return { pages, redirects, byName }
}

/**
 * Button codes of a constant route: those of the menu it was opened from, else of all its menus.
 */
export function detailPermissions(
  index: MenuIndex,
  from: string | null,
  menus: readonly string[],
): readonly string[] {
  const named = from ? index.byName.get(from) : undefined
  if (named) return named.btnPermissions
  return [...new Set(menus.flatMap((name) => index.byName.get(name)?.btnPermissions ?? []))]
}

/**
 * Whether one of the codes is among those of the page.
 * @throws TypeError 'need roles!' when `codes` is not an array
 */
export function permits(codes: unknown, granted: readonly string[]): boolean {
  if (!Array.isArray(codes)) throw new TypeError('need roles!')
  return codes.some((code) => granted.includes(code as string))
}
