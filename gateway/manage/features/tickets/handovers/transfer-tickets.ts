/**
 * REQUEST: a processor, or a leader on their behalf, offers tickets to a colleague or a department.
 * A leader's request is approved at once.
 */
import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { BulkResult } from '#shared/kernel/page.ts'
import { INVALID_FIELDS, NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { handoverLifecycle } from '#shared/handovers/handover-lifecycle.ts'
import type { transferTickets as transferCall } from '#shared/tickets/tickets-api.ts'
import { HANDOVER_PENDING } from '#shared/tickets/tickets-problems.ts'
import { lockCapacity } from '#gateway/manage/kernel/claims/claim-table.ts'
import type { JobType } from '#gateway/manage/jobs/job-type.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { intParameter } from '#gateway/manage/kernel/parameters.ts'
import { reachable, type Receiver, receiverIn, receiverOf, requireRoom } from '../desk/capacity.ts'
import { eachTicket, queuesWith } from '../desk/each-ticket.ts'
import { logTicket, notifyAboutTicket, emitState } from '../ticket-events.ts'
import { notYours, wrongState } from '../ticket-refusals.ts'
import { afterMove, CLAIMS, type LockedTicket, lockTicket, moveTicket } from '../ticket-store.ts'
import { approve } from './approve-handover.ts'
import { type Handover, insertHandover, emitHandover } from './handover-store.ts'

/**
 * @throws Problem G-SEL, G-MAX, G-FIELD unless either a person or a department is given, G404 for a
 * receiver outside the caller's reach; F-STATE, F-OWN, F-HAND, F-ABOUT, F-DUTY, F-MAX, F-NOBODY are
 * returned per row in `failed`
 */
export async function transferTickets(
  tx: CommandTx,
  { feedbackIds, toUserId, toDepartment, reason }: InputOf<typeof transferCall>,
): Promise<BulkResult> {
  if ((toUserId === undefined) === (toDepartment === undefined))
    throw new Problem(INVALID_FIELDS, {}, { fields: { toUserId: 'required' } })
  const actor = staff(tx.actor)
  // the receiver's capacity lock comes before the row locks, in every command that assigns work
  if (toUserId !== undefined) await lockCapacity(tx, CLAIMS.table, toUserId)
  const { rows } =
    toUserId === undefined
      ? await sql`
        select from department d where d.id = ${toDepartment}
          and (${actor.rights.scope === 'all'} or d.agency_id = ${actor.rights.agencyId})`.execute(
          tx.db,
        )
      : await sql`
        select from sys_user u join sys_role g on g.id = u.role_id where u.id = ${toUserId}
          and ${reachable(actor)}`.execute(tx.db)
  if (rows.length === 0) throw new Problem(NOT_FOUND)
  return eachTicket(tx, feedbackIds, 'transfer', transferJob, {
    toUserId: toUserId ?? null,
    toDepartment: toDepartment ?? null,
    reason,
    leads: queuesWith(tx, 'decide'),
  })
}

export const transferJob: JobType = {
  type: 'ticket.transfer',
  async row(tx, feedbackId, params) {
    const to = params as {
      toUserId: string | null
      toDepartment: string | null
      reason: string
      leads: string[]
    }
    if (to.toUserId !== null) await lockCapacity(tx, CLAIMS.table, to.toUserId)
    const ticket = await lockTicket(tx, feedbackId)
    const isLeader = to.leads.includes(ticket.queue)
    if (ticket.progress !== 'followingUp') throw wrongState(ticket, 'TRANSFER')
    const isOwner = ticket.processor_id === tx.actor.userId && !ticket.lease_over
    if (ticket.lease_over || (!isOwner && !isLeader)) throw notYours(ticket)
    if (ticket.handover_state === 'pending') throw new Problem(HANDOVER_PENDING)
    const receiver =
      to.toUserId === null
        ? await receiverIn(tx, String(to.toDepartment), ticket)
        : await receiverOf(tx, to.toUserId, ticket.queue)
    requireRoom(receiver, ticket)
    const handover = await request(tx, ticket, receiver, { ...to, isOwner, isLeader })
    if (isLeader) await approve(tx, handover.ticket, handover.handover, receiver)
  },
}

interface TransferRequest {
  toUserId: string | null
  toDepartment: string | null
  reason: string
  isOwner: boolean
  isLeader: boolean
}

/** @throws Problem F-STATE when the lifecycle refuses, e.g. a hand-over to the current processor */
async function request(
  tx: CommandTx,
  ticket: LockedTicket,
  receiver: Receiver,
  transfer: TransferRequest,
): Promise<{ ticket: LockedTicket; handover: Handover }> {
  const event = {
    type: 'REQUEST',
    requesterIsOwner: transfer.isOwner,
    requesterIsLeader: transfer.isLeader,
    ownerId: ticket.processor_id ?? '',
    targetId: receiver.userId,
    targetHasRole: receiver.serves,
    targetOpenClaims: receiver.openTickets,
    targetCapacity: receiver.capacity,
    hasPending: ticket.handover_state === 'pending',
    reason: transfer.reason,
  } as const
  if (!handoverLifecycle.can('new', event)) throw wrongState(ticket, 'TRANSFER')
  const toName = transfer.toUserId === null ? null : receiver.userName
  const handover = await insertHandover(tx, ticket, {
    ...transfer,
    toName,
    hours: intParameter('ticket.handoverHours'),
  })
  const moved = await moveTicket(tx, ticket, {
    set: [sql`handover_state = 'pending'`],
    step: {
      kind: 'handoverAsked',
      content: toName ?? handover.to_department_name,
      remark: transfer.reason,
      internal: true,
    },
  })
  emitHandover(tx, handover, { state: 'pending', cause: null }, moved)
  emitState(tx, moved)
  logTicket(tx, 'transfer', moved, {
    handoverId: handover.id,
    toUserId: transfer.toUserId,
    toDepartment: transfer.toDepartment,
  })
  // a leader's hand-over is approved in the same transaction, so the receiver is notified of the
  // approval only
  if (!transfer.isLeader)
    for (const userId of transfer.toUserId === null ? handover.members : [transfer.toUserId])
      notifyAboutTicket(tx, userId, 'handover', 'handoverAsked', moved.row)
  return { ticket: afterMove(moved), handover }
}
