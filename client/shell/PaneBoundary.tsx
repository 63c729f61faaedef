/**
 * Catches errors of one view, or of the frame around them; the error can be read and copied, and what
 * failed retried.
 */
import { Component, type ErrorInfo, type ReactNode } from 'react'
import { Button } from '@blueprintjs/core'
import { useText } from '#client/base/use-text.ts'
import { logError } from './errors/error-log.ts'

interface Props {
  /** Around the frame: the page is loaded again, because what failed would be shown again. */
  reloads?: boolean
  children: ReactNode
}

export class PaneBoundary extends Component<Props, { error: Error | null }> {
  override state: { error: Error | null } = { error: null }

  static getDerivedStateFromError(error: unknown): { error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    console.error(error, info.componentStack)
    logError(error, info.componentStack ?? '')
  }

  override render(): ReactNode {
    const { error } = this.state
    const { reloads } = this.props
    return error ? (
      <Failed
        error={error}
        again={() => (reloads ? location.reload() : this.setState({ error: null }))}
      />
    ) : (
      this.props.children
    )
  }
}

function Failed({ error, again }: { error: Error; again: () => void }) {
  const t = useText('shell')
  return (
    <div className="pane-failed" role="alert">
      <h1>{t('error.title')}</h1>
      <p>{t('error.text')}</p>
      <Button intent="primary" text={t('error.again')} onClick={again} />
      <details>
        <summary>{t('error.details')}</summary>
        <pre>{error.stack ?? error.message}</pre>
      </details>
    </div>
  )
}
