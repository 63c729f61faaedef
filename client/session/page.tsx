/** The page a component stands on: its path and the button codes that count there. The router provides it. */
import { createContext, type ReactNode, useContext } from 'react'
import { permits } from './menu.ts'

export interface PageInfo {
  /** Name of the menu whose buttons count; null on pages without a menu. */
  menu: string | null
  path: string
  /** Key of the tab the page stands in. */
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

/** Whether the page grants one of the codes. @throws TypeError 'need roles!' when `codes` is not an array */
export function usePermission(codes: readonly string[]): boolean {
  return permits(codes, usePage().btnPermissions)
}

/** Shows its children only where one of the codes counts. @throws TypeError 'need roles!' when `codes` is not an array */
export function Permit({
  codes,
  children,
}: {
  codes: readonly string[]
  children: ReactNode
}): ReactNode {
  return usePermission(codes) ? children : null
}
