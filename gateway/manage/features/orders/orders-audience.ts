import type { Audience } from '#gateway/manage/kernel/audience.ts'
import { isOrderInScope } from './order-detail-queries.ts'

const VIEWS = ['order_list:view', 'review_list:view', 'repay_plan:view', 'repay_record:view'] as const

/** An order is heard by everyone with scope `all`; who may see it in its detail may watch it. */
export const ORDERS_AUDIENCE: Audience = {
  watch: {
    order: async (db, actor, orderId) => (VIEWS.some((code) => actor.rights.permissions.has(code)) && (await isOrderInScope(db, actor, orderId)) ? `order:${orderId}` : null),
  },
}
