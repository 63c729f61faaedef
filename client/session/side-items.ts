/** The sidebar's tree: without hidden menus and empty groups, with absolute paths. Pure. */
import { absolutePath, GROUP } from '#client/session/menu.ts'
import type { MenuTreeNode } from '#shared/session/session-api.ts'

export interface SideItem {
  id: string
  path: string
  name: string
  title: string
  icon: string | null
  /** Empty for a page. */
  children: readonly SideItem[]
}

export function sideItems(menu: readonly MenuTreeNode[], parent = ''): SideItem[] {
  return menu.flatMap((node) => {
    if (node.visible === 1) return []
    const path = absolutePath(parent, node.path)
    const children = sideItems(node.children, path)
    if (children.length === 0 && (node.children.length > 0 || node.component === GROUP)) return []
    return [
      {
        id: node.id,
        path,
        name: node.name,
        title: node.meta.title,
        icon: node.meta.icon,
        children,
      },
    ]
  })
}

/** Whether the page at `path` is this item or below it. */
export function holdsPath(item: SideItem, path: string): boolean {
  return item.children.length === 0
    ? item.path === path
    : item.children.some((child) => holdsPath(child, path))
}
