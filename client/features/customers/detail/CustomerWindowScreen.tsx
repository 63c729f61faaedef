/** The customer as a second window beside a review, a case or a ticket (screens.md 1.10): no frame, and it goes with the session. */
import { type ReactNode, useEffect } from 'react'
import { useSearchParams } from 'wouter'
import { onSessionEnd } from '#client/session/session-end.ts'
import { useSay } from '../use-say.ts'
import { CustomerPage } from './CustomerPage.tsx'

export function Screen(): ReactNode {
  const t = useSay()
  const [params] = useSearchParams()
  const userId = params.get('userId') ?? ''
  useEffect(() => onSessionEnd(close), [])
  return (
    <CustomerPage
      key={userId}
      userId={userId}
      leave={{ text: t('detail.close'), icon: 'cross', run: close }}
      isWindow
    />
  )
}

/** The browser lets a page close only a window that a page has opened; one that a person opened stays. */
function close(): void {
  window.close()
}
