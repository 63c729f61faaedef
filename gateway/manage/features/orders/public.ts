/** What other features may use of orders. */
export { type MovedOrder, type MoveOrder, moveOrder, type OrderColumns } from './move-order.ts'
export { type SubmittedApplication, submitApplication } from './submit-application.ts'
export { orderRowJson } from './order-row.ts'
