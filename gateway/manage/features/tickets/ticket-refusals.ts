/** Refusals of ticket commands, with the data a screen shows: the current row and its processor. */
import { sql } from 'kysely'
import { CHANGED_BY_OTHER, FORBIDDEN, NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { IllegalTransition } from '#shared/kernel/lifecycle.ts'
import {
  type ProcessorFacts,
  type ProgressState,
  type TicketEvent,
  ticketLifecycle,
} from '#shared/tickets/ticket-lifecycle.ts'
import { mayTicket, type TicketAction } from '#shared/tickets/ticket-sets.ts'
import {
  HANDOVER_PENDING,
  TICKET_CLAIM_OVER,
  TICKET_OWN,
  TICKET_STATE,
} from '#shared/tickets/tickets-problems.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { rowJoins, TICKET_JSON, type TicketRow } from './ticket-row.ts'
import type { LockedTicket } from './ticket-store.ts'

/** @throws Problem G404 when there is no such ticket */
export async function freshRow(tx: CommandTx, feedbackId: string): Promise<TicketRow> {
  const { rows } = await sql<{
    row: TicketRow
  }>`select ${TICKET_JSON} as row from feedback t ${rowJoins(tx.actor)} where t.id = ${feedbackId}`.execute(
    tx.db,
  )
  const found = rows[0]
  if (!found) throw new Problem(NOT_FOUND)
  return found.row
}

/**
 * The codes of the ticket's own queue count, whichever menu the call was allowed by.
 * @throws Problem G403
 */
export function requireAction(
  tx: CommandTx,
  { queue }: { queue: LockedTicket['queue'] },
  ...actions: TicketAction[]
): void {
  const { rights } = staff(tx.actor)
  if (!actions.some((action) => mayTicket(rights.permissions, queue, action)))
    throw new Problem(FORBIDDEN)
}

/** F-STATE: the state does not accept the event. */
export function wrongState(ticket: LockedTicket, event: string): Problem {
  return new Problem(
    TICKET_STATE,
    { progress: ticket.progress },
    { progress: ticket.progress, event, allowed: ticketLifecycle.allowed(ticket.progress) },
  )
}

/**
 * F-OWN with the processor, F-LEASE when there is none. The answer carries no row, because the
 * caller may no longer see it.
 */
export function notYours(ticket: LockedTicket): Problem {
  return ticket.processor_name === null || ticket.lease_over
    ? new Problem(TICKET_CLAIM_OVER)
    : new Problem(TICKET_OWN, { userName: ticket.processor_name })
}

/**
 * The caller's relation to the ticket. A leader holds `leaderAction` in its queue.
 * @throws Problem F-STATE unless the ticket is being processed, F-OWN or F-LEASE for a caller who
 * is neither its processor nor a leader, F-HAND for its processor while a hand-over is pending
 */
export function requireProcessor(
  tx: CommandTx,
  ticket: LockedTicket,
  event: string,
  leaderAction: TicketAction | null,
): ProcessorFacts {
  const { userId, rights } = staff(tx.actor)
  const isOwner = ticket.processor_id === userId && !ticket.lease_over
  const isLeader =
    leaderAction !== null && mayTicket(rights.permissions, ticket.queue, leaderAction)
  const handoverPending = ticket.handover_state === 'pending'
  if (ticket.progress !== 'followingUp') throw wrongState(ticket, event)
  if (!isOwner && !isLeader) throw notYours(ticket)
  if (handoverPending && !isLeader) throw new Problem(HANDOVER_PENDING)
  return { isOwner, isLeader, handoverPending }
}

/** @throws Problem G409 with the current row */
export async function requireVersion(
  tx: CommandTx,
  ticket: LockedTicket,
  version: number,
): Promise<void> {
  if (ticket.version === version) return
  const { rows } = await sql<{ by_name: string }>`
    select s.operator_name as by_name
    from feedback_step s
    where s.feedback_id = ${ticket.id}
    order by s.at desc, s.id desc
    limit 1`.execute(tx.db)
  throw new Problem(
    CHANGED_BY_OTHER,
    { userName: rows[0]?.by_name ?? '' },
    await freshRow(tx, ticket.id),
  )
}

/** The next state by the lifecycle. @throws Problem F-STATE */
export function nextProgress(ticket: LockedTicket, event: TicketEvent): ProgressState {
  try {
    return ticketLifecycle.next(ticket.progress, event)
  } catch (error) {
    if (error instanceof IllegalTransition) throw wrongState(ticket, event.type)
    throw error
  }
}
