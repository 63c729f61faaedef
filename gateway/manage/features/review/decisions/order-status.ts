import { sql } from 'kysely'
import type { OrderStatus } from '#shared/orders/order-statuses.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'

/** The order's status; its row is locked, so it stays so until the commit. */
export async function orderStatusOf(cx: Cx, orderId: string): Promise<OrderStatus> {
  const { rows } = await sql<{
    status: OrderStatus
  }>`select o.status from loan_order o where o.id = ${orderId} for update`.execute(cx.db)
  const order = rows[0]
  // review.order_id is a foreign key
  if (!order) throw new Error(`order ${orderId} is missing`)
  return order.status
}
