/** Menu of a row, at the pointer or under the focused cell. */
import '#client/ui/frame/overlay.css'
import { Menu, MenuDivider, MenuItem, type IconName, PopoverNext } from '@blueprintjs/core'
import { Fragment, type KeyboardEvent, type ReactNode } from 'react'

export interface RowAction {
  id: string
  text: string
  icon?: IconName
  intent?: 'danger' | 'primary' | 'success' | 'warning'
  /** Why it is disabled now: shown, not hidden. */
  disabledReason?: string | null | false
  onClick: () => void
  /** Draws a line above it. */
  separated?: boolean
}

export function GridMenu({
  actions,
  at,
  label,
  onClose,
}: {
  actions: readonly RowAction[]
  at: { x: number; y: number }
  label: string
  onClose: () => void
}): ReactNode {
  return (
    <span className="grid-menu-anchor" style={{ left: at.x, top: at.y }}>
      <PopoverNext
        isOpen
        // by itself it would first focus its guard, and keys of the next frame would be lost
        autoFocus={false}
        arrow={false}
        placement="bottom-start"
        positioningStrategy="fixed"
        onInteraction={(open) => !open && onClose()}
        content={
          <Menu aria-label={label} onKeyDown={moveInMenu} ulRef={focusFirst}>
            {actions.map((action) => (
              <Fragment key={action.id}>
                {action.separated && <MenuDivider />}
                <MenuItem
                  text={action.text}
                  icon={action.icon}
                  intent={action.intent}
                  disabled={Boolean(action.disabledReason)}
                  labelElement={
                    action.disabledReason ? (
                      <span className="menu-reason">{action.disabledReason}</span>
                    ) : undefined
                  }
                  onClick={() => {
                    onClose()
                    action.onClick()
                  }}
                />
              </Fragment>
            ))}
          </Menu>
        }
      >
        <button type="button" tabIndex={-1} aria-label={label} />
      </PopoverNext>
    </span>
  )
}

function items(menu: Element): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('[role=menuitem]')]
}

/** It is not at its place yet, so nothing may scroll to it. */
function focusFirst(menu: HTMLUListElement | null): void {
  if (menu) items(menu)[0]?.focus({ preventScroll: true })
}

function moveInMenu(event: KeyboardEvent<HTMLUListElement>): void {
  const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (!by) return
  event.preventDefault()
  const all = items(event.currentTarget)
  all[(all.indexOf(document.activeElement as HTMLElement) + by + all.length) % all.length]?.focus()
}
