/** The one way an order's status changes: the row is locked, the lifecycle asked, the change logged and told, all in the caller's transaction (architecture.md 2). */
import { type RawBuilder, sql } from 'kysely'
import { IllegalTransition } from '#shared/kernel/lifecycle.ts'
import { CHANGED_BY_OTHER, NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { closeTypeOf } from '#shared/orders/close-types.ts'
import { allowedOrderEvents, isOrderClosed, nextOrderStatus, type OrderEvent } from '#shared/orders/order-lifecycle.ts'
import { ORDER_RULE, ORDER_STATE } from '#shared/orders/order-problems.ts'
import { type OrderStatus, orderStatusName } from '#shared/orders/order-statuses.ts'
import { ORDER_STATUS_CHANGED } from '#shared/orders/orders-live.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { orderRow } from './order-row.ts'

/** Columns that may change together with the status. Money in paise, days as IST days, instants ISO 8601. */
export interface OrderColumns {
  close_amount_type?: string | null
  fail_reason?: string | null
  refusal_code?: string | null
  due_at?: string | null
  disbursed_at?: string | null
  overdue_days?: number
  outstanding?: number
  resume_status?: number | null
  rbi_class?: string
  cooling_off_until?: string | null
}

export interface MoveOrder {
  /** Why, as a code: stands in the timeline and in the event. */
  cause: string
  note?: string
  set?: OrderColumns
  /** Version the caller saw; another one refuses the change. */
  version?: number
}

export interface MovedOrder {
  from: OrderStatus
  to: OrderStatus
  version: number
}

interface LockedOrder {
  status: OrderStatus
  version: number
}

interface MovedRow {
  customer_id: string
  tags: string[]
  outstanding: number
  close_type: string
  closed_at: string | null
  due_at: string | null
  disbursed_at: string | null
  fail_reason: string | null
  version: number
  review_id: string | null
}

/**
 * Takes the order through one event of its lifecycle. An order that was passed wakes the payout dispatcher.
 * @throws Problem G404; O-STATE (409) when the status does not take the event, O-RULE when its guard refuses, G409 for another version; each with the fresh row in `data`
 */
export async function moveOrder(cx: Cx, orderId: string, event: OrderEvent, { cause, note, set = {}, version }: MoveOrder): Promise<MovedOrder> {
  const locked = await lockOrder(cx, orderId)
  const to = await nextStatus(cx, orderId, locked, event)
  if (version !== undefined && version !== locked.version) {
    throw new Problem(CHANGED_BY_OTHER, { userName: await lastChangedBy(cx, orderId) }, await orderRow(cx.db, orderId))
  }
  const moved = await writeStatus(cx, orderId, locked, to, { cause, note: note ?? null, set })
  cx.emit(ORDER_STATUS_CHANGED, {
    subject: `order:${orderId}`,
    version: moved.version,
    rooms: [...orderRooms(orderId), ...(moved.review_id === null ? [] : [`review:${moved.review_id}`])],
    data: {
      orderId, userId: moved.customer_id, from: locked.status, to, tags: moved.tags, outstanding: moved.outstanding, closeType: moved.close_type, closeTime: moved.closed_at, dueTime: moved.due_at,
      disburseTime: moved.disbursed_at, failReason: moved.fail_reason, cause,
    },
  })
  if (to === 20 || to === 26) cx.afterCommit(() => cx.house.wakeSchedule('payoutDispatch'))
  return { from: locked.status, to, version: moved.version }
}

/** Rooms of an order (api.md 26, OR); those of its open case join when the product holds cases. */
export function orderRooms(orderId: string): string[] {
  return [`order:${orderId}`, 'scope:all']
}

async function lockOrder(cx: Cx, orderId: string): Promise<LockedOrder> {
  const { rows } = await sql<LockedOrder>`select o.status, o.version from loan_order o where o.id = ${orderId} for update`.execute(cx.db)
  const row = rows[0]
  if (!row) throw new Problem(NOT_FOUND)
  return row
}

async function nextStatus(cx: Cx, orderId: string, { status }: LockedOrder, event: OrderEvent): Promise<OrderStatus> {
  try {
    return nextOrderStatus(status, event)
  } catch (error) {
    if (!(error instanceof IllegalTransition)) throw error
    const fresh = await orderRow(cx.db, orderId)
    if (allowedOrderEvents(status).includes(event.type)) throw new Problem(ORDER_RULE, { reason: event.type }, fresh)
    throw new Problem(ORDER_STATE, { status: orderStatusName(status) }, fresh)
  }
}

async function writeStatus(cx: Cx, orderId: string, { status, version }: LockedOrder, to: OrderStatus, { cause, note, set }: { cause: string; note: string | null; set: OrderColumns }): Promise<MovedRow> {
  const changes: RawBuilder<unknown>[] = Object.entries(set).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
  changes.push(sql`status = ${to}`, sql`close_type = ${closeTypeOf(to)}`, sql`closed_at = ${isOrderClosed(to) ? sql`clock_timestamp()` : null}`, sql`updated_at = clock_timestamp()`, sql`version = version + 1`)
  const { rows } = await sql<MovedRow>`
    with moved as (
      update loan_order set ${sql.join(changes)} where id = ${orderId} and status = ${status} and version = ${version}
      returning id, customer_id, tags, outstanding, close_type, closed_at, due_at, disbursed_at, fail_reason, version
    ), logged as (
      insert into order_status_log (order_id, from_status, to_status, cause, by_user_id, by_name, note)
      select m.id, ${status}::int, ${to}::int, ${cause}::text, ${cx.actor.userId}::text, ${cx.actor.userName}::text, ${note}::text from moved m
    )
    select m.customer_id, m.tags, m.outstanding, m.close_type, m.closed_at, m.due_at, m.disbursed_at, m.fail_reason, m.version,
      (select r.id from review r where r.order_id = m.id order by r.created_at desc limit 1) as review_id
    from moved m`.execute(cx.db)
  const row = rows[0]
  // the row is locked, so nobody else can have moved it
  if (!row) throw new Error(`order ${orderId} changed under its lock`)
  return row
}

async function lastChangedBy(cx: Cx, orderId: string): Promise<string> {
  const { rows } = await sql<{ by_name: string | null }>`select l.by_name from order_status_log l where l.order_id = ${orderId} order by l.at desc, l.id desc limit 1`.execute(cx.db)
  return rows[0]?.by_name ?? ''
}
