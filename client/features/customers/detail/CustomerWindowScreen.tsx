/**
 * The customer page as a second window beside a review, a case or a ticket: without the console
 * frame, and closed when the session ends.
 */
import { type ReactNode, useEffect } from 'react'
import { useSearchParams } from 'wouter'
import { onSessionEnd } from '#client/session/session-end.ts'
import { useCustomerText } from '#client/features/customers/use-customer-text.ts'
import { CustomerPage } from './CustomerPage.tsx'

export function Screen(): ReactNode {
  const t = useCustomerText()
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

/** Browsers let a page close only windows that a script opened; a window the user opened stays. */
function close(): void {
  window.close()
}
