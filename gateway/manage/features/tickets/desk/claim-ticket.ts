/** CLAIM: two people pressing at once is the normal case; the row is locked, so the loser learns who won. */
import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { Problem } from '#shared/kernel/problem.ts'
import { TOO_MANY_CLAIMS } from '#shared/review/review-problems.ts'
import type { claimTicket as claimCall } from '#shared/tickets/tickets-api.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { logTicket, tellAssigned, tellState } from '../ticket-events.ts'
import {
  freshRow,
  nextProgress,
  notYours,
  requireAction,
  requireVersion,
  wrongState,
} from '../ticket-refusals.ts'
import type { TicketRow } from '../ticket-row.ts'
import { lockTicket, moveTicket, newProcessor } from '../ticket-store.ts'
import { CAPACITY, openTicketsOf, takeSeat } from './capacity.ts'

/** @throws Problem G404, F-OWN with the winner, F-STATE, G409, V-MAX */
export async function claimTicket(
  cx: Cx,
  { feedbackId, version }: InputOf<typeof claimCall>,
): Promise<TicketRow> {
  const actor = staff(cx.actor)
  await takeSeat(cx, actor.userId)
  const ticket = await lockTicket(cx, feedbackId)
  requireAction(cx, ticket, 'reply')
  if (ticket.progress === 'finished') throw wrongState(ticket, 'CLAIM')
  // his own claim, asked for again because the answer was lost
  if (
    ticket.progress === 'followingUp' &&
    ticket.processor_id === actor.userId &&
    !ticket.lease_over
  )
    return freshRow(cx, ticket.id)
  if (ticket.progress === 'followingUp') throw notYours(ticket)
  await requireVersion(cx, ticket, version)
  const { rows } = await sql<{
    open: number
    capacity: number
  }>`select ${openTicketsOf(sql`${actor.userId}`)} as open, ${CAPACITY} as capacity`.execute(cx.db)
  const { open, capacity } = rows[0] as { open: number; capacity: number }
  if (open >= capacity) throw new Problem(TOO_MANY_CLAIMS, { n: capacity })
  const to = nextProgress(ticket, {
    type: 'CLAIM',
    openTickets: open,
    capacity,
    isConcerned: ticket.about_id === actor.userId,
  })
  const moved = await moveTicket(cx, ticket, {
    to,
    set: [newProcessor(actor)],
    step: { kind: 'claimed' },
  })
  tellAssigned(cx, moved, 'claimed')
  tellState(cx, moved)
  logTicket(cx, 'claim', moved)
  return moved.row
}
