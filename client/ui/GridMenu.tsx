/** Menu of a row, at the pointer or under the focused cell. */
import './overlay.css'
import { Menu, MenuDivider, MenuItem, type IconName, PopoverNext } from '@blueprintjs/core'
import { Fragment, type ReactNode } from 'react'

export interface RowAction {
  id: string
  text: string
  icon?: IconName
  intent?: 'danger' | 'primary' | 'success' | 'warning'
  /** Why it cannot be done now: shown, not hidden. */
  disabledReason?: string | null | false
  onClick: () => void
  /** A line above it. */
  separated?: boolean
}

export function GridMenu({ actions, at, label, onClose }: { actions: readonly RowAction[]; at: { x: number; y: number }; label: string; onClose: () => void }): ReactNode {
  return (
    <span className="grid-menu-anchor" style={{ left: at.x, top: at.y }}>
      <PopoverNext
        isOpen
        arrow={false}
        placement="bottom-start"
        positioningStrategy="fixed"
        onInteraction={(open) => !open && onClose()}
        content={
          <Menu aria-label={label}>
            {actions.map((action) => (
              <Fragment key={action.id}>
                {action.separated && <MenuDivider />}
                <MenuItem
                  text={action.text}
                  icon={action.icon}
                  intent={action.intent}
                  disabled={Boolean(action.disabledReason)}
                  labelElement={action.disabledReason ? <span className="menu-reason">{action.disabledReason}</span> : undefined}
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
        <span />
      </PopoverNext>
    </span>
  )
}
