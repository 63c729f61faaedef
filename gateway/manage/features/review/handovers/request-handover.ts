import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { BulkResult } from '#shared/kernel/page.ts'
import { Problem } from '#shared/kernel/problem.ts'
import { handoverLifecycle, type HandoverState } from '#shared/handovers/handover-lifecycle.ts'
import type { requestHandover as requestCall } from '#shared/review/review-handover-api.ts'
import { NOT_ON_DUTY, TOO_MANY_CLAIMS } from '#shared/review/review-problems.ts'
import { inBulk } from '#gateway/manage/jobs/in-bulk.ts'
import type { JobType } from '#gateway/manage/jobs/job-type.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { intParameter } from '#gateway/manage/kernel/parameters.ts'
import { type Target, targetOf } from '../claims/capacity.ts'
import { logReview, MENU, notifyAboutReview } from '../review-events.ts'
import { claimLost, wrongState } from '../review-refusals.ts'
import { changeReview, lockReview, writableOf } from '../review-store.ts'
import { type Handover, emitHandover } from './handover-store.ts'

/**
 * REQUEST: asks a colleague to take over claims; the lease continues meanwhile.
 * @throws Problem G-SEL, G-MAX, G404 (unknown account), V-DUTY, V-MAX; per row in `failed`: G404,
 * V-LEASE, V-STATE (already pending, or to the holder)
 */
export async function requestHandover(
  tx: CommandTx,
  { reviewIds, toUserId, reason }: InputOf<typeof requestCall>,
): Promise<BulkResult> {
  const target = await targetOf(tx, toUserId)
  if (!target.isReviewer || !target.onDuty)
    throw new Problem(NOT_ON_DUTY, { userName: target.userName })
  if (target.openClaims >= target.capacity)
    throw new Problem(TOO_MANY_CLAIMS, { n: target.capacity })
  const isLeader = staff(tx.actor).rights.permissions.has('review_list:approve')
  return inBulk(tx, reviewIds, {
    type: requestHandoverJob,
    menu: MENU,
    params: { toUserId, reason, isLeader },
    known: writableOf(tx.actor, reviewIds),
  })
}

/** The receiver is checked for each row: they may be full or off duty by now. */
export const requestHandoverJob: JobType = {
  type: 'review.handover',
  row: async (tx, reviewId, { toUserId, reason, isLeader }) =>
    requestOne(
      tx,
      reviewId,
      await targetOf(tx, String(toUserId)),
      String(reason),
      isLeader === true,
    ),
}

async function requestOne(
  tx: CommandTx,
  reviewId: string,
  target: Target,
  reason: string,
  isLeader: boolean,
): Promise<void> {
  const { userId } = tx.actor
  const review = await lockReview(tx, reviewId)
  const isOwner = review.is_held && review.reviewer_id === userId
  const isClaimed = review.state === 'toAudit' || review.state === 'underReview'
  if (review.lease_over || (!isOwner && !isLeader)) throw await claimLost(tx.db, review)
  const request = {
    type: 'REQUEST',
    requesterIsOwner: isOwner,
    requesterIsLeader: isLeader,
    ownerId: review.reviewer_id ?? '',
    targetId: target.userId,
    targetHasRole: target.isReviewer,
    targetOpenClaims: target.openClaims,
    targetCapacity: target.capacity,
    hasPending: review.handover_state === 'pending',
    reason,
  } as const
  if (!isClaimed || !handoverLifecycle.can('new', request))
    throw await wrongState(tx.db, review, 'REQUEST')
  // a request always results in a stored state
  const to = handoverLifecycle.next('new', request) as HandoverState
  const { rows } = await sql<Handover>`
    insert into review_handover (review_id, from_user_id, from_name, to_user_id, to_name, requested_by,
      state, reason, item_token, expires_at)
    values (${review.id}, ${review.reviewer_id}, ${review.reviewer_name}, ${target.userId},
      ${target.userName}, ${userId}, ${to}, ${reason}, ${review.token},
      clock_timestamp() + make_interval(mins => ${intParameter('review.handoverMinutes')}))
    returning id, review_id, from_user_id, to_user_id, to_name, requested_by, state, item_token,
      false as is_over`.execute(tx.db)
  const handover = rows[0] as Handover
  const row = await changeReview(tx, review, {
    event: 'HANDOVER_REQUEST',
    set: [sql`handover_state = ${to}`],
    note: `${target.userName}: ${reason}`,
  })
  emitHandover(tx, handover, to, null, row.version)
  logReview(tx, 'handover', review, row, {
    handoverId: handover.id,
    toUserId: target.userId,
    reason,
  })
  notifyAboutReview(tx, target.userId, 'handover', 'handoverAsked', row)
}
