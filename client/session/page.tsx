/** The page of a component: its path and its button codes. Provided by the router. */
import { createContext, type ReactNode, useContext } from 'react'
import type { Access } from '#shared/kernel/endpoint.ts'
import { permits } from './menu.ts'

export interface PageInfo {
  /** Name of the menu whose button codes apply; null on pages without a menu. */
  menu: string | null
  path: string
  /** Key of the tab that contains the page. */
  tab: string
  btnPermissions: readonly string[]
}

export const PageContext = createContext<PageInfo>({
  menu: null,
  path: '/',
  tab: '/',
  btnPermissions: [],
})

export function usePage(): PageInfo {
  return useContext(PageContext)
}

/**
 * Whether the page grants one of the codes, usually the `access` of the endpoint to be called.
 * @throws TypeError 'need roles!' when `codes` is not an array
 */
export function usePermission(codes: Access | readonly string[]): boolean {
  return permits(codes, usePage().btnPermissions)
}

/**
 * Shows its children only where one of the codes is granted.
 * @throws TypeError 'need roles!' when `codes` is not an array
 */
export function Permit({
  codes,
  children,
}: {
  codes: Access | readonly string[]
  children: ReactNode
}): ReactNode {
  return usePermission(codes) ? children : null
}
