import type { ReactNode } from 'react'
import { call } from '#client/session/call.ts'
import { Masked } from '#client/ui/Masked.tsx'
import { revealField } from '#shared/customers/customers-api.ts'
import { can, type TicketDetail, type Viewer } from '../ticket-types.ts'
import { useSay } from '../use-say.ts'

/** Phone or e-mail as the server masks it; the eye opens it for a reason, where the codes of the ticket's queue give that. */
export function CustomerContact({
  detail: { ticket, customer },
  field,
  viewer,
}: {
  detail: TicketDetail
  field: 'phone' | 'email'
  viewer: Viewer
}): ReactNode {
  const t = useSay()
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
