/**
 * RETURN: a ticket goes back to the queue because it was released, its lease ended before the first
 * reply, or its processor was away too long.
 */
import { sql } from 'kysely'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import type { ReturnCause } from '#shared/tickets/ticket-lifecycle.ts'
import { closePendingHandover } from '../handovers/handover-store.ts'
import { logTicket, notifyAboutTicket, emitAssigned, emitState } from '../ticket-events.ts'
import { nextProgress } from '../ticket-refusals.ts'
import { CLAIMS, type LockedTicket, lockTickets, type Moved, moveTicket } from '../ticket-store.ts'

interface Return {
  cause: ReturnCause
  reason: string
  leaseOver: boolean
  offDuty: boolean
  isOwner: boolean
  isLeader: boolean
  handoverPending: boolean
}

/** @throws Problem F-STATE when the lifecycle refuses, before anything is written */
export async function returnToQueue(
  tx: CommandTx,
  ticket: LockedTicket,
  why: Return,
  action: string,
): Promise<Moved> {
  const to = nextProgress(ticket, { type: 'RETURN', ...why })
  const handover = await closePendingHandover(tx, ticket)
  const moved = await moveTicket(tx, ticket, {
    to,
    set: [CLAIMS.noHolder, ...handover.set],
    step: { kind: why.cause, content: why.reason === '' ? null : why.reason },
  })
  handover.emit(tx, moved)
  emitAssigned(tx, moved, why.cause)
  emitState(tx, moved)
  logTicket(tx, action, moved, { cause: why.cause })
  notifyAboutTicket(
    tx,
    ticket.processor_id,
    'taken',
    why.cause === 'released' ? 'taken' : why.cause,
    moved.row,
  )
  return moved
}

/**
 * Called at the end of a session: returns claimed tickets without a reply. Tickets with a reply
 * stay with their processor.
 */
export async function releaseLeasesOf(tx: CommandTx, userId: string): Promise<void> {
  for (const ticket of await lockTickets(
    tx,
    sql<boolean>`t.processor_id = ${userId} and t.idle_until is not null`,
  )) {
    await returnToQueue(
      tx,
      ticket,
      {
        cause: 'released',
        reason: 'logout',
        leaseOver: ticket.lease_over,
        offDuty: false,
        isOwner: true,
        isLeader: true,
        handoverPending: ticket.handover_state === 'pending',
      },
      'release',
    )
  }
}
