import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { releaseTicket as releaseCall } from '#shared/tickets/tickets-api.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { requireAction, requireProcessor, requireVersion } from '../ticket-refusals.ts'
import type { TicketRow } from '../ticket-row.ts'
import { lockTicket } from '../ticket-store.ts'
import { returnToQueue } from './return-ticket.ts'

/**
 * The processor releases a ticket, or a leader takes it away.
 * @throws Problem G404, G403, F-STATE, F-OWN, F-LEASE, F-HAND, G409
 */
export async function releaseTicket(
  tx: CommandTx,
  { feedbackId, version, reason }: InputOf<typeof releaseCall>,
): Promise<TicketRow> {
  const ticket = await lockTicket(tx, feedbackId)
  requireAction(tx, ticket, 'reply', 'distribute')
  const facts = requireProcessor(tx, ticket, 'RETURN', 'distribute')
  await requireVersion(tx, ticket, version)
  const moved = await returnToQueue(
    tx,
    ticket,
    { cause: 'released', reason, leaseOver: false, offDuty: false, ...facts },
    'release',
  )
  return moved.row
}
