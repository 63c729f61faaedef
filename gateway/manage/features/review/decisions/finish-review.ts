/**
 * What follows a decision. A review decided `failed` ends at once; one decided `passed` waits in `audited` for the post checks
 * (class postCheck). Its order moves with it in the same transaction.
 */
import { type RawBuilder, sql } from 'kysely'
import type { PostCheckFacts, ReviewEvent } from '#shared/review/review-lifecycle.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { grantCredit } from '#gateway/manage/features/customers/public.ts'
import { moveOrder } from '#gateway/manage/features/orders/public.ts'
import { tellMoved } from '../review-events.ts'
import { nextState } from '../review-refusals.ts'
import type { ReviewRow } from '../review-row.ts'
import { type LockedReview, moveReview } from '../review-store.ts'

const FINISHED = sql`finished_at = clock_timestamp()`

/** audited → passed, order 22 → 26; the dispatcher of payouts is woken. */
export async function passReview(
  cx: Cx,
  review: LockedReview,
  facts: PostCheckFacts,
): Promise<ReviewRow> {
  const to = await nextState(cx.db, review, { type: 'POST_CHECK_PASS', ...facts })
  const row = await moveReview(cx, review, { event: 'POST_CHECK_PASS', to, set: [FINISHED] })
  tellMoved(cx, review.state, row)
  await moveOrder(
    cx,
    review.order_id,
    { type: 'REVIEW_PASS', reviewState: row.state, tokenCurrent: true },
    { cause: 'review' },
  )
  await grantCredit(cx, review.order_id, {
    state: 'passed',
    limit: review.machine_report?.limit ?? null,
  })
  cx.afterCommit(() => cx.house.wakeSchedule('payoutDispatch'))
  return row
}

/** → failed by `event`, order 22 → 27. `rejectCode` is a reviewer's reason or what a post check found. */
export async function failReview(
  cx: Cx,
  review: LockedReview,
  event: ReviewEvent,
  rejectCode: string,
  set: RawBuilder<unknown>[] = [],
): Promise<ReviewRow> {
  const to = await nextState(cx.db, review, event)
  const row = await moveReview(cx, review, {
    event: event.type,
    to,
    set: [FINISHED, ...set],
    note: rejectCode,
  })
  tellMoved(cx, review.state, row)
  await moveOrder(
    cx,
    review.order_id,
    { type: 'REVIEW_REJECT', reviewState: row.state, rejectCode },
    { cause: 'review', note: rejectCode },
  )
  await grantCredit(cx, review.order_id, { state: 'failed', limit: null })
  return row
}
