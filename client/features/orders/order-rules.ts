/** Which actions an order takes now, asked of the same machine the server asks. Pure. */
import { allowedOrderEvents } from '#shared/orders/order-lifecycle.ts'
import { isOrderStatus } from '#shared/orders/order-statuses.ts'

/** Whether the order is a bad debt that a settlement plan may lead out of. */
export function canCure(status: number): boolean {
  return isOrderStatus(status) && allowedOrderEvents(status).includes('CURE')
}

/** Whether the borrower may still give the loan back. @param until end of the cooling-off, ISO 8601 @param now milliseconds */
export function canExit(status: number, until: string | null, now: number): boolean {
  return (
    isOrderStatus(status) &&
    allowedOrderEvents(status).includes('COOLING_OFF_EXIT') &&
    until !== null &&
    now < Date.parse(until)
  )
}

/** Whether the status has a way to `cancelled` that a person may take from the order list. */
export function canCancel(status: number): boolean {
  return isOrderStatus(status) && allowedOrderEvents(status).includes('CANCEL')
}
