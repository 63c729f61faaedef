/** What other features may use of orders. */
export { type MovedOrder, type MoveOrder, moveOrder, moveOrders, type OrderColumns, type OrderMove, orderRoomsOf, roomsOfOrder } from './move-order.ts'
export { type SubmittedApplication, submitApplication } from './submit-application.ts'
export { isOrderInScope } from './order-detail-queries.ts'
export { orderRowJson } from './order-row.ts'
export { penaltyOfOrder } from './order-terms.ts'
export { restampOrders, type StampedOrder } from './restamp-orders.ts'
