import type { ReactNode } from 'react'

/**
 * A title within a menu. Blueprint's divider would render a heading in the middle of the page
 * outline.
 */
export function MenuTitle({ children }: { children: ReactNode }) {
  return (
    <li role="none" className="menu-title">
      {children}
    </li>
  )
}
