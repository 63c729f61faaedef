import type { OrderStatus } from './order-statuses.ts'

/** How an order ended (dictionary `close_type`). */
export const CLOSE_TYPES = [
  'notClosed',
  'repaidClosed',
  'extensionClosed',
  'writeOffClosed',
] as const
export type CloseType = (typeof CLOSE_TYPES)[number]

/**
 * What a reconciliation (write-off) settles (dictionary `close_amount_type`). `partial` is only
 * recorded: the order stays open.
 */
export const CLOSE_AMOUNT_TYPES = ['full', 'operational', 'batch', 'rollover', 'partial'] as const
export type CloseAmountType = (typeof CLOSE_AMOUNT_TYPES)[number]

/** A refused or cancelled order was never a running loan, so it is `notClosed`. */
const CLOSE_TYPE_OF = {
  10: 'notClosed',
  20: 'notClosed',
  21: 'notClosed',
  22: 'notClosed',
  23: 'notClosed',
  26: 'notClosed',
  27: 'notClosed',
  29: 'notClosed',
  30: 'notClosed',
  31: 'notClosed',
  40: 'repaidClosed',
  41: 'repaidClosed',
  43: 'notClosed',
  50: 'notClosed',
  70: 'notClosed',
  80: 'extensionClosed',
  90: 'notClosed',
  100: 'writeOffClosed',
  110: 'writeOffClosed',
} as const satisfies Record<OrderStatus, CloseType>

/** Close type of a status; written in the same update as the status. */
export function closeTypeOf(status: OrderStatus): CloseType {
  return CLOSE_TYPE_OF[status]
}
