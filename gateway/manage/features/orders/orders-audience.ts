import { ORDER_VIEWERS } from '#shared/orders/order-viewers.ts'
import type { Audience } from '#gateway/manage/kernel/audience.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { isOrderInScope, ordersSeen } from './order-detail-queries.ts'

/**
 * Order events go to everyone with scope `all`; users who may open an order may watch it, and receive
 * those of the orders they list.
 */
export const ORDERS_AUDIENCE: Audience = {
  watch: {
    order: async (db, actor, orderId) =>
      mayOpen(actor) && (await isOrderInScope(db, actor, orderId)) ? `order:${orderId}` : null,
  },
  rows: {
    order: async (db, actor, orderIds) => (mayOpen(actor) ? ordersSeen(db, actor, orderIds) : []),
  },
  watchedRows: ['order'],
}

function mayOpen({ rights }: StaffActor): boolean {
  return ORDER_VIEWERS.some((menu) => rights.permissions.has(`${menu}:view`))
}
