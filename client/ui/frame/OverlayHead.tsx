import './overlay.css'
import { Button } from '@blueprintjs/core'
import { type ReactNode, useEffect, useState } from 'react'
import { useText } from '#client/base/use-text.ts'

/**
 * Title and close button of a dialog or drawer; Blueprint's own button is "Close" in every
 * language.
 */
export function OverlayHead({
  id,
  title,
  onClose,
}: {
  id: string
  title: ReactNode
  onClose: () => void
}): ReactNode {
  const t = useText('ui')
  useReturnOfFocus()
  return (
    <div className="overlay-head" ref={focusDialog}>
      <h2 id={id}>{title}</h2>
      <Button
        variant="minimal"
        icon="cross"
        aria-label={t('form.close')}
        title={t('form.close')}
        onClick={onClose}
      />
    </div>
  )
}

/**
 * Blueprint gives the focus to an empty guard before the dialog, of which a screen reader says
 * nothing. A field of the dialog that takes the focus itself keeps it. A frame later, as in
 * `focusOpened`.
 */
function focusDialog(head: HTMLElement | null): void {
  const dialog = head?.closest<HTMLElement>('[role$="dialog"]')
  if (!dialog) return
  dialog.tabIndex = -1
  requestAnimationFrame(() => {
    if (!dialog.contains(document.activeElement)) dialog.focus({ preventScroll: true })
  })
}

/**
 * Blueprint restores the focus when an overlay closes; most overlays here are unmounted while open,
 * and the focus would be lost.
 */
function useReturnOfFocus(): void {
  const [from] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      if (
        document.activeElement === document.body &&
        from instanceof HTMLElement &&
        from.isConnected
      )
        from.focus()
    },
    [from],
  )
}
