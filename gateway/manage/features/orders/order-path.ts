/** Transitions of an order that are allowed and not yet written, and the event of each. */
import { closeTypeOf } from '#shared/orders/close-types.ts'
import { isOrderClosed } from '#shared/orders/order-lifecycle.ts'
import type { OrderStatus } from '#shared/orders/order-statuses.ts'
import { ORDER_STATUS_CHANGED } from '#shared/orders/orders-live.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { orderRooms } from './order-rooms.ts'

/**
 * Columns that may change with the status. Money in paise, days as IST days, instants in ISO 8601.
 */
export interface OrderColumns {
  close_amount_type?: string | null
  fail_reason?: string | null
  refusal_code?: string | null
  cool_down_until?: string | null
  due_at?: string | null
  disbursed_at?: string | null
  overdue_days?: number
  outstanding?: number
  interest?: number
  contract_amount?: number
  tenure_days?: number
  resume_status?: number | null
  rbi_class?: string
  cooling_off_until?: string | null
}

/** Their database types. */
export const COLUMN_TYPES = {
  close_amount_type: 'text',
  fail_reason: 'text',
  refusal_code: 'text',
  cool_down_until: 'date',
  due_at: 'date',
  disbursed_at: 'timestamptz',
  overdue_days: 'int',
  outstanding: 'bigint',
  interest: 'bigint',
  contract_amount: 'bigint',
  tenure_days: 'int',
  resume_status: 'int',
  rbi_class: 'text',
  cooling_off_until: 'timestamptz',
} as const satisfies Record<keyof OrderColumns, string>

export interface MoveOrder {
  /** Reason code: shown in the timeline and sent in the event. */
  cause: string
  note?: string
  set?: OrderColumns
  /** Version the caller saw; any other refuses the change. */
  version?: number
}

export interface MovedOrder {
  from: OrderStatus
  to: OrderStatus
  version: number
}

/** A row of `loan_order`, read under its lock. */
export interface LockedOrder {
  id: string
  status: OrderStatus
  version: number
}

/** A transition that the lifecycle allows. */
export interface Step extends Omit<MoveOrder, 'version'> {
  from: OrderStatus
  to: OrderStatus
}

/** Transitions of one order, not yet written. */
export interface Path {
  locked: LockedOrder
  steps: readonly [Step, ...Step[]]
}

/** What the event of a transition shows of its order. */
export interface ShownOrder {
  id: string
  customer_id: string
  tags: string[]
  outstanding: number
  closed_at: string | null
  due_at: string | null
  disbursed_at: string | null
  fail_reason: string | null
  review_id: string | null
  case_rooms: readonly string[]
}

export interface MovedRow extends ShownOrder {
  status: OrderStatus
  version: number
}

/** Emits one transition. @param row its state after the last one */
export function emitMoved(
  tx: CommandTx,
  row: ShownOrder,
  { from, to, cause, version }: Step & { version: number },
): void {
  tx.emit(ORDER_STATUS_CHANGED, {
    subject: `order:${row.id}`,
    version,
    rooms: [
      ...orderRooms(row.id),
      ...row.case_rooms,
      ...(row.review_id === null ? [] : [`review:${row.review_id}`]),
    ],
    data: {
      orderId: row.id,
      userId: row.customer_id,
      from,
      to,
      tags: row.tags,
      outstanding: row.outstanding,
      closeType: closeTypeOf(to),
      closeTime: isOrderClosed(to) ? row.closed_at : null,
      dueTime: row.due_at,
      disburseTime: row.disbursed_at,
      failReason: row.fail_reason,
      cause,
    },
  })
}

export function lastOf(steps: Path['steps']): Step {
  return steps[steps.length - 1] as Step
}
