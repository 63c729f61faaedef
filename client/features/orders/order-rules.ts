/** Which actions an order allows now, by the same lifecycle machine as on the server. Pure. */
import { allowedOrderEvents } from '#shared/orders/order-lifecycle.ts'
import { isOrderStatus } from '#shared/orders/order-statuses.ts'

/** Whether the order is a bad debt that may get a settlement plan. */
export function canCure(status: number): boolean {
  return isOrderStatus(status) && allowedOrderEvents(status).includes('CURE')
}

/**
 * Whether the borrower may still return the loan.
 * @param until end of the cooling-off period, ISO 8601
 * @param now milliseconds
 */
export function canExit(status: number, until: string | null, now: number): boolean {
  return (
    isOrderStatus(status) &&
    allowedOrderEvents(status).includes('COOLING_OFF_EXIT') &&
    until !== null &&
    now < Date.parse(until)
  )
}

/**
 * Whether the status has a transition to `cancelled` that a user may trigger from the order list.
 */
export function canCancel(status: number): boolean {
  return isOrderStatus(status) && allowedOrderEvents(status).includes('CANCEL')
}
