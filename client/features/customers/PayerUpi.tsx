import type { ReactNode } from 'react'
import { call } from '#client/session/call.ts'
import { usePermission } from '#client/session/page.tsx'
import { useSession } from '#client/session/session-store.ts'
import { Masked } from '#client/ui/value/Masked.tsx'
import { revealField } from '#shared/customers/reveal-api.ts'
import { useCustomerText } from '#client/features/customers/use-customer-text.ts'

export interface PayerUpiProps {
  userId: string
  recordId: string
  /** Masked. */
  upi: string | null
}

/**
 * The UPI address of a payment, revealed for a reason where the page allows it. Customer service
 * may reveal only phone and e-mail, so its pages do not.
 */
export function PayerUpi({ userId, recordId, upi }: PayerUpiProps): ReactNode {
  const t = useCustomerText()
  // the call reveals fields of every page; this one is on the customer's
  const mayReveal = usePermission(['info:reveal'])
  const { user } = useSession()
  if (upi === null) return '—'
  const reveal = async (reason: string) =>
    (await call(revealField, { userId, field: 'upi', recordId, reason }, { quiet: true })).value
  return (
    <Masked
      value={upi}
      label={t('repayments:col.upi')}
      {...(mayReveal && !user.roles.includes('customer_service') ? { onReveal: reveal } : {})}
    />
  )
}
