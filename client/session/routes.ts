/**
 * The route table of a session: the pages of its menu, the constant routes, and what each path
 * shows. Pure.
 */
import type { MenuIndex, MenuPage } from '#client/session/menu.ts'
import { detailPermissions } from '#client/session/menu.ts'
import type { ConstantRoute, DetailRoute, LoadScreen } from '#client/base/feature.ts'

export const NOT_FOUND = '/404'
export const NOT_PERMITTED = '/401'
export const REFRESH = '/redirect/'

export interface RouteTable {
  index: MenuIndex
  screens: Readonly<Record<string, LoadScreen>>
  details: Readonly<Record<string, DetailRoute>>
  constants: Readonly<Record<string, ConstantRoute>>
}

/** What the frame shows at an address. `tab` is its key in the tab bar; null = no tab. */
export type View =
  | { kind: 'menu'; page: MenuPage; load: LoadScreen; tab: string }
  | {
      kind: 'detail'
      path: string
      route: DetailRoute
      id: string
      menu: string | null
      btnPermissions: readonly string[]
      tab: string
    }
  | { kind: 'constant'; path: string; route: ConstantRoute; tab: string }
  | { kind: 'unbuilt'; page: MenuPage; tab: null }
  | { kind: 'not-permitted'; code: string; tab: null }
  | { kind: 'not-found'; tab: null }
  | { kind: 'refresh'; to: string; tab: null }
  | { kind: 'go'; to: string; tab: null }

export function knowsPath(table: RouteTable, path: string): boolean {
  if (path === '/' || path === NOT_FOUND || path === NOT_PERMITTED) return true
  if (path.startsWith(REFRESH)) return knowsPath(table, path.slice(REFRESH.length - 1))
  return (
    table.index.pages.has(path) ||
    table.index.redirects.has(path) ||
    Object.hasOwn(table.details, path) ||
    Object.hasOwn(table.constants, path)
  )
}

/** @param path without query; @param search with its question mark, or empty */
export function viewOf(table: RouteTable, path: string, search: string): View {
  const query = new URLSearchParams(search)
  if (path === NOT_PERMITTED)
    return { kind: 'not-permitted', code: query.get('code') ?? '', tab: null }
  if (path.startsWith(REFRESH))
    return { kind: 'refresh', to: path.slice(REFRESH.length - 1) + search, tab: null }
  const page = table.index.pages.get(path)
  if (page) {
    const load = Object.hasOwn(table.screens, page.component)
      ? table.screens[page.component]
      : undefined
    return load ? { kind: 'menu', page, load, tab: path } : { kind: 'unbuilt', page, tab: null }
  }
  const redirect = table.index.redirects.get(path)
  if (redirect) return { kind: 'go', to: redirect, tab: null }
  const route = Object.hasOwn(table.details, path) ? table.details[path] : undefined
  if (route) {
    const id = query.get(route.idParam) ?? ''
    if (!id) return { kind: 'not-found', tab: null }
    const from = query.get('from')
    const menu = from && table.index.byName.has(from) ? from : null
    const tab = `${path}?${route.idParam}=${encodeURIComponent(id)}`
    return {
      kind: 'detail',
      path,
      route,
      id,
      menu,
      btnPermissions: detailPermissions(table.index, menu, route.menus),
      tab,
    }
  }
  const constant = Object.hasOwn(table.constants, path) ? table.constants[path] : undefined
  if (constant) return { kind: 'constant', path, route: constant, tab: path }
  if (path === NOT_FOUND) return { kind: 'not-found', tab: null }
  // A screen of this build that the session's menu does not contain, or no longer contains, is a
  // missing permission, not an unknown page.
  if (Object.hasOwn(table.screens, path.slice(1)))
    return {
      kind: 'go',
      to: `${NOT_PERMITTED}?code=${path.slice(path.lastIndexOf('/') + 1)}:view`,
      tab: null,
    }
  return { kind: 'go', to: NOT_FOUND, tab: null }
}
