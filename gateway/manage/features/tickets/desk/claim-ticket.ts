/**
 * CLAIM: the row is locked, so when two people claim at once the second one learns who has the
 * ticket.
 */
import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { Problem } from '#shared/kernel/problem.ts'
import { TOO_MANY_CLAIMS } from '#shared/review/review-problems.ts'
import type { claimTicket as claimCall } from '#shared/tickets/tickets-api.ts'
import { lockCapacity } from '#gateway/manage/kernel/claims/claim-table.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { logTicket, emitAssigned, emitState } from '../ticket-events.ts'
import {
  freshRow,
  nextProgress,
  notYours,
  requireAction,
  requireVersion,
  wrongState,
} from '../ticket-refusals.ts'
import type { TicketRow } from '../ticket-row.ts'
import { CLAIMS, lockTicket, type LockedTicket, moveTicket, newProcessor } from '../ticket-store.ts'
import { CAPACITY, openTicketsOf } from './capacity.ts'

/** @throws Problem G404, F-OWN with the processor's name, F-STATE, G409, V-MAX */
export async function claimTicket(
  tx: CommandTx,
  { feedbackId, version }: InputOf<typeof claimCall>,
): Promise<TicketRow> {
  const actor = staff(tx.actor)
  await lockCapacity(tx, CLAIMS.table, actor.userId)
  const ticket = await lockTicket(tx, feedbackId)
  requireAction(tx, ticket, 'reply')
  if (ticket.progress === 'finished') throw wrongState(ticket, 'CLAIM')
  // a repeated claim by the processor, because the first answer was lost
  if (
    ticket.progress === 'followingUp' &&
    ticket.processor_id === actor.userId &&
    !ticket.lease_over
  )
    return freshRow(tx, ticket.id)
  if (ticket.progress === 'followingUp') throw notYours(ticket)
  await requireVersion(tx, ticket, version)
  return claimLocked(tx, ticket)
}

/**
 * The claim of a ticket nobody holds, under `lockCapacity` of the caller.
 * @throws Problem V-MAX
 */
export async function claimLocked(tx: CommandTx, ticket: LockedTicket): Promise<TicketRow> {
  const actor = staff(tx.actor)
  const { rows } = await sql<{
    open: number
    capacity: number
  }>`select ${openTicketsOf(sql`${actor.userId}`)} as open, ${CAPACITY} as capacity`.execute(tx.db)
  const { open, capacity } = rows[0] as { open: number; capacity: number }
  if (open >= capacity) throw new Problem(TOO_MANY_CLAIMS, { n: capacity })
  const to = nextProgress(ticket, {
    type: 'CLAIM',
    openTickets: open,
    capacity,
    isConcerned: ticket.about_id === actor.userId,
  })
  const moved = await moveTicket(tx, ticket, {
    to,
    set: [newProcessor(actor)],
    step: { kind: 'claimed' },
  })
  emitAssigned(tx, moved, 'claimed')
  emitState(tx, moved)
  logTicket(tx, 'claim', moved)
  return moved.row
}
