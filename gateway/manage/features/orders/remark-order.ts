import { sql } from 'kysely'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { ORDER_UPDATED } from '#shared/orders/orders-live.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { roomsOfOrder } from './move-order.ts'
import { isOrderInScope } from './order-detail-queries.ts'

/** Adds a note. The order's row and version stay: a note is no change that another action should trip over. @throws Problem G404 */
export async function remarkOrder(
  cx: Cx,
  { orderId, remark }: { orderId: string; remark: string },
): Promise<void> {
  const actor = staff(cx.actor)
  if (!(await isOrderInScope(cx.db, actor, orderId))) throw new Problem(NOT_FOUND)
  await sql`insert into order_remark (order_id, remark, by_user_id, by_name) values (${orderId}, ${remark}, ${actor.userId}, ${actor.userName})`.execute(
    cx.db,
  )
  cx.emit(ORDER_UPDATED, {
    subject: `order:${orderId}`,
    rooms: await roomsOfOrder(cx.db, orderId),
    data: { orderId, fields: ['remarks'] },
  })
  cx.log({ action: 'remark', targetKind: 'order', targetId: orderId })
}
