/** APPROVE, REJECT, CANCEL: the receiver, somebody of the department asked, or a leader decides; the requester withdraws. */
import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { BulkResult } from '#shared/kernel/page.ts'
import {
  FORBIDDEN,
  INVALID_FIELDS,
  NOT_FOUND,
  OWN_REQUEST,
  Problem,
  type ProblemKind,
} from '#shared/kernel/problem.ts'
import {
  HANDOVER_CAUSES,
  handoverLifecycle,
  type HandoverState,
} from '#shared/review/handover-lifecycle.ts'
import { mayTicket, type TicketQueue } from '#shared/tickets/ticket-sets.ts'
import type { decideTransfers as decideCall } from '#shared/tickets/tickets-api.ts'
import { HANDOVER_STATE } from '#shared/tickets/tickets-problems.ts'
import type { JobType } from '#gateway/manage/jobs/job-type.ts'
import { type StaffActor, staff } from '#gateway/manage/kernel/actor.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { ticketsInScope } from '#gateway/manage/kernel/scope.ts'
import { receiverIn, receiverOf, takeSeat } from '../desk/capacity.ts'
import { bulkLimits, failedAs, runEach } from '../desk/each-ticket.ts'
import { logTicket, notifyOf, tellState } from '../ticket-events.ts'
import { lockAnyTicket, type LockedTicket, moveTicket } from '../ticket-store.ts'
import { approve } from './approve-handover.ts'
import { endHandover, type Handover, lockHandover, tellHandover } from './handover-store.ts'

type Result = InputOf<typeof decideCall>['result']

interface Asked {
  id: string
  queue: TicketQueue
  from_user_id: string
  to_user_id: string | null
  to_department: string | null
  requested_by: string
  in_scope: boolean
}

/** @throws Problem G-SEL, G-MAX, G422 (a rejection without reason); G404, G403, G-SELF, F-HANDST, F-STATE, F-DUTY, F-MAX, F-ABOUT, F-NOBODY stand in `failed` per row */
export async function decideTransfers(
  cx: Cx,
  { handoverIds, result, reason }: InputOf<typeof decideCall>,
): Promise<BulkResult> {
  if (result === 'rejected' && reason === undefined)
    throw new Problem(INVALID_FIELDS, {}, { fields: { reason: 'required' } })
  const { syncMax } = await bulkLimits(cx, handoverIds)
  const actor = staff(cx.actor)
  const { rows } = await sql<Asked>`
    select h.id, t.queue, h.from_user_id, h.to_user_id, h.to_department, h.requested_by, ${ticketsInScope(actor)} as in_scope
    from feedback_handover h join feedback t on t.id = h.feedback_id where h.id = any(${[...handoverIds]}::text[])`.execute(
    cx.db,
  )
  const asked = new Map(rows.map((row) => [row.id, row]))
  const refusals = new Map(handoverIds.map((id) => [id, refusalOf(actor, asked.get(id), result)]))
  const refused = handoverIds.flatMap((id) => {
    const problem = refusals.get(id)
    return problem ? [failedAs(id, problem)] : []
  })
  return runEach(
    cx,
    handoverIds.filter((id) => !refusals.get(id)),
    refused,
    {
      syncMax,
      type: decideTransferJob,
      params: { result, reason: reason ?? null, departmentId: actor.rights.departmentId },
    },
  )
}

/** G404 for a stranger, G-SELF for the requester who would decide, G403 for one concerned who has no say; null = he may. */
function refusalOf(
  { userId, rights }: StaffActor,
  asked: Asked | undefined,
  result: Result,
): ProblemKind | null {
  if (!asked) return NOT_FOUND
  const isLeader = asked.in_scope && mayTicket(rights.permissions, asked.queue, 'decide')
  const isReceiver =
    asked.to_user_id === userId ||
    (asked.to_department !== null &&
      asked.to_department === rights.departmentId &&
      mayTicket(rights.permissions, asked.queue, 'reply'))
  if (
    !asked.in_scope &&
    !isReceiver &&
    asked.from_user_id !== userId &&
    asked.requested_by !== userId
  )
    return NOT_FOUND
  if (result === 'cancelled') return asked.requested_by === userId ? null : FORBIDDEN
  if (asked.requested_by === userId) return OWN_REQUEST
  return isLeader || isReceiver ? null : FORBIDDEN
}

export const decideTransferJob: JobType = {
  type: 'ticket.transferDecide',
  async row(cx, handoverId, params) {
    const { result, reason, departmentId } = params as {
      result: Result
      reason: string | null
      departmentId: string | null
    }
    const { rows } = await sql<{
      feedback_id: string
      to_user_id: string | null
    }>`select h.feedback_id, h.to_user_id from feedback_handover h where h.id = ${handoverId}`.execute(
      cx.db,
    )
    const asked = rows[0]
    if (!asked) throw new Problem(NOT_FOUND)
    // first the receiver's seat, then the rows: the order of every command that gives work to a person
    if (result === 'approved') await takeSeat(cx, asked.to_user_id ?? cx.actor.userId ?? '')
    const ticket = await lockAnyTicket(cx, sql<boolean>`t.id = ${asked.feedback_id}`)
    const handover = await lockHandover(cx, sql<boolean>`h.id = ${handoverId}`)
    if (!ticket || !handover) throw new Problem(NOT_FOUND)
    if (handover.state !== 'pending') throw new Problem(HANDOVER_STATE, { state: handover.state })
    if (result !== 'approved') return refuse(cx, ticket, handover, { result, reason })
    await approve(cx, ticket, handover, await receiver(cx, ticket, handover, departmentId))
  },
}

/** Who is asked takes it; of a department who says so, or, when a leader approves, who has the fewest. */
function receiver(cx: Cx, ticket: LockedTicket, handover: Handover, departmentId: string | null) {
  if (handover.to_user_id !== null) return receiverOf(cx, handover.to_user_id, ticket.queue)
  const department = handover.to_department as string
  const { userId } = cx.actor
  return userId !== null && departmentId === department && userId !== ticket.processor_id
    ? receiverOf(cx, userId, ticket.queue)
    : receiverIn(cx, department, ticket)
}

/** Rejected or withdrawn: the processor stays. */
async function refuse(
  cx: Cx,
  ticket: LockedTicket,
  handover: Handover,
  { result, reason }: { result: Result; reason: string | null },
): Promise<void> {
  const isCancelled = result === 'cancelled'
  // a stored hand-over never goes back to `new`
  const state = handoverLifecycle.next(
    handover.state,
    isCancelled ? { type: 'CANCEL', isRequester: true } : { type: 'REJECT', reason: reason ?? '' },
  ) as HandoverState
  const cause = isCancelled ? HANDOVER_CAUSES.CANCEL : HANDOVER_CAUSES.REJECT
  const ended = await endHandover(cx, handover, state, { cause, reason })
  const moved = await moveTicket(cx, ticket, {
    set: [ended],
    step: {
      kind: isCancelled ? 'handoverCancelled' : 'handoverRejected',
      content: reason,
      internal: true,
    },
  })
  tellHandover(cx, handover, { state, cause }, moved)
  tellState(cx, moved)
  logTicket(cx, 'transferDecide', moved, { handoverId: handover.id, result, cause })
  if (!isCancelled) notifyOf(cx, handover.requested_by, 'handover', 'handoverRejected', moved.row)
  else
    for (const userId of handover.to_user_id === null ? handover.members : [handover.to_user_id])
      notifyOf(cx, userId, 'handover', 'handoverCancelled', moved.row)
}
