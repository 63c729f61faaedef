import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { afterRemark, followLifecycle } from '#shared/tickets/follow-lifecycle.ts'
import { isGrievance } from '#shared/tickets/ticket-sets.ts'
import type { resolveTicket as resolveCall } from '#shared/tickets/tickets-api.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { endGrievance } from '#gateway/manage/features/collection/public.ts'
import { closePendingHandover } from '../handovers/handover-store.ts'
import { logTicket, notifyAboutTicket, emitReplied, emitState } from '../ticket-events.ts'
import {
  nextProgress,
  requireAction,
  requireProcessor,
  requireVersion,
} from '../ticket-refusals.ts'
import type { TicketRow } from '../ticket-row.ts'
import { lockTicket, moveTicket } from '../ticket-store.ts'
import { firstReply } from './reply-ticket.ts'

/**
 * RESOLVE: the resolution is sent to the customer with a request for a rating. Without an earlier
 * reply it also counts as the first reply, and the follow-up passes through `following`. A
 * grievance releases the customer's cases.
 * @throws Problem G404, G403, F-STATE, F-OWN, F-LEASE, F-HAND, G409
 */
export async function resolveTicket(
  tx: CommandTx,
  { feedbackId, version, remark }: InputOf<typeof resolveCall>,
): Promise<TicketRow> {
  const ticket = await lockTicket(tx, feedbackId)
  requireAction(tx, ticket, 'resolve')
  const facts = requireProcessor(tx, ticket, 'RESOLVE', 'decide')
  await requireVersion(tx, ticket, version)
  const to = nextProgress(ticket, { type: 'RESOLVE', remark, ...facts })
  const follow = followLifecycle.next(afterRemark(ticket.follow_state, remark), {
    type: 'CLOSE',
    ticketEnds: true,
  })
  const handover = await closePendingHandover(tx, ticket)
  // one instant for both: without an earlier reply the resolution is the first reply
  const now = await tx.now()
  const moved = await moveTicket(tx, ticket, {
    to,
    follow,
    set: [firstReply(now), sql`finished_at = ${now}::timestamptz`, ...handover.set],
    step: { kind: 'resolved', content: remark, emitCustomer: true },
  })
  handover.emit(tx, moved)
  emitReplied(tx, moved, { internal: false, byCustomer: false })
  emitState(tx, moved)
  logTicket(tx, 'resolve', moved)
  notifyAboutTicket(tx, ticket.processor_id, 'decision', 'resolved', moved.row)
  if (isGrievance(ticket.type)) await endGrievance(tx, { ticketId: ticket.id })
  tx.afterCommit(() => tx.context.wakeSchedule('ticketMessage'))
  return moved.row
}
