/** ASSIGN: a leader gives unprocessed tickets to somebody on duty; many of them become a job. */
import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { BulkResult } from '#shared/kernel/page.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { AssignCause } from '#shared/tickets/ticket-sets.ts'
import type { assignTickets as assignCall } from '#shared/tickets/tickets-api.ts'
import type { JobType } from '#gateway/manage/jobs/job-type.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { logTicket, notifyOf, tellAssigned, tellState } from '../ticket-events.ts'
import { nextProgress, wrongState } from '../ticket-refusals.ts'
import { lockTicket, type LockedTicket, moveTicket, newProcessor } from '../ticket-store.ts'
import { reachable, type Receiver, receiverOf, requireRoom, takeSeat } from './capacity.ts'
import { eachTicket } from './each-ticket.ts'

/** @throws Problem G-SEL, G-MAX, G404 (no such person, or not one of the caller's); F-STATE, F-DUTY, F-MAX, F-ABOUT stand in `failed` per row */
export async function assignTickets(
  cx: Cx,
  { feedbackIds, toUserId }: InputOf<typeof assignCall>,
): Promise<BulkResult> {
  // first the receiver's seat, then the rows: the order of every command that gives work to a person
  await takeSeat(cx, toUserId)
  const { rows } =
    await sql`select from sys_user u join sys_role g on g.id = u.role_id where u.id = ${toUserId} and ${reachable(staff(cx.actor))}`.execute(
      cx.db,
    )
  if (rows.length === 0) throw new Problem(NOT_FOUND)
  return eachTicket(cx, feedbackIds, 'distribute', assignJob, { toUserId })
}

export const assignJob: JobType = {
  type: 'ticket.assign',
  async row(cx, feedbackId, params) {
    const toUserId = String(params.toUserId)
    await takeSeat(cx, toUserId)
    const ticket = await lockTicket(cx, feedbackId)
    if (ticket.progress !== 'unprocessed') throw wrongState(ticket, 'ASSIGN')
    await giveTo(cx, ticket, await receiverOf(cx, toUserId, ticket.queue), 'assigned')
  },
}

/** @throws Problem F-ABOUT, F-DUTY, F-MAX, F-STATE; nothing is written then */
export async function giveTo(
  cx: Cx,
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
  const moved = await moveTicket(cx, ticket, {
    to,
    set: [newProcessor(receiver)],
    step: { kind: cause, content: receiver.userName },
  })
  tellAssigned(cx, moved, cause)
  tellState(cx, moved)
  logTicket(cx, cause === 'assigned' ? 'assign' : 'ticketDistribute', moved)
  notifyOf(cx, receiver.userId, 'assigned', cause, moved.row)
}
