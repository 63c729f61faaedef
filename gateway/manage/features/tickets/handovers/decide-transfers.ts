/**
 * APPROVE, REJECT, CANCEL: the receiver, a person of the receiving department or a leader decides;
 * the requester can cancel.
 */
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
} from '#shared/handovers/handover-lifecycle.ts'
import { mayTicket, type TicketQueue } from '#shared/tickets/ticket-sets.ts'
import type { decideTransfers as decideCall } from '#shared/tickets/tickets-api.ts'
import { HANDOVER_STATE } from '#shared/tickets/tickets-problems.ts'
import { lockCapacity } from '#gateway/manage/kernel/claims/claim-table.ts'
import type { JobType } from '#gateway/manage/jobs/job-type.ts'
import { type StaffActor, staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { ticketsInScope } from '../ticket-scope.ts'
import { receiverIn, receiverOf } from '../desk/capacity.ts'
import { bulkLimits, failedAs, runEach } from '../desk/each-ticket.ts'
import { logTicket, notifyAboutTicket, emitState } from '../ticket-events.ts'
import { CLAIMS, lockAnyTicket, type LockedTicket, moveTicket } from '../ticket-store.ts'
import { approve } from './approve-handover.ts'
import { endHandover, type Handover, lockHandover, emitHandover } from './handover-store.ts'

type Result = InputOf<typeof decideCall>['result']

interface TransferRequest {
  id: string
  queue: TicketQueue
  from_user_id: string
  to_user_id: string | null
  to_department: string | null
  requested_by: string
  in_scope: boolean
}

/**
 * @throws Problem G-SEL, G-MAX, G-FIELD for a rejection without reason; G404, G403, G-SELF, F-HANDST,
 * F-STATE, F-DUTY, F-MAX, F-ABOUT, F-NOBODY are returned per row in `failed`
 */
export async function decideTransfers(
  tx: CommandTx,
  { handoverIds, result, reason }: InputOf<typeof decideCall>,
): Promise<BulkResult> {
  if (result === 'rejected' && reason === undefined)
    throw new Problem(INVALID_FIELDS, {}, { fields: { reason: 'required' } })
  const { syncMax } = await bulkLimits(tx, handoverIds)
  const actor = staff(tx.actor)
  const { rows } = await sql<TransferRequest>`
    select h.id, t.queue, h.from_user_id, h.to_user_id, h.to_department, h.requested_by,
      ${ticketsInScope(actor)} as in_scope
    from feedback_handover h join feedback t on t.id = h.feedback_id
      where h.id = any(${[...handoverIds]}::text[])`.execute(tx.db)
  const requests = new Map(rows.map((row) => [row.id, row]))
  const refusals = new Map(
    handoverIds.map((id) => [id, refusalOf(actor, requests.get(id), result)]),
  )
  const refused = handoverIds.flatMap((id) => {
    const problem = refusals.get(id)
    return problem ? [failedAs(id, problem)] : []
  })
  return runEach(
    tx,
    handoverIds.filter((id) => !refusals.get(id)),
    refused,
    {
      syncMax,
      type: decideTransferJob,
      params: { result, reason: reason ?? null, departmentId: actor.rights.departmentId },
    },
  )
}

/**
 * Null when the caller may decide; else G404 for an outsider, G-SELF for the requester, G403 for a
 * participant who may not decide.
 */
function refusalOf(
  { userId, rights }: StaffActor,
  request: TransferRequest | undefined,
  result: Result,
): ProblemKind | null {
  if (!request) return NOT_FOUND
  const isLeader = request.in_scope && mayTicket(rights.permissions, request.queue, 'decide')
  const isReceiver =
    request.to_user_id === userId ||
    (request.to_department !== null &&
      request.to_department === rights.departmentId &&
      mayTicket(rights.permissions, request.queue, 'reply'))
  if (
    !request.in_scope &&
    !isReceiver &&
    request.from_user_id !== userId &&
    request.requested_by !== userId
  )
    return NOT_FOUND
  if (result === 'cancelled') return request.requested_by === userId ? null : FORBIDDEN
  if (request.requested_by === userId) return OWN_REQUEST
  return isLeader || isReceiver ? null : FORBIDDEN
}

export const decideTransferJob: JobType = {
  type: 'ticket.transferDecide',
  async row(tx, handoverId, params) {
    const { result, reason, departmentId } = params as {
      result: Result
      reason: string | null
      departmentId: string | null
    }
    const { rows } = await sql<{
      feedback_id: string
      to_user_id: string | null
    }>`select h.feedback_id, h.to_user_id from feedback_handover h where h.id = ${handoverId}`.execute(
      tx.db,
    )
    const request = rows[0]
    if (!request) throw new Problem(NOT_FOUND)
    // the receiver's capacity lock comes before the row locks, in every command that assigns work
    if (result === 'approved')
      await lockCapacity(tx, CLAIMS.table, request.to_user_id ?? tx.actor.userId ?? '')
    const ticket = await lockAnyTicket(tx, sql<boolean>`t.id = ${request.feedback_id}`)
    const handover = await lockHandover(tx, sql<boolean>`h.id = ${handoverId}`)
    if (!ticket || !handover) throw new Problem(NOT_FOUND)
    if (handover.state !== 'pending') throw new Problem(HANDOVER_STATE, { state: handover.state })
    if (result !== 'approved') return refuse(tx, ticket, handover, { result, reason })
    await approve(tx, ticket, handover, await receiver(tx, ticket, handover, departmentId))
  },
}

/**
 * The person asked gets the ticket. Offered to a department, it goes to the person who accepts, or
 * to the one with the fewest tickets when a leader approves.
 */
function receiver(
  tx: CommandTx,
  ticket: LockedTicket,
  handover: Handover,
  departmentId: string | null,
) {
  if (handover.to_user_id !== null) return receiverOf(tx, handover.to_user_id, ticket.queue)
  const department = handover.to_department as string
  const { userId } = tx.actor
  return userId !== null && departmentId === department && userId !== ticket.processor_id
    ? receiverOf(tx, userId, ticket.queue)
    : receiverIn(tx, department, ticket)
}

/** Rejected or cancelled: the processor stays. */
async function refuse(
  tx: CommandTx,
  ticket: LockedTicket,
  handover: Handover,
  { result, reason }: { result: Result; reason: string | null },
): Promise<void> {
  const isCancelled = result === 'cancelled'
  // a stored hand-over never returns to `new`
  const state = handoverLifecycle.next(
    handover.state,
    isCancelled ? { type: 'CANCEL', isRequester: true } : { type: 'REJECT', reason: reason ?? '' },
  ) as HandoverState
  const cause = isCancelled ? HANDOVER_CAUSES.CANCEL : HANDOVER_CAUSES.REJECT
  const ended = await endHandover(tx, handover, state, { cause, reason })
  const moved = await moveTicket(tx, ticket, {
    set: [ended],
    step: {
      kind: isCancelled ? 'handoverCancelled' : 'handoverRejected',
      content: reason,
      internal: true,
    },
  })
  emitHandover(tx, handover, { state, cause }, moved)
  emitState(tx, moved)
  logTicket(tx, 'transferDecide', moved, { handoverId: handover.id, result, cause })
  if (!isCancelled)
    notifyAboutTicket(tx, handover.requested_by, 'handover', 'handoverRejected', moved.row)
  else
    for (const userId of handover.to_user_id === null ? handover.members : [handover.to_user_id])
      notifyAboutTicket(tx, userId, 'handover', 'handoverCancelled', moved.row)
}
