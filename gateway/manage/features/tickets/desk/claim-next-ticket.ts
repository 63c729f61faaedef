/**
 * CLAIM of the ticket with the oldest deadline that nobody holds. Rows that a colleague is claiming
 * at this moment are skipped, so two people who press at once get two tickets.
 */
import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { Problem } from '#shared/kernel/problem.ts'
import { QUEUE_EMPTY } from '#shared/review/review-problems.ts'
import { mayTicket, TICKET_QUEUES } from '#shared/tickets/ticket-sets.ts'
import type { claimNextTicket as nextCall } from '#shared/tickets/tickets-api.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { lockCapacity } from '#gateway/manage/kernel/claims/claim-table.ts'
import type { TicketRow } from '../ticket-row.ts'
import { ticketsInScope } from '../ticket-scope.ts'
import { claimLocked } from './claim-ticket.ts'
import { CLAIMS, lockNextTicket } from '../ticket-store.ts'

/** @throws Problem V-EMPTY, V-MAX */
export async function claimNextTicket(
  tx: CommandTx,
  { queue }: InputOf<typeof nextCall>,
): Promise<TicketRow> {
  const actor = staff(tx.actor)
  const queues = TICKET_QUEUES.filter(
    (one) =>
      (queue === undefined || one === queue) && mayTicket(actor.rights.permissions, one, 'reply'),
  )
  // the same order as in every command that assigns work: the person's capacity, then the row
  await lockCapacity(tx, CLAIMS.table, actor.userId)
  const ticket = await lockNextTicket(
    tx,
    sql<boolean>`${ticketsInScope(actor)} and t.queue = any(${queues}::text[])`,
  )
  if (ticket === null) throw new Problem(QUEUE_EMPTY)
  return claimLocked(tx, ticket)
}
