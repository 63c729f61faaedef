import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { askCustomer as askCall } from '#shared/review/review-api.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { intParameter } from '#gateway/manage/kernel/parameters.ts'
import { closePendingHandover } from '../handovers/handover-store.ts'
import { logReview, emitMoved, emitReleased } from '../review-events.ts'
import { nextState } from '../review-refusals.ts'
import type { ReviewRow } from '../review-row.ts'
import { CLAIMS, lockReview, moveReview, requireHolder, requireVersion } from '../review-store.ts'

/**
 * REQUEST_DATA: the claim ends; the reviewer stays recorded, so that the data returns to them.
 * @throws Problem G404, V-LEASE, G409, V-STATE
 */
export async function askCustomer(
  tx: CommandTx,
  { reviewId, version, token, items, message }: InputOf<typeof askCall>,
): Promise<ReviewRow> {
  const review = await lockReview(tx, reviewId)
  const holder = await requireHolder(tx, review, token)
  await requireVersion(tx, review, version)
  const to = await nextState(tx.db, review, { type: 'REQUEST_DATA', ...holder, items })
  const set = [
    sql`
      data_items = ${items}, data_message = ${message},
        data_until = clock_timestamp() + make_interval(hours => ${intParameter('review.dataHours')}),
        token = r.token + 1`,
    CLAIMS.noLease,
    ...(await closePendingHandover(tx, review)),
  ]
  const row = await moveReview(tx, review, {
    event: 'REQUEST_DATA',
    to,
    set,
    note: items.join(', '),
  })
  // the state change with its reviewer first, then the end of the claim
  emitMoved(tx, review.state, row)
  emitReleased(tx, review, row, 'dataRequested')
  logReview(tx, 'askCustomer', review, row, { items })
  return row
}
