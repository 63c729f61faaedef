/**
 * ASSIGN: a leader assigns unprocessed tickets to a person on duty; above `bulk.syncMax` rows it
 * becomes a job.
 */
import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { BulkResult } from '#shared/kernel/page.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { AssignCause } from '#shared/tickets/ticket-sets.ts'
import type { assignTickets as assignCall } from '#shared/tickets/tickets-api.ts'
import { lockCapacity } from '#gateway/manage/kernel/claims/claim-table.ts'
import type { JobType } from '#gateway/manage/jobs/job-type.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { logTicket, notifyAboutTicket, emitAssigned, emitState } from '../ticket-events.ts'
import { nextProgress, wrongState } from '../ticket-refusals.ts'
import { CLAIMS, type LockedTicket, lockTicket, moveTicket, newProcessor } from '../ticket-store.ts'
import { reachable, type Receiver, receiverOf, requireRoom } from './capacity.ts'
import { eachTicket } from './each-ticket.ts'

/**
 * @throws Problem G-SEL, G-MAX, G404 when the person does not exist or is outside the caller's
 * reach; F-STATE, F-DUTY, F-MAX, F-ABOUT are returned per row in `failed`
 */
export async function assignTickets(
  tx: CommandTx,
  { feedbackIds, toUserId }: InputOf<typeof assignCall>,
): Promise<BulkResult> {
  // the receiver's capacity lock comes before the row locks, in every command that assigns work
  await lockCapacity(tx, CLAIMS.table, toUserId)
  const { rows } = await sql`
      select from sys_user u join sys_role g on g.id = u.role_id where u.id = ${toUserId}
        and ${reachable(staff(tx.actor))}`.execute(tx.db)
  if (rows.length === 0) throw new Problem(NOT_FOUND)
  return eachTicket(tx, feedbackIds, 'distribute', assignJob, { toUserId })
}

export const assignJob: JobType = {
  type: 'ticket.assign',
  async row(tx, feedbackId, params) {
    const toUserId = String(params.toUserId)
    await lockCapacity(tx, CLAIMS.table, toUserId)
    const ticket = await lockTicket(tx, feedbackId)
    if (ticket.progress !== 'unprocessed') throw wrongState(ticket, 'ASSIGN')
    await giveTo(tx, ticket, await receiverOf(tx, toUserId, ticket.queue), 'assigned')
  },
}

/** @throws Problem F-ABOUT, F-DUTY, F-MAX, F-STATE, before anything is written */
export async function giveTo(
  tx: CommandTx,
  ticket: LockedTicket,
  receiver: Receiver,
  cause: Extract<AssignCause, 'assigned' | 'distributed'>,
): Promise<void> {
  requireRoom(receiver, ticket)
  const to = nextProgress(ticket, {
    type: 'ASSIGN',
    onDuty: receiver.onDuty,
    openTickets: receiver.openTickets,
    capacity: receiver.capacity,
    isConcerned: false,
  })
  const moved = await moveTicket(tx, ticket, {
    to,
    set: [newProcessor(receiver)],
    step: { kind: cause, content: receiver.userName },
  })
  emitAssigned(tx, moved, cause)
  emitState(tx, moved)
  logTicket(tx, cause === 'assigned' ? 'assign' : 'ticketDistribute', moved)
  notifyAboutTicket(tx, receiver.userId, 'assigned', cause, moved.row)
}
