/**
 * APPROVE, REJECT, CANCEL: the receiver or a leader decides, the requester withdraws. An approval
 * moves ownership in the same transaction.
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
} from '#shared/kernel/problem.ts'
import {
  HANDOVER_CAUSES,
  handoverLifecycle,
  type HandoverState,
} from '#shared/handovers/handover-lifecycle.ts'
import type { decideHandover as decideCall } from '#shared/review/review-handover-api.ts'
import { NOT_ON_DUTY, TOO_MANY_CLAIMS } from '#shared/review/review-problems.ts'
import { inBulk } from '#gateway/manage/jobs/in-bulk.ts'
import type { JobType } from '#gateway/manage/jobs/job-type.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { targetOf } from '../claims/capacity.ts'
import { logReview, MENU, notifyAboutReview, emitClaimed, emitMoved } from '../review-events.ts'
import { nextState, wrongState } from '../review-refusals.ts'
import {
  changeReview,
  CLAIMS,
  type LockedReview,
  lockReviews,
  moveReview,
} from '../review-store.ts'
import { endHandover, type Handover, lockHandover } from './handover-store.ts'

type Decision = Omit<InputOf<typeof decideCall>, 'handoverIds'>

/**
 * @throws Problem G-SEL, G-MAX, G-FIELD (a rejection without reason); per row in `failed`: G404, G403,
 * G-SELF, V-STATE, V-DUTY, V-MAX
 */
export async function decideHandover(
  tx: CommandTx,
  { handoverIds, ...decision }: InputOf<typeof decideCall>,
): Promise<BulkResult> {
  if (decision.result === 'rejected' && !decision.reason)
    throw new Problem(INVALID_FIELDS, {}, { fields: { reason: 'required' } })
  const { userId, rights } = staff(tx.actor)
  const isLeader = rights.permissions.has('review_list:approve')
  const known = sql`
    select h.id from review_handover h where h.id = any(${handoverIds}::text[])
      and (${isLeader} or ${userId} in (h.to_user_id, h.from_user_id, h.requested_by))`
  return inBulk(tx, handoverIds, {
    type: decideHandoverJob,
    menu: MENU,
    params: { ...decision, isLeader },
    known,
  })
}

export const decideHandoverJob: JobType = {
  type: 'review.handoverDecide',
  row: (tx, handoverId, { result, reason, isLeader }) =>
    decideOne(
      tx,
      handoverId,
      {
        result: result as Decision['result'],
        ...(reason === undefined ? {} : { reason: String(reason) }),
      },
      isLeader === true,
    ),
}

async function decideOne(
  tx: CommandTx,
  handoverId: string,
  decision: Decision,
  isLeader: boolean,
): Promise<void> {
  const { rows } = await sql<HandoverRequest>`
      select h.review_id, h.to_user_id, h.requested_by from review_handover h where h.id = ${handoverId}`.execute(
    tx.db,
  )
  const request = rows[0]
  if (!request) throw new Problem(NOT_FOUND)
  refuseOthers(tx, request, decision.result, isLeader)
  // locks the receiver's capacity first, then the rows, like every command that assigns work
  const target = decision.result === 'approved' ? await targetOf(tx, request.to_user_id) : null
  // participants may see the review, whatever its state is now
  const [review] = await lockReviews(tx, sql<boolean>`r.id = ${request.review_id}`)
  const handover = await lockHandover(tx, sql<boolean>`h.id = ${handoverId}`)
  if (!review || !handover) throw new Problem(NOT_FOUND)
  if (handover.state !== 'pending') throw await wrongState(tx.db, review, decision.result)
  if (target === null) return refuse(tx, review, handover, decision)
  if (!target.onDuty) throw new Problem(NOT_ON_DUTY, { userName: target.userName })
  if (target.openClaims >= target.capacity)
    throw new Problem(TOO_MANY_CLAIMS, { n: target.capacity })
  await approve(tx, review, handover)
}

interface HandoverRequest {
  review_id: string
  to_user_id: string
  requested_by: string
}

/** @throws Problem G403 for a participant who may not decide, G-SELF for the requester */
function refuseOthers(
  { actor: { userId } }: CommandTx,
  request: HandoverRequest,
  result: Decision['result'],
  isLeader: boolean,
): void {
  const isRequester = request.requested_by === userId
  if (isRequester && result !== 'cancelled') throw new Problem(OWN_REQUEST)
  if (result === 'cancelled' ? !isRequester : request.to_user_id !== userId && !isLeader)
    throw new Problem(FORBIDDEN)
}

async function approve(tx: CommandTx, review: LockedReview, handover: Handover): Promise<void> {
  // the token is unchanged since the request: nobody else held the item meanwhile, though the
  // holder may have worked on it
  const versionCurrent = review.is_held && review.token === handover.item_token
  const event = { type: 'APPROVE', targetOnDuty: true, versionCurrent } as const
  if (!handoverLifecycle.can(handover.state, event))
    throw await wrongState(tx.db, review, 'APPROVE')
  const to = await nextState(tx.db, review, { type: 'HANDOVER_APPROVED' })
  const state = await endHandover(
    tx,
    handover,
    handoverLifecycle.next(handover.state, event) as HandoverState,
    { cause: null, reason: null, version: review.version + 1 },
  )
  const row = await moveReview(tx, review, {
    event: 'HANDOVER_APPROVED',
    to,
    set: [CLAIMS.newHolder({ userId: handover.to_user_id, userName: handover.to_name }), state],
    note: handover.to_name,
  })
  emitClaimed(tx, row)
  emitMoved(tx, review.state, row)
  logReview(tx, 'handoverDecide', review, row, { handoverId: handover.id, result: 'approved' })
  notifyAboutReview(tx, handover.requested_by, 'handover', 'handoverApproved', row)
  notifyAboutReview(
    tx,
    handover.from_user_id === handover.requested_by ? null : handover.from_user_id,
    'taken',
    'taken',
    row,
  )
  notifyAboutReview(tx, handover.to_user_id, 'assigned', 'assigned', row)
}

/** Rejected or withdrawn: the holder stays. */
async function refuse(
  tx: CommandTx,
  review: LockedReview,
  handover: Handover,
  { result, reason }: Decision,
): Promise<void> {
  const isCancelled = result === 'cancelled'
  const to = handoverLifecycle.next(
    handover.state,
    isCancelled ? { type: 'CANCEL', isRequester: true } : { type: 'REJECT', reason: reason ?? '' },
  ) as HandoverState
  const cause = isCancelled ? HANDOVER_CAUSES.CANCEL : HANDOVER_CAUSES.REJECT
  const state = await endHandover(tx, handover, to, {
    cause,
    reason: reason ?? null,
    version: review.version + 1,
  })
  const row = await changeReview(tx, review, {
    event: isCancelled ? 'HANDOVER_CANCELLED' : 'HANDOVER_REJECTED',
    set: [state],
    note: reason ?? null,
  })
  logReview(tx, 'handoverDecide', review, row, { handoverId: handover.id, result, cause })
  if (isCancelled) notifyAboutReview(tx, handover.to_user_id, 'handover', 'handoverCancelled', row)
  else notifyAboutReview(tx, handover.requested_by, 'handover', 'handoverRejected', row)
}
