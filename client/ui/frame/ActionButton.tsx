/** A button that can show why it is disabled, and that cannot be pressed twice. */
import './action-button.css'
import { Button, type ButtonProps, Tooltip } from '@blueprintjs/core'
import { type MouseEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { KeyHint } from './KeyHint.tsx'

export interface ActionButtonProps extends Omit<ButtonProps, 'onClick' | 'disabled' | 'loading'> {
  /** Why it is disabled; it keeps keyboard focus so that screen readers can read the reason. */
  disabledReason?: string | null | false
  /** A promise keeps the button busy until it settles. */
  onClick?: (event: MouseEvent<HTMLElement>) => unknown
  busy?: boolean
  /** Shown after the text, e.g. `Ctrl+Enter`. */
  keys?: string
  'aria-label'?: string
  'data-shortcut'?: string
  'data-perm'?: string
}

export function ActionButton({
  disabledReason,
  onClick,
  busy = false,
  keys,
  text,
  children,
  className = '',
  ...rest
}: ActionButtonProps): ReactNode {
  const [running, setRunning] = useState(false)
  const lock = useRef(false)
  const alive = useRef(true)
  const reasonId = useId()
  const refused = Boolean(disabledReason)
  useEffect(() => {
    alive.current = true
    return () => {
      alive.current = false
    }
  }, [])

  async function press(event: MouseEvent<HTMLElement>): Promise<void> {
    if (refused || busy || lock.current) {
      event.preventDefault()
      return
    }
    const answer = onClick?.(event)
    if (!(answer instanceof Promise)) return
    lock.current = true
    setRunning(true)
    try {
      await answer
    } finally {
      lock.current = false
      if (alive.current) setRunning(false)
    }
  }

  const button = (
    <Button
      {...rest}
      className={`${className} ${refused ? 'is-refused' : ''}`}
      loading={running || busy}
      aria-disabled={refused || undefined}
      aria-describedby={refused ? reasonId : undefined}
      onClick={(event) => void press(event)}
    >
      {text ?? children}
      {keys && <KeyHint keys={keys} />}
    </Button>
  )
  if (!refused) return button
  return (
    <Tooltip content={String(disabledReason)} placement="bottom" hoverOpenDelay={150} compact>
      <>
        {button}
        <span id={reasonId} className="visually-hidden">
          {disabledReason}
        </span>
      </>
    </Tooltip>
  )
}
