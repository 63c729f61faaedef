import '#client/ui/form/form.css'
import { Drawer } from '@blueprintjs/core'
import { type ReactNode, useId } from 'react'
import { OverlayHead } from './OverlayHead.tsx'

export interface SideDrawerProps {
  isOpen: boolean
  title: ReactNode
  onClose: () => void
  /** px */
  width?: number
  canOutsideClickClose?: boolean
  children: ReactNode
}

/**
 * A dialog at the right edge; the list beside it stays visible. Blueprint's drawer alone is not a
 * dialog for screen readers.
 */
export function SideDrawer({
  title,
  width = 480,
  children,
  ...drawer
}: SideDrawerProps): ReactNode {
  const titleId = useId()
  return (
    <Drawer {...drawer} size={`min(${width}px, 94vw)`} className="form-drawer" onOpened={takeFocus}>
      <div
        tabIndex={-1}
        role="dialog"
        aria-modal="true"
        aria-labelledby={titleId}
        className="form-drawer-dialog"
      >
        <OverlayHead id={titleId} title={title} onClose={drawer.onClose} />
        {children}
      </div>
    </Drawer>
  )
}

/**
 * Where no field has taken the focus, the dialog does, so that a screen reader says its title:
 * Blueprint leaves it on an empty element before the dialog.
 */
function takeFocus(drawer: HTMLElement): void {
  const dialog = drawer.querySelector<HTMLElement>('.form-drawer-dialog')
  if (!dialog?.contains(document.activeElement)) dialog?.focus({ preventScroll: true })
}
