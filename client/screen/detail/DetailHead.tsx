import './detail.css'
import { Button } from '@blueprintjs/core'
import type { IconName } from '@blueprintjs/icons'
import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import { copyText } from '#client/ui/value/copy.ts'
import { Presence } from '#client/ui/value/Presence.tsx'
import type { PresenceMember } from '#shared/kernel/live.ts'

export interface DetailHeadProps {
  /** Leaves the page; "Back" by default. */
  leave: { run: () => void; text?: string; icon?: IconName }
  /** The heading, with the id in it where the id is the name. */
  title: ReactNode
  /** What *Copy* takes, and its label. */
  id: string
  copyLabel: string
  /** After the heading, before the copy button. */
  beside?: ReactNode
  /** Status tags and other facts of the record. */
  tags: ReactNode
  /** Who else has it open. */
  others: readonly PresenceMember[]
  actions: ReactNode
  /** Under the line of the title: the lifecycle, the figures, a refusal. */
  children: ReactNode
}

/** Head of a detail page: identity, status, who else is here, actions, figures. */
export function DetailHead({
  leave,
  title,
  id,
  copyLabel,
  beside,
  tags,
  others,
  actions,
  children,
}: DetailHeadProps): ReactNode {
  const t = useText('ui')
  const leaveText = leave.text ?? t('detail.back')
  return (
    <header className="detail-head">
      <div className="detail-title">
        <Button
          variant="minimal"
          icon={leave.icon ?? 'arrow-left'}
          aria-label={leaveText}
          title={leaveText}
          onClick={leave.run}
        />
        <h1>{title}</h1>
        {beside}
        <Button
          variant="minimal"
          size="small"
          icon="duplicate"
          aria-label={copyLabel}
          title={copyLabel}
          onClick={() => void copyText(id)}
        />
        {tags}
        <span className="detail-actions">
          {others.length > 0 ? (
            <span className="detail-others">
              {t('detail.alsoHere')} <Presence members={others} />
            </span>
          ) : null}
          {actions}
        </span>
      </div>
      {children}
    </header>
  )
}
