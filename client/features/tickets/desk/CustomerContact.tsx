import { useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { call } from '#client/session/call.ts'
import { Masked } from '#client/ui/value/Masked.tsx'
import { revealField } from '#shared/customers/reveal-api.ts'
import { can, type TicketDetail, type Viewer } from '../ticket-types.ts'

/**
 * Phone or e-mail, masked by the server. With the code of the ticket's queue it can be revealed for
 * a reason.
 */
export function CustomerContact({
  detail: { ticket, customer },
  field,
  viewer,
}: {
  detail: TicketDetail
  field: 'phone' | 'email'
  viewer: Viewer
}): ReactNode {
  const t = useText('tickets')
  const reveal = async (reason: string) =>
    (await call(revealField, { userId: customer.userId, field, reason }, { quiet: true })).value
  return (
    <Masked
      value={customer[field]}
      label={t(`col.${field}`)}
      {...(can(viewer, ticket.queue, 'reveal') ? { onReveal: reveal } : {})}
    />
  )
}
