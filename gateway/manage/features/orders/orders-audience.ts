import { ORDER_VIEWERS } from '#shared/orders/order-viewers.ts'
import type { Audience } from '#gateway/manage/kernel/audience.ts'
import { isOrderInScope } from './order-detail-queries.ts'

/** Order events go to everyone with scope `all`; users who may open an order may watch it. */
export const ORDERS_AUDIENCE: Audience = {
  watch: {
    order: async (db, actor, orderId) =>
      ORDER_VIEWERS.some((menu) => actor.rights.permissions.has(`${menu}:view`)) &&
      (await isOrderInScope(db, actor, orderId))
        ? `order:${orderId}`
        : null,
  },
}
