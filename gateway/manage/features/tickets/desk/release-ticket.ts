import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { releaseTicket as releaseCall } from '#shared/tickets/tickets-api.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { requireAction, requireDesk, requireVersion } from '../ticket-refusals.ts'
import type { TicketRow } from '../ticket-row.ts'
import { lockTicket } from '../ticket-store.ts'
import { returnToQueue } from './return-ticket.ts'

/** The processor gives a ticket back, or a leader takes it from him. @throws Problem G404, G403, F-STATE, F-OWN, F-LEASE, F-HAND, G409 */
export async function releaseTicket(
  cx: Cx,
  { feedbackId, version, reason }: InputOf<typeof releaseCall>,
): Promise<TicketRow> {
  const ticket = await lockTicket(cx, feedbackId)
  requireAction(cx, ticket, 'reply', 'distribute')
  const desk = requireDesk(cx, ticket, 'RETURN', 'distribute')
  await requireVersion(cx, ticket, version)
  const moved = await returnToQueue(
    cx,
    ticket,
    { cause: 'released', reason, leaseOver: false, offDuty: false, ...desk },
    'release',
  )
  return moved.row
}
