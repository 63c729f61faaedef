import { Button } from '@blueprintjs/core'
import { useLocation } from 'wouter'
import { useStore } from '#client/base/store.ts'
import { useText } from '#client/base/use-text.ts'
import { errorLog } from './errors/error-log.ts'

/** Shown only when an error occurred in this browser session. */
export function ErrorLogButton() {
  const t = useText('shell')
  const [, navigate] = useLocation()
  const count = useStore(errorLog).length
  if (count === 0) return null
  const label = t('errors.button', { count })
  return (
    <Button
      variant="minimal"
      intent="danger"
      icon="error"
      aria-label={label}
      title={label}
      onClick={() => navigate('/error_log')}
    >
      <span className="tool-count tabular">{count}</span>
    </Button>
  )
}
