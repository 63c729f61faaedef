/** Which actions an order takes now, asked of the same machine the server asks. Pure. */
import { allowedOrderEvents } from '#shared/orders/order-lifecycle.ts'
import { isOrderStatus } from '#shared/orders/order-statuses.ts'

/** Whether the status has a way to `cancelled` that a person may take from the order list. */
export function canCancel(status: number): boolean {
  return isOrderStatus(status) && allowedOrderEvents(status).includes('CANCEL')
}
