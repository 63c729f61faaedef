import type { Rights } from '#shared/kernel/permission.ts'
import { allowedOrderEvents, type OrderEventType } from '#shared/orders/order-lifecycle.ts'
import type { OrderStatus } from '#shared/orders/order-statuses.ts'

/** Code a person needs to send an event; an event that is not named is sent by the system, a machine or a call that is not built. */
const CODE_OF: Partial<Record<OrderEventType, string>> = {
  CANCEL: 'order_list:cancel',
  CURE: 'order_list:cure',
}

/** Lifecycle events the status has and the caller may send. */
export function allowedEvents(status: OrderStatus, { permissions }: Rights): OrderEventType[] {
  return allowedOrderEvents(status).filter((event) => {
    const code = CODE_OF[event]
    return code !== undefined && permissions.has(code)
  })
}
