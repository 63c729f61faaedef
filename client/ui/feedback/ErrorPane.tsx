import './pane.css'
import { Button, Icon } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import { failureText } from './failure.ts'
import { useRetryKey } from './use-retry-key.ts'

/** Shown in place of a part of the screen that could not be loaded; the rest still works. */
export function ErrorPane({
  error,
  title,
  onRetry,
}: {
  error: unknown
  title?: string
  onRetry?: () => void
}): ReactNode {
  const t = useText('ui')
  useRetryKey(onRetry !== undefined)
  return (
    <div className="pane-note pane-note-bad" role="alert">
      <Icon icon="error" />
      <p className="pane-note-title">{title ?? t('error.title')}</p>
      <p className="pane-note-hint">{failureText(error)}</p>
      {onRetry && (
        <Button icon="refresh" text={t('error.retry')} onClick={onRetry} data-shortcut="KeyR" />
      )}
    </div>
  )
}
