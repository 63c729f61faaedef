/**
 * Each view of the tab bar has its own address. The active one follows the browser; a hidden one
 * keeps the address it was left with, so its filters and page do not change while another view is
 * shown.
 */
import { createContext, type ReactNode, useContext } from 'react'
import { type BaseLocationHook, type BaseSearchHook, Router } from 'wouter'
import { useBrowserLocation, useSearch } from 'wouter/use-browser-location'

interface Left {
  path: string
  search: string
}

const LeftContext = createContext<Left | null>(null)

const useViewLocation: BaseLocationHook = () => {
  const left = useContext(LeftContext)
  const [path, navigate] = useBrowserLocation()
  return [left?.path ?? path, navigate]
}

const useViewSearch: BaseSearchHook = () => {
  const left = useContext(LeftContext)
  const search = useSearch()
  return left ? left.search.replace(/^\?/, '') : search
}

/** @param left the address of a hidden view; null for the active one */
export function ViewRouter({ left, children }: { left: Left | null; children: ReactNode }) {
  return (
    <LeftContext value={left}>
      {/* wouter takes its hooks as props */}
      <Router hook={useViewLocation} searchHook={useViewSearch}>
        {children}
      </Router>
    </LeftContext>
  )
}
