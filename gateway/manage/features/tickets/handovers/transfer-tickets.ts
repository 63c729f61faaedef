/** REQUEST: a processor, or a leader for him, offers tickets to a colleague or a department. By a leader it is approved at once (api.md 7). */
import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { BulkResult } from '#shared/kernel/page.ts'
import { INVALID_FIELDS, NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { handoverLifecycle } from '#shared/review/handover-lifecycle.ts'
import type { transferTickets as transferCall } from '#shared/tickets/tickets-api.ts'
import { HANDOVER_PENDING } from '#shared/tickets/tickets-problems.ts'
import type { JobType } from '#gateway/manage/jobs/job-type.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { intParameter } from '#gateway/manage/kernel/parameters.ts'
import {
  reachable,
  type Receiver,
  receiverIn,
  receiverOf,
  requireRoom,
  takeSeat,
} from '../desk/capacity.ts'
import { eachTicket, queuesWith } from '../desk/each-ticket.ts'
import { logTicket, notifyOf, tellState } from '../ticket-events.ts'
import { notYours, wrongState } from '../ticket-refusals.ts'
import { afterMove, lockTicket, type LockedTicket, moveTicket } from '../ticket-store.ts'
import { approve } from './approve-handover.ts'
import { type Handover, insertHandover, tellHandover } from './handover-store.ts'

/**
 * @throws Problem G-SEL, G-MAX, G422 unless there is either a person or a department, G404 for one the caller may not give to;
 * F-STATE, F-OWN, F-HAND, F-ABOUT, F-DUTY, F-MAX, F-NOBODY stand in `failed` per row
 */
export async function transferTickets(
  cx: Cx,
  { feedbackIds, toUserId, toDepartment, reason }: InputOf<typeof transferCall>,
): Promise<BulkResult> {
  if ((toUserId === undefined) === (toDepartment === undefined))
    throw new Problem(INVALID_FIELDS, {}, { fields: { toUserId: 'required' } })
  const actor = staff(cx.actor)
  // first the receiver's seat, then the rows: the order of every command that gives work to a person
  if (toUserId !== undefined) await takeSeat(cx, toUserId)
  const { rows } =
    toUserId === undefined
      ? await sql`select from department d where d.id = ${toDepartment} and (${actor.rights.scope === 'all'} or d.agency_id = ${actor.rights.agencyId})`.execute(
          cx.db,
        )
      : await sql`select from sys_user u join sys_role g on g.id = u.role_id where u.id = ${toUserId} and ${reachable(actor)}`.execute(
          cx.db,
        )
  if (rows.length === 0) throw new Problem(NOT_FOUND)
  return eachTicket(cx, feedbackIds, 'transfer', transferJob, {
    toUserId: toUserId ?? null,
    toDepartment: toDepartment ?? null,
    reason,
    leads: queuesWith(cx, 'decide'),
  })
}

export const transferJob: JobType = {
  type: 'ticket.transfer',
  async row(cx, feedbackId, params) {
    const to = params as {
      toUserId: string | null
      toDepartment: string | null
      reason: string
      leads: string[]
    }
    if (to.toUserId !== null) await takeSeat(cx, to.toUserId)
    const ticket = await lockTicket(cx, feedbackId)
    const isLeader = to.leads.includes(ticket.queue)
    if (ticket.progress !== 'followingUp') throw wrongState(ticket, 'TRANSFER')
    const isOwner = ticket.processor_id === cx.actor.userId && !ticket.lease_over
    if (ticket.lease_over || (!isOwner && !isLeader)) throw notYours(ticket)
    if (ticket.handover_state === 'pending') throw new Problem(HANDOVER_PENDING)
    const receiver =
      to.toUserId === null
        ? await receiverIn(cx, String(to.toDepartment), ticket)
        : await receiverOf(cx, to.toUserId, ticket.queue)
    requireRoom(receiver, ticket)
    const handover = await request(cx, ticket, receiver, { ...to, isOwner, isLeader })
    if (isLeader) await approve(cx, handover.ticket, handover.handover, receiver)
  },
}

interface Asked {
  toUserId: string | null
  toDepartment: string | null
  reason: string
  isOwner: boolean
  isLeader: boolean
}

/** @throws Problem F-STATE when the lifecycle refuses (to its own processor) */
async function request(
  cx: Cx,
  ticket: LockedTicket,
  receiver: Receiver,
  asked: Asked,
): Promise<{ ticket: LockedTicket; handover: Handover }> {
  const event = {
    type: 'REQUEST',
    requesterIsOwner: asked.isOwner,
    requesterIsLeader: asked.isLeader,
    ownerId: ticket.processor_id ?? '',
    targetId: receiver.userId,
    targetHasRole: receiver.serves,
    targetOpenClaims: receiver.openTickets,
    targetCapacity: receiver.capacity,
    hasPending: ticket.handover_state === 'pending',
    reason: asked.reason,
  } as const
  if (!handoverLifecycle.can('new', event)) throw wrongState(ticket, 'TRANSFER')
  const toName = asked.toUserId === null ? null : receiver.userName
  const handover = await insertHandover(cx, ticket, {
    ...asked,
    toName,
    hours: intParameter('ticket.handoverHours'),
  })
  const moved = await moveTicket(cx, ticket, {
    set: [sql`handover_state = 'pending'`],
    step: {
      kind: 'handoverAsked',
      content: toName ?? handover.to_department_name,
      remark: asked.reason,
      internal: true,
    },
  })
  tellHandover(cx, handover, { state: 'pending', cause: null }, moved)
  tellState(cx, moved)
  logTicket(cx, 'transfer', moved, {
    handoverId: handover.id,
    toUserId: asked.toUserId,
    toDepartment: asked.toDepartment,
  })
  // a leader's own hand-over is approved in the same breath: its receiver hears of that alone
  if (!asked.isLeader)
    for (const userId of asked.toUserId === null ? handover.members : [asked.toUserId])
      notifyOf(cx, userId, 'handover', 'handoverAsked', moved.row)
  return { ticket: afterMove(moved), handover }
}
