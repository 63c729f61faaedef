import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { askCustomer as askCall } from '#shared/review/review-api.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { intParameter } from '#gateway/manage/kernel/parameters.ts'
import { closePendingHandover } from '../handovers/handover-store.ts'
import { logReview, tellMoved, tellReleased } from '../review-events.ts'
import { nextState } from '../review-refusals.ts'
import type { ReviewRow } from '../review-row.ts'
import { lockReview, moveReview, NO_LEASE, requireHolder, requireVersion } from '../review-store.ts'

/** REQUEST_DATA: the claim ends, the reviewer stays named so that the data comes back to him. @throws Problem G404, V-LEASE, G409, V-STATE */
export async function askCustomer(
  cx: Cx,
  { reviewId, version, token, items, message }: InputOf<typeof askCall>,
): Promise<ReviewRow> {
  const review = await lockReview(cx, reviewId)
  const holder = await requireHolder(cx, review, token)
  await requireVersion(cx, review, version)
  const to = await nextState(cx.db, review, { type: 'REQUEST_DATA', ...holder, items })
  const set = [
    sql`data_items = ${items}, data_message = ${message}, data_until = clock_timestamp() + make_interval(hours => ${intParameter('review.dataHours')}), token = r.token + 1`,
    NO_LEASE,
    ...(await closePendingHandover(cx, review)),
  ]
  const row = await moveReview(cx, review, {
    event: 'REQUEST_DATA',
    to,
    set,
    note: items.join(', '),
  })
  // first who stays its reviewer, then that his claim is over
  tellMoved(cx, review.state, row)
  tellReleased(cx, review, row, 'dataRequested')
  logReview(cx, 'askCustomer', review, row, { items })
  return row
}
