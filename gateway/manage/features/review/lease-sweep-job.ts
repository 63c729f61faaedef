/**
 * Every few seconds: warns holders before the lease ends, frees expired claims, ends old
 * hand-overs.
 */
import { sql } from 'kysely'
import {
  HANDOVER_CAUSES,
  handoverLifecycle,
  type HandoverState,
} from '#shared/handovers/handover-lifecycle.ts'
import { REVIEW_LEASE_EXPIRING } from '#shared/review/review-live.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import { sweepClaims } from '#gateway/manage/kernel/claims/sweep-claims.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { backToQueue } from './claims/end-claim.ts'
import { endHandover, lockHandover } from './handovers/handover-store.ts'
import { logReview, MENU, notifyAboutReview } from './review-events.ts'
import { changeReview, CLAIMS, lockIfFree, lockReviews } from './review-store.ts'

const NAME = 'leaseSweep'
const WORK = { name: NAME, menu: MENU }

export const leaseSweep: ScheduledClass = {
  name: NAME,
  cycle: 'every:5',
  run: (context) =>
    sweepClaims(context, CLAIMS, {
      work: WORK,
      warning: {
        type: REVIEW_LEASE_EXPIRING.type,
        subject: 'review',
        idField: 'reviewId',
        name: NAME,
      },
      freeOne,
      handovers: { table: 'review_handover', itemId: 'review_id', endOne },
    }),
}

async function freeOne(tx: CommandTx, id: string): Promise<boolean> {
  const review = await lockIfFree(tx, id, CLAIMS.isOver)
  if (!review) return false
  const row = await backToQueue(
    tx,
    review,
    { type: 'LEASE_EXPIRED', leaseOver: review.lease_over },
    'expired',
  )
  logReview(tx, NAME, review, row)
  return true
}

async function endOne(tx: CommandTx, handoverId: string, reviewId: string): Promise<boolean> {
  const [review] = await lockReviews(tx, sql<boolean>`r.id = ${reviewId}`)
  const handover = await lockHandover(
    tx,
    sql<boolean>`h.id = ${handoverId} and h.state = 'pending'`,
  )
  const event = { type: 'EXPIRE', deadlinePassed: handover?.is_over ?? false } as const
  if (!review || !handover || !handoverLifecycle.can(handover.state, event)) return false
  // a stored hand-over never returns to `new`
  const to = handoverLifecycle.next(handover.state, event) as HandoverState
  const state = await endHandover(tx, handover, to, {
    cause: HANDOVER_CAUSES.EXPIRE,
    reason: null,
    version: review.version + 1,
  })
  const row = await changeReview(tx, review, { event: 'HANDOVER_EXPIRED', set: [state] })
  logReview(tx, NAME, review, row, { handoverId })
  notifyAboutReview(tx, handover.requested_by, 'handover', 'handoverExpired', row)
  return true
}
