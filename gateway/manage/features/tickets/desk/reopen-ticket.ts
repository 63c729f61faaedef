/**
 * REOPEN: by a leader with a reason, or by the customer within a week. The ticket returns to its
 * last processor; a grievance holds the cases again.
 */
import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { followLifecycle } from '#shared/tickets/follow-lifecycle.ts'
import { daysSince, reopenedDue } from '#shared/tickets/ticket-clock.ts'
import { isGrievance, TYPE_NAMES } from '#shared/tickets/ticket-sets.ts'
import type { reopenTicket as reopenCall } from '#shared/tickets/tickets-api.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { parameterIn } from '#gateway/manage/kernel/parameters.ts'
import { holdForGrievance } from '#gateway/manage/features/collection/public.ts'
import { logTicket, notifyAboutTicket, emitState } from '../ticket-events.ts'
import { nextProgress, requireAction, requireVersion, wrongState } from '../ticket-refusals.ts'
import type { TicketRow } from '../ticket-row.ts'
import { lockTicket, type LockedTicket, type Moved, moveTicket } from '../ticket-store.ts'

/** @throws Problem G404, G403, F-STATE, G409 */
export async function reopenTicket(
  tx: CommandTx,
  { feedbackId, version, reason }: InputOf<typeof reopenCall>,
): Promise<TicketRow> {
  const ticket = await lockTicket(tx, feedbackId)
  requireAction(tx, ticket, 'reopen')
  if (ticket.progress !== 'finished') throw wrongState(ticket, 'REOPEN')
  await requireVersion(tx, ticket, version)
  return (await reopen(tx, ticket, { byCustomer: false, reason })).row
}

/**
 * @param evaluation the rating that reopens the ticket
 * @throws Problem F-STATE, before anything is written
 */
export async function reopen(
  tx: CommandTx,
  ticket: LockedTicket,
  { byCustomer, reason, evaluation }: { byCustomer: boolean; reason: string; evaluation?: number },
): Promise<Moved> {
  const now = await tx.now()
  const to = nextProgress(ticket, {
    type: 'REOPEN',
    byCustomer,
    days: daysSince(ticket.finished_at ?? now, now),
    reason,
  })
  const due = reopenedDue(
    ticket.answer_due_at,
    now,
    Number(await parameterIn(tx.db, `ticket.sla.${TYPE_NAMES[ticket.type]}`)),
  )
  const rated = evaluation === undefined ? [] : [sql`evaluation = ${evaluation}`]
  const moved = await moveTicket(tx, ticket, {
    to,
    follow: followLifecycle.next(ticket.follow_state, { type: 'REOPEN', ticketReopens: true }),
    set: [
      sql`
        finished_at = null, reopened_at = ${now}::timestamptz, answer_due_at = ${due}::timestamptz,
          sla_told = 0, claimed_at = clock_timestamp()`,
      ...rated,
    ],
    step: { kind: 'reopened', content: reason === '' ? null : reason },
  })
  emitState(tx, moved)
  logTicket(tx, 'reopen', moved, { byCustomer })
  notifyAboutTicket(
    tx,
    ticket.processor_id,
    'assigned',
    byCustomer ? 'reopenedByCustomer' : 'reopened',
    moved.row,
  )
  if (isGrievance(ticket.type))
    await holdForGrievance(tx, { customerId: ticket.customer_id, ticketId: ticket.id })
  return moved
}
