import './pane.css'
import { Button, Icon, type IconName } from '@blueprintjs/core'
import type { ReactNode } from 'react'

/** Why nothing is here, and what to do about it. */
export function Empty({
  reason,
  hint,
  icon = 'inbox',
  action,
  children,
}: {
  reason: string
  hint?: string
  icon?: IconName
  action?: { text: string; onClick: () => void }
  children?: ReactNode
}): ReactNode {
  return (
    <div className="pane-note">
      <Icon icon={icon} />
      <p className="pane-note-title">{reason}</p>
      {hint && <p className="pane-note-hint">{hint}</p>}
      {action && <Button text={action.text} onClick={action.onClick} />}
      {children}
    </div>
  )
}
