import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { openReview as openCall } from '#shared/review/review-api.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { logReview, tellMoved } from '../review-events.ts'
import { nextState } from '../review-refusals.ts'
import type { ReviewRow } from '../review-row.ts'
import {
  lockReview,
  moveReview,
  NEW_LEASE,
  requireHolder,
  requireVersion,
} from '../review-store.ts'

/** OPEN: the holder begins; both clocks start anew, the token stays. @throws Problem G404, V-LEASE, G409, V-STATE */
export async function openReview(
  cx: Cx,
  { reviewId, version, token }: InputOf<typeof openCall>,
): Promise<ReviewRow> {
  const review = await lockReview(cx, reviewId)
  const holder = await requireHolder(cx, review, token)
  await requireVersion(cx, review, version)
  const to = await nextState(cx.db, review, { type: 'OPEN', ...holder })
  const row = await moveReview(cx, review, {
    event: 'OPEN',
    to,
    set: [NEW_LEASE, sql`opened_at = clock_timestamp()`],
  })
  tellMoved(cx, review.state, row)
  logReview(cx, 'open', review, row)
  return row
}
