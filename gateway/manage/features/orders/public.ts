/** What other features may use of orders. */
export {
  type MovedOrder,
  type MoveOrder,
  moveLocked,
  moveOrder,
  moveOrders,
  type OrderColumns,
  type OrderMove,
  type OrderStep,
} from './move-order.ts'
export { orderRooms, orderRoomsOf, roomsOfOrder } from './order-rooms.ts'
export { type SubmittedApplication, submitApplication } from './submit-application.ts'
export { IS_LOAN } from './disbursement/loan-queries.ts'
export { takeAccount } from './disbursement/take-account.ts'
export { isOrderInScope } from './order-detail-queries.ts'
export { type GivenRates, lowerRates } from './lower-rates.ts'
export { openSuccessor, type Successor } from './open-successor.ts'
export { orderRowJson } from './order-row.ts'
export { penaltyOfOrder } from './order-terms.ts'
export { restampOrders, type StampedOrder } from './restamp-orders.ts'
