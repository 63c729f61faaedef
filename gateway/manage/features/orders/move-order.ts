/**
 * The only code that changes the status of orders, one or many. It locks the rows, checks the
 * lifecycle, and logs and emits each change, all in the caller's transaction.
 */
import { sql } from 'kysely'
import { IllegalTransition } from '#shared/kernel/lifecycle.ts'
import { CHANGED_BY_OTHER, NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { closeTypeOf } from '#shared/orders/close-types.ts'
import {
  allowedOrderEvents,
  isOrderClosed,
  nextOrderStatus,
  type OrderEvent,
} from '#shared/orders/order-lifecycle.ts'
import { ORDER_RULE, ORDER_STATE } from '#shared/orders/order-problems.ts'
import { type OrderStatus, orderStatusName } from '#shared/orders/order-statuses.ts'
import { anyOf } from '#gateway/manage/db/prepared.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { giveBackOfOrder } from '#gateway/manage/features/coupons/public.ts'
import { roomsOfOpenCase } from '#gateway/manage/features/collection/case-scope.ts'
import {
  COLUMN_TYPES,
  emitMoved,
  lastOf,
  type LockedOrder,
  type MovedOrder,
  type MovedRow,
  type MoveOrder,
  type OrderColumns,
  type Path,
  type ShownOrder,
  type Step,
} from './order-path.ts'
import { orderRow } from './order-row.ts'
import { sendPath } from './send-path.ts'

/** An event of an order, and the columns that change with it. */
export interface OrderStep extends Omit<MoveOrder, 'version'> {
  event: OrderEvent
}

/** One of many orders moved in one call. */
export interface OrderMove extends OrderStep {
  orderId: string
}

/**
 * Applies one lifecycle event to the order. An approved order wakes the payout dispatcher.
 * @throws Problem G404; O-STATE (409) when the status does not allow the event, O-RULE when its
 * guard refuses, G409 for another version; each with the fresh row in `data`
 */
export async function moveOrder(
  tx: CommandTx,
  orderId: string,
  event: OrderEvent,
  { version, ...move }: MoveOrder,
): Promise<MovedOrder> {
  const [locked] = await lockOrders(tx, [orderId])
  if (!locked) throw new Problem(NOT_FOUND)
  const to = await nextStatus(tx, locked, event)
  if (version !== undefined && version !== locked.version) {
    throw new Problem(
      CHANGED_BY_OTHER,
      { userName: await lastChangedBy(tx, orderId) },
      await orderRow(tx.db, orderId),
    )
  }
  const [moved] = await writePaths(tx, [{ locked, steps: [{ ...move, from: locked.status, to }] }])
  return moved as MovedOrder
}

/** The resulting status, known before it is written. */
export interface Moving {
  to: OrderStatus
  written: Promise<MovedOrder>
}

/**
 * Applies several events, one after the other, to an order whose row the caller has locked. The row
 * is written once: a payment leads 30 → 43 → 30, and writing the row twice would add two entries to
 * each of its indexes.
 * @param shown the order as its events show it, when the caller has read it under the lock: then a
 * step that keeps it running is sent, and nothing waits for its answer
 * @returns the final status at once, so that dependent statements can be sent with the row's update
 * @throws Problem O-STATE, O-RULE as `moveOrder`, for the first refused event; nothing is written
 * then
 */
export async function moveLocked(
  tx: CommandTx,
  locked: LockedOrder,
  steps: readonly [OrderStep, ...OrderStep[]],
  shown?: ShownOrder,
): Promise<Moving> {
  const path: Step[] = []
  let at = locked.status
  for (const { event, ...move } of steps) {
    const to = await nextStatus(tx, { ...locked, status: at }, event)
    path.push({ ...move, from: at, to })
    at = to
  }
  // one event at least, so one step
  const moving = { locked, steps: path as [Step, ...Step[]] }
  const written =
    shown !== undefined && STAYS_RUNNING.includes(at)
      ? Promise.resolve(sendPath(tx, moving, shown))
      : writePaths(tx, [moving]).then(([moved]) => moved as MovedOrder)
  return { to: at, written }
}

/**
 * Applies one event each to many orders with three statements in total, for jobs that change a
 * large part of the book. At most one event per order.
 * @returns sorted by order id
 * @throws Problem as `moveOrder`, for the first refused event; nothing is written then
 */
export async function moveOrders(
  tx: CommandTx,
  moves: readonly OrderMove[],
): Promise<MovedOrder[]> {
  if (moves.length === 0) return []
  const byId = new Map(moves.map((move) => [move.orderId, move]))
  const locked = await lockOrders(tx, [...byId.keys()])
  if (locked.length !== moves.length) throw new Problem(NOT_FOUND)
  const paths: Path[] = []
  for (const row of locked) {
    // every row was selected by its id
    const { event, ...move } = byId.get(row.id) as OrderMove
    paths.push({
      locked: row,
      steps: [{ ...move, from: row.status, to: await nextStatus(tx, row, event) }],
    })
  }
  return writePaths(tx, paths)
}

/** Nothing but its event and its log follows from these. */
const STAYS_RUNNING: readonly OrderStatus[] = [30, 50, 90]

/** Ends of an application without a loan: the coupon that raised its limit is given back. */
const UNLENT: readonly OrderStatus[] = [21, 23, 27, 70]

async function lockOrders(tx: CommandTx, orderIds: readonly string[]): Promise<LockedOrder[]> {
  const { rows } = await sql<LockedOrder>`
      select o.id, o.status, o.version from loan_order o where o.id = ${anyOf(orderIds)} order by o.id
        for update`.execute(tx.db)
  return rows
}

async function nextStatus(
  tx: CommandTx,
  { id, status }: LockedOrder,
  event: OrderEvent,
): Promise<OrderStatus> {
  try {
    return nextOrderStatus(status, event)
  } catch (error) {
    if (!(error instanceof IllegalTransition)) throw error
    const fresh = await orderRow(tx.db, id)
    if (allowedOrderEvents(status).includes(event.type))
      throw new Problem(ORDER_RULE, { reason: event.type }, fresh)
    throw new Problem(ORDER_STATE, { status: orderStatusName(status) }, fresh)
  }
}

async function writePaths(tx: CommandTx, paths: readonly Path[]): Promise<MovedOrder[]> {
  const given = paths.map(({ locked, steps }) => {
    const { to } = lastOf(steps)
    const set: OrderColumns = Object.assign({}, ...steps.map((step) => step.set))
    return {
      id: locked.id,
      from_status: locked.status,
      version: locked.version,
      to_status: to,
      close_type: closeTypeOf(to),
      closes: isOrderClosed(to),
      changes: set,
      steps: steps.map((step) => ({
        from: step.from,
        to: step.to,
        cause: step.cause,
        note: step.note ?? null,
      })),
    }
  })
  // only the changed columns are listed: each kind of step has few of them, and so its own prepared
  // statement
  const columns = Object.entries(COLUMN_TYPES).flatMap(([column, type]) => {
    const changing = given.filter(
      ({ changes }) => changes[column as keyof OrderColumns] !== undefined,
    ).length
    if (changing === 0) return []
    const name = sql.ref(column)
    const key = sql.lit(column)
    const value = sql`(g.changes ->> ${key})::${sql.raw(type)}`
    return [
      changing === given.length
        ? sql`${name} = ${value}, `
        : sql`${name} = case when g.changes ? ${key} then ${value} else o.${name} end, `,
    ]
  })
  // the ids are passed beside the rows: for a JSON text the planner assumes a hundred rows and
  // would scan a table of a few thousand
  const { rows } = await sql<MovedRow>`
    with given as materialized (
      select g.* from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
        as g (id text, from_status int, version int, to_status int, close_type text, closes boolean,
          changes jsonb, steps jsonb)
    ), moved as (
      update loan_order o
      set ${sql.join(columns, sql` `)}
        status = g.to_status, close_type = g.close_type,
        closed_at = case when g.closes then clock_timestamp() end, updated_at = clock_timestamp(),
        version = o.version + jsonb_array_length(g.steps)
      from given g
      where o.id = ${anyOf(given.map(({ id }) => id))} and o.id = g.id
        and o.status = g.from_status and o.version = g.version
      returning o.id, o.customer_id, o.status, g.steps, o.tags, o.outstanding, o.closed_at, o.due_at,
        o.disbursed_at, o.fail_reason, o.version
    ), logged as (
      insert into order_status_log (order_id, from_status, to_status, cause, by_user_id, by_name, note)
      select m.id, s."from", s."to", s.cause, ${tx.actor.userId}::text, ${tx.actor.userName}::text, s.note
        from moved m, jsonb_to_recordset(m.steps) as s ("from" int, "to" int, cause text, note text)
    )
    select m.id, m.customer_id, m.status, m.tags, m.outstanding, m.closed_at, m.due_at, m.disbursed_at,
      m.fail_reason, m.version,
      (select r.id from review r where r.order_id = m.id order by r.created_at desc limit 1) as review_id,
      ${roomsOfOpenCase(sql`m.id`)} as case_rooms
    from moved m order by m.id`.execute(tx.db)
  // the rows are locked, so nobody else can have moved them
  if (rows.length !== paths.length) throw new Error('orders changed under their lock')
  const pathOf = new Map(paths.map((path) => [path.locked.id, path]))
  if (rows.some((row) => row.status === 20 || row.status === 26))
    tx.afterCommit(() => tx.context.wakeSchedule('payoutDispatch'))
  for (const { id, status } of rows) if (UNLENT.includes(status)) await giveBackOfOrder(tx, id)
  return rows.map((row) => {
    const { locked, steps } = pathOf.get(row.id) as Path
    steps.forEach((step, n) => emitMoved(tx, row, { ...step, version: locked.version + n + 1 }))
    return { from: lastOf(steps).from, to: row.status, version: row.version }
  })
}

async function lastChangedBy(tx: CommandTx, orderId: string): Promise<string> {
  const { rows } = await sql<{
    by_name: string | null
  }>`
    select l.by_name
    from order_status_log l
    where l.order_id = ${orderId}
    order by l.at desc, l.id desc limit 1`.execute(tx.db)
  return rows[0]?.by_name ?? ''
}
