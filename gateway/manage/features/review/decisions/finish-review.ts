/**
 * Effects of a decision. A decided review waits in `audited` as long as the decision can be undone;
 * then one decided `failed` ends, and one decided `passed` has the post checks (job postCheck). Its
 * order moves in the same transaction.
 */
import { type RawBuilder, sql } from 'kysely'
import type { PostCheckFacts, ReviewEvent } from '#shared/review/review-lifecycle.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { grantCredit } from '#gateway/manage/features/customers/public.ts'
import { moveOrder } from '#gateway/manage/features/orders/public.ts'
import { emitMoved } from '../review-events.ts'
import { nextState } from '../review-refusals.ts'
import type { ReviewRow } from '../review-row.ts'
import { type LockedReview, moveReview } from '../review-store.ts'

const FINISHED = sql`finished_at = clock_timestamp()`

/** audited → passed, order 22 → 26; wakes the payout dispatcher. */
export async function passReview(
  tx: CommandTx,
  review: LockedReview,
  facts: PostCheckFacts,
): Promise<ReviewRow> {
  const to = await nextState(tx.db, review, { type: 'POST_CHECK_PASS', ...facts })
  const row = await moveReview(tx, review, { event: 'POST_CHECK_PASS', to, set: [FINISHED] })
  emitMoved(tx, review.state, row)
  await moveOrder(
    tx,
    review.order_id,
    { type: 'REVIEW_PASS', reviewState: row.state, tokenCurrent: true },
    { cause: 'review' },
  )
  await grantCredit(tx, review.order_id, {
    state: 'passed',
    limit: review.machine_report?.limit ?? null,
  })
  tx.afterCommit(() => tx.context.wakeSchedule('payoutDispatch'))
  return row
}

/** → failed, as the reviewer decided; the lifecycle accepts no rejection without a code. */
export function rejectReview(tx: CommandTx, review: LockedReview): Promise<ReviewRow> {
  return failReview(
    tx,
    review,
    { type: 'POST_CHECK_FAIL', decision: 'failed', tele: 'notRun', preTransaction: 'notRun' },
    review.reject_code ?? '',
  )
}

/**
 * → failed by `event`, order 22 → 27. `rejectCode` comes from the reviewer or from a post check.
 */
export async function failReview(
  tx: CommandTx,
  review: LockedReview,
  event: ReviewEvent,
  rejectCode: string,
  set: RawBuilder<unknown>[] = [],
): Promise<ReviewRow> {
  const to = await nextState(tx.db, review, event)
  const row = await moveReview(tx, review, {
    event: event.type,
    to,
    set: [FINISHED, ...set],
    note: rejectCode,
  })
  emitMoved(tx, review.state, row)
  await moveOrder(
    tx,
    review.order_id,
    { type: 'REVIEW_REJECT', reviewState: row.state, rejectCode },
    { cause: 'review', note: rejectCode },
  )
  await grantCredit(tx, review.order_id, { state: 'failed', limit: null })
  return row
}
