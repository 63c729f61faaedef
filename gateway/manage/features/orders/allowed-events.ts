import type { Rights } from '#shared/kernel/permission.ts'
import { allowedOrderEvents, type OrderEventType } from '#shared/orders/order-lifecycle.ts'
import type { OrderStatus } from '#shared/orders/order-statuses.ts'

/** Facts besides status and permission that decide, as stored now. */
export interface AllowedFacts {
  insideCoolingOff: boolean
  /** A pending payment booked by somebody else: nobody may confirm their own booking. */
  paymentToConfirm: boolean
}

/**
 * A user needs one of these codes to send the event or to request its approval. Events not listed
 * here are sent only by the system.
 */
const CODES_OF: Partial<Record<OrderEventType, readonly string[]>> = {
  CANCEL: ['order_list:cancel'],
  RETRY_PAYOUT: ['wait_relent:redisburse', 'wait_relent:handle'],
  CANCEL_DISBURSEMENT: ['wait_relent:cancel', 'wait_relent:handle'],
  COOLING_OFF_EXIT: ['order_list:coolingOff'],
  PAY_SUBMITTED: ['repay_record:add'],
  PAY_OK_FULL: ['repay_record:confirm'],
  PAY_OK_REDUCED: ['repay_record:confirm'],
  PAY_OK_PARTIAL: ['repay_record:confirm'],
  PAY_FAIL: ['repay_record:confirm'],
  ROLLOVER_OK: ['repay_record:confirm'],
  REVERSE_PAYMENT: ['repay_record:reverse'],
  CURE: ['order_list:cure'],
  OPS_WRITE_OFF: ['flat_management:operational'],
  BATCH_WRITE_OFF: ['flat_management:batch'],
}

/** Lifecycle events that the status allows and the caller may send. */
export function allowedEvents(
  status: OrderStatus,
  { permissions }: Rights,
  { insideCoolingOff, paymentToConfirm }: AllowedFacts,
): OrderEventType[] {
  return allowedOrderEvents(status).filter((event) => {
    const codes = CODES_OF[event] ?? []
    if (event === 'COOLING_OFF_EXIT' && !insideCoolingOff) return false
    if (codes.includes('repay_record:confirm') && !paymentToConfirm) return false
    return codes.some((code) => permissions.has(code))
  })
}
