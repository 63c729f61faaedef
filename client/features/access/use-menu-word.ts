import { useCallback, useMemo } from 'react'
import { hasText } from '#client/base/i18n.ts'
import { useText } from '#client/base/use-text.ts'
import type { PermissionNode } from '#shared/access/permission-tree.ts'

/**
 * Titles of menus and buttons, which the server sends as keys of many features. A key this build
 * does not have falls back to the name.
 */
export function useMenuWord(
  tree: readonly Pick<PermissionNode, 'title' | 'children'>[] | undefined,
): (title: string, otherwise: string) => string {
  const spaces = useMemo(() => namespacesOf(tree ?? []), [tree])
  const t = useText(...spaces)
  return useCallback((title, otherwise) => (hasText(title) ? t(title) : otherwise), [t])
}

function namespacesOf(nodes: readonly Pick<PermissionNode, 'title' | 'children'>[]): string[] {
  const titles = (list: typeof nodes): string[] =>
    list.flatMap((node) => [node.title, ...titles(node.children)])
  return [
    ...new Set([
      'access',
      ...titles(nodes)
        .filter((title) => title.includes(':'))
        .map((title) => title.slice(0, title.indexOf(':'))),
    ]),
  ]
}
