import { handoverLifecycle, type HandoverState } from '#shared/handovers/handover-lifecycle.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { type Receiver, requireRoom } from '../desk/capacity.ts'
import { logTicket, notifyAboutTicket, emitAssigned, emitState } from '../ticket-events.ts'
import { nextProgress, wrongState } from '../ticket-refusals.ts'
import { type LockedTicket, moveTicket, newProcessor } from '../ticket-store.ts'
import { endHandover, type Handover, emitHandover } from './handover-store.ts'

/**
 * Changes the processor and the hand-over in one transaction.
 * @throws Problem F-ABOUT, F-DUTY, F-MAX, F-STATE (the ticket has changed hands since), before
 * anything is written
 */
export async function approve(
  tx: CommandTx,
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
  // a stored hand-over never returns to `new`
  const state = handoverLifecycle.next(handover.state, event) as HandoverState
  const ended = await endHandover(tx, handover, state, { cause: null, reason: null })
  const moved = await moveTicket(tx, ticket, {
    to,
    set: [newProcessor(receiver), ended],
    step: { kind: 'handoverApproved', content: receiver.userName, internal: true },
  })
  emitHandover(tx, handover, { state, cause: null }, moved)
  emitAssigned(tx, moved, 'handover')
  emitState(tx, moved)
  logTicket(tx, 'transferDecide', moved, { handoverId: handover.id, result: 'approved' })
  notifyAboutTicket(tx, handover.requested_by, 'handover', 'handoverApproved', moved.row)
  if (handover.from_user_id !== handover.requested_by)
    notifyAboutTicket(tx, handover.from_user_id, 'taken', 'taken', moved.row)
  notifyAboutTicket(tx, receiver.userId, 'assigned', 'assigned', moved.row)
}
