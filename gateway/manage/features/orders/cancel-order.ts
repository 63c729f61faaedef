/** CANCEL (domain.md 3): 10, 20, 22, 26 → 70, because the customer withdrew. */
import { sql } from 'kysely'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { moveOrder, type MovedOrder } from './move-order.ts'
import { isOrderInScope } from './order-detail-queries.ts'

/** What else ends with a cancelled order, in the same transaction. */
export type WhenCancelled = (cx: Cx, orderId: string) => Promise<void>

/** By a person, within his scope. @throws Problem G404, O-STATE, G409 */
export async function cancelOrder(
  cx: Cx,
  { orderId, version, reason }: { orderId: string; version: number; reason: string },
  whenCancelled: readonly WhenCancelled[],
): Promise<void> {
  if (!(await isOrderInScope(cx.db, staff(cx.actor), orderId))) throw new Problem(NOT_FOUND)
  await cancel(cx, orderId, { cause: 'cancel', reason, version }, whenCancelled)
}

/** By the customer himself, through his app. A repeated withdrawal finds the order cancelled and is refused. @throws Problem G404, O-STATE */
export function withdrawOrder(
  cx: Cx,
  { orderId, reason }: { orderId: string; reason: string },
  whenCancelled: readonly WhenCancelled[],
): Promise<MovedOrder> {
  return cancel(cx, orderId, { cause: 'customerWithdrew', reason }, whenCancelled)
}

async function cancel(
  cx: Cx,
  orderId: string,
  { cause, reason, version }: { cause: string; reason: string; version?: number },
  whenCancelled: readonly WhenCancelled[],
): Promise<MovedOrder> {
  // review before order, as the review's own commands lock them
  await sql`select r.id from review r where r.order_id = ${orderId} order by r.id for update`.execute(
    cx.db,
  )
  const moved = await moveOrder(
    cx,
    orderId,
    { type: 'CANCEL', withdrawn: true, offerExpired: false },
    { cause, note: reason, ...(version === undefined ? {} : { version }) },
  )
  for (const end of whenCancelled) await end(cx, orderId)
  cx.log({
    action: 'cancel',
    targetKind: 'order',
    targetId: orderId,
    before: { status: moved.from },
    after: { status: moved.to, reason },
  })
  return moved
}
