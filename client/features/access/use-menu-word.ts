import { useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { i18n } from '#client/app/i18n.ts'
import type { PermissionNode } from '#shared/access/permission-tree.ts'

/** Titles of menus and buttons, which the server gives as keys of many features; one this build does not have shows the name instead. */
export function useMenuWord(
  tree: readonly Pick<PermissionNode, 'title' | 'children'>[] | undefined,
): (title: string, otherwise: string) => string {
  const spaces = useMemo(() => namespacesOf(tree ?? []), [tree])
  const { t } = useTranslation(spaces as never)
  const translate = t as unknown as (key: string) => string
  return useCallback(
    (title, otherwise) => (i18n.exists(title) ? translate(title) : otherwise),
    [translate],
  )
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
