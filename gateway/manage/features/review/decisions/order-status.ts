import { sql } from 'kysely'
import type { OrderStatus } from '#shared/orders/order-statuses.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'

/** Locks the order and returns its status, which then stays until the commit. */
export async function orderStatusOf(tx: CommandTx, orderId: string): Promise<OrderStatus> {
  const { rows } = await sql<{
    status: OrderStatus
  }>`select o.status from loan_order o where o.id = ${orderId} for update`.execute(tx.db)
  const order = rows[0]
  // review.order_id is a foreign key
  if (!order) throw new Error(`order ${orderId} is missing`)
  return order.status
}
