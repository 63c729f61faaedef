import type { ReactNode } from 'react'

/** A line that names a part of a menu. Blueprint's divider would make it a heading in the middle of the page's order. */
export function MenuTitle({ children }: { children: ReactNode }) {
  return (
    <li role="none" className="menu-title">
      {children}
    </li>
  )
}
