import { handoverLifecycle, type HandoverState } from '#shared/review/handover-lifecycle.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { type Receiver, requireRoom } from '../desk/capacity.ts'
import { logTicket, notifyOf, tellAssigned, tellState } from '../ticket-events.ts'
import { nextProgress, wrongState } from '../ticket-refusals.ts'
import { type LockedTicket, moveTicket, newProcessor } from '../ticket-store.ts'
import { endHandover, type Handover, tellHandover } from './handover-store.ts'

/** The processor changes with the hand-over, in one transaction. @throws Problem F-ABOUT, F-DUTY, F-MAX, F-STATE (the ticket has changed hands since); nothing is written then */
export async function approve(
  cx: Cx,
  ticket: LockedTicket,
  handover: Handover,
  receiver: Receiver,
): Promise<void> {
  requireRoom(receiver, ticket)
  const versionCurrent =
    ticket.progress === 'followingUp' && !ticket.lease_over && ticket.token === handover.item_token
  const event = { type: 'APPROVE', targetOnDuty: receiver.onDuty, versionCurrent } as const
  if (!handoverLifecycle.can(handover.state, event)) throw wrongState(ticket, 'TRANSFER_APPROVED')
  const to = nextProgress(ticket, {
    type: 'TRANSFER_APPROVED',
    openTickets: receiver.openTickets,
    capacity: receiver.capacity,
    isConcerned: false,
  })
  // a stored hand-over never goes back to `new`
  const state = handoverLifecycle.next(handover.state, event) as HandoverState
  const ended = await endHandover(cx, handover, state, { cause: null, reason: null })
  const moved = await moveTicket(cx, ticket, {
    to,
    set: [newProcessor(receiver), ended],
    step: { kind: 'handoverApproved', content: receiver.userName, internal: true },
  })
  tellHandover(cx, handover, { state, cause: null }, moved)
  tellAssigned(cx, moved, 'handover')
  tellState(cx, moved)
  logTicket(cx, 'transferDecide', moved, { handoverId: handover.id, result: 'approved' })
  notifyOf(cx, handover.requested_by, 'handover', 'handoverApproved', moved.row)
  if (handover.from_user_id !== handover.requested_by)
    notifyOf(cx, handover.from_user_id, 'taken', 'taken', moved.row)
  notifyOf(cx, receiver.userId, 'assigned', 'assigned', moved.row)
}
