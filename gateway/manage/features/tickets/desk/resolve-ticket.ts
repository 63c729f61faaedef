import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { afterRemark, followLifecycle } from '#shared/tickets/follow-lifecycle.ts'
import { isGrievance } from '#shared/tickets/ticket-sets.ts'
import type { resolveTicket as resolveCall } from '#shared/tickets/tickets-api.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { endGrievance } from '#gateway/manage/features/collection/public.ts'
import { closePendingHandover } from '../handovers/handover-store.ts'
import { logTicket, notifyOf, tellReplied, tellState } from '../ticket-events.ts'
import { nextProgress, requireAction, requireDesk, requireVersion } from '../ticket-refusals.ts'
import type { TicketRow } from '../ticket-row.ts'
import { lockTicket, moveTicket } from '../ticket-store.ts'
import { firstReply } from './reply-ticket.ts'

/**
 * RESOLVE: the resolution goes to the customer with the question how it was. As the first word it is the first reply too, and
 * the follow-up passes through following. A grievance lets go of the customer's cases.
 * @throws Problem G404, G403, F-STATE, F-OWN, F-LEASE, F-HAND, G409
 */
export async function resolveTicket(
  cx: Cx,
  { feedbackId, version, remark }: InputOf<typeof resolveCall>,
): Promise<TicketRow> {
  const ticket = await lockTicket(cx, feedbackId)
  requireAction(cx, ticket, 'resolve')
  const desk = requireDesk(cx, ticket, 'RESOLVE', 'decide')
  await requireVersion(cx, ticket, version)
  const to = nextProgress(ticket, { type: 'RESOLVE', remark, ...desk })
  const follow = followLifecycle.next(afterRemark(ticket.follow_state, remark), {
    type: 'CLOSE',
    ticketEnds: true,
  })
  const handover = await closePendingHandover(cx, ticket)
  // one instant for both: the end of a ticket that nobody answered before is its first reply
  const now = await cx.now()
  const moved = await moveTicket(cx, ticket, {
    to,
    follow,
    set: [firstReply(now), sql`finished_at = ${now}::timestamptz`, ...handover.set],
    step: { kind: 'resolved', content: remark, tellCustomer: true },
  })
  handover.tell(cx, moved)
  tellReplied(cx, moved, { internal: false, byCustomer: false })
  tellState(cx, moved)
  logTicket(cx, 'resolve', moved)
  notifyOf(cx, ticket.processor_id, 'decision', 'resolved', moved.row)
  if (isGrievance(ticket.type)) await endGrievance(cx, { ticketId: ticket.id })
  cx.afterCommit(() => cx.house.wakeSchedule('ticketMessage'))
  return moved.row
}
