/** The loan order's status numbers and their names in code. Labels: dictionary `order_status`. */
export type OrderStatus =
  | 10
  | 20
  | 21
  | 22
  | 23
  | 26
  | 27
  | 29
  | 30
  | 31
  | 40
  | 41
  | 43
  | 50
  | 70
  | 80
  | 90
  | 100
  | 110

const NAMES = {
  10: 'reviewing',
  20: 'autoPassed',
  21: 'autoFailed',
  22: 'awaitingManualReview',
  23: 'limitFailed',
  26: 'manualPassed',
  27: 'manualFailed',
  29: 'disbursing',
  30: 'awaitingRepayment',
  31: 'disbursementFailed',
  40: 'repaid',
  41: 'repaidWithReduction',
  43: 'repaymentProcessing',
  50: 'overdue',
  70: 'cancelled',
  80: 'settledByExtension',
  90: 'badDebt',
  100: 'settledByOperations',
  110: 'batchWriteOff',
} as const satisfies Record<OrderStatus, string>

/** An order in one of these has ended; of the others a customer has one at most. */
export const ENDED_STATUSES = [
  21, 23, 27, 40, 41, 70, 80, 100, 110,
] as const satisfies readonly OrderStatus[]

export type OrderStatusName = (typeof NAMES)[OrderStatus]

/** Name → number, for code that refers to one status: `ORDER_STATUS.overdue`. */
export const ORDER_STATUS = {
  reviewing: 10,
  autoPassed: 20,
  autoFailed: 21,
  awaitingManualReview: 22,
  limitFailed: 23,
  manualPassed: 26,
  manualFailed: 27,
  disbursing: 29,
  awaitingRepayment: 30,
  disbursementFailed: 31,
  repaid: 40,
  repaidWithReduction: 41,
  repaymentProcessing: 43,
  overdue: 50,
  cancelled: 70,
  settledByExtension: 80,
  badDebt: 90,
  settledByOperations: 100,
  batchWriteOff: 110,
} as const satisfies { [Code in OrderStatus as (typeof NAMES)[Code]]: Code }

/** All numbers, ascending. */
export const ORDER_STATUSES: readonly OrderStatus[] = Object.values(ORDER_STATUS)

export function isOrderStatus(value: unknown): value is OrderStatus {
  return typeof value === 'number' && Object.hasOwn(NAMES, value)
}

export function orderStatusName(status: OrderStatus): OrderStatusName {
  return NAMES[status]
}
