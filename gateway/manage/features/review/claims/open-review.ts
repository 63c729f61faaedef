import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { openReview as openCall } from '#shared/review/review-api.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { logReview, emitMoved } from '../review-events.ts'
import { nextState } from '../review-refusals.ts'
import type { ReviewRow } from '../review-row.ts'
import { CLAIMS, lockReview, moveReview, requireHolder, requireVersion } from '../review-store.ts'

/**
 * OPEN: the holder starts working; both clocks restart, the token stays.
 * @throws Problem G404, V-LEASE, G409, V-STATE
 */
export async function openReview(
  tx: CommandTx,
  { reviewId, version, token }: InputOf<typeof openCall>,
): Promise<ReviewRow> {
  const review = await lockReview(tx, reviewId)
  const holder = await requireHolder(tx, review, token)
  await requireVersion(tx, review, version)
  const to = await nextState(tx.db, review, { type: 'OPEN', ...holder })
  const row = await moveReview(tx, review, {
    event: 'OPEN',
    to,
    set: [CLAIMS.newLease, sql`opened_at = clock_timestamp()`],
  })
  emitMoved(tx, review.state, row)
  logReview(tx, 'open', review, row)
  return row
}
