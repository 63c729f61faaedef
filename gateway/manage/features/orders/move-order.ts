/** The one way the status of orders changes, of one or of many: rows are locked, the lifecycle asked, each change logged and told, all in the caller's transaction (architecture.md 2). */
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
import { ORDER_STATUS_CHANGED } from '#shared/orders/orders-live.ts'
import { anyOf } from '#gateway/manage/db/prepared.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { roomsOfOpenCase } from '#gateway/manage/kernel/scope.ts'
import { orderRow } from './order-row.ts'

/** Columns that may change together with the status. Money in paise, days as IST days, instants ISO 8601. */
export interface OrderColumns {
  close_amount_type?: string | null
  fail_reason?: string | null
  refusal_code?: string | null
  cool_down_until?: string | null
  due_at?: string | null
  disbursed_at?: string | null
  overdue_days?: number
  outstanding?: number
  resume_status?: number | null
  rbi_class?: string
  cooling_off_until?: string | null
}

/** What each of them is in the database. */
const COLUMN_TYPES = {
  close_amount_type: 'text',
  fail_reason: 'text',
  refusal_code: 'text',
  cool_down_until: 'date',
  due_at: 'date',
  disbursed_at: 'timestamptz',
  overdue_days: 'int',
  outstanding: 'bigint',
  resume_status: 'int',
  rbi_class: 'text',
  cooling_off_until: 'timestamptz',
} as const satisfies Record<keyof OrderColumns, string>

export interface MoveOrder {
  /** Why, as a code: stands in the timeline and in the event. */
  cause: string
  note?: string
  set?: OrderColumns
  /** Version the caller saw; another one refuses the change. */
  version?: number
}

/** An event of an order, and what changes with it. */
export interface OrderStep extends Omit<MoveOrder, 'version'> {
  event: OrderEvent
}

/** One of many orders that move at once. */
export interface OrderMove extends OrderStep {
  orderId: string
}

export interface MovedOrder {
  from: OrderStatus
  to: OrderStatus
  version: number
}

/** A row of `loan_order` as it was read under its lock. */
export interface LockedOrder {
  id: string
  status: OrderStatus
  version: number
}

/** A step that the lifecycle allows. */
interface Step extends Omit<MoveOrder, 'version'> {
  from: OrderStatus
  to: OrderStatus
}

/** Steps of one order, on their way to its row. */
interface Path {
  locked: LockedOrder
  steps: readonly [Step, ...Step[]]
}

interface MovedRow {
  id: string
  customer_id: string
  status: OrderStatus
  tags: string[]
  outstanding: number
  closed_at: string | null
  due_at: string | null
  disbursed_at: string | null
  fail_reason: string | null
  version: number
  review_id: string | null
  case_rooms: string[]
}

/**
 * Takes the order through one event of its lifecycle. An order that was passed wakes the payout dispatcher.
 * @throws Problem G404; O-STATE (409) when the status does not take the event, O-RULE when its guard refuses, G409 for another version; each with the fresh row in `data`
 */
export async function moveOrder(
  cx: Cx,
  orderId: string,
  event: OrderEvent,
  { version, ...move }: MoveOrder,
): Promise<MovedOrder> {
  const [locked] = await lockOrders(cx, [orderId])
  if (!locked) throw new Problem(NOT_FOUND)
  const to = await nextStatus(cx, locked, event)
  if (version !== undefined && version !== locked.version) {
    throw new Problem(
      CHANGED_BY_OTHER,
      { userName: await lastChangedBy(cx, orderId) },
      await orderRow(cx.db, orderId),
    )
  }
  const [moved] = await writePaths(cx, [{ locked, steps: [{ ...move, from: locked.status, to }] }])
  return moved as MovedOrder
}

/** Where an order goes, known before it is written. */
export interface Moving {
  to: OrderStatus
  written: Promise<MovedOrder>
}

/**
 * Takes an order whose row the caller holds through events, one after the other. Its row is written once: a payment leads there
 * and back (30 → 43 → 30), and a row written twice would stand twice in each of its indexes.
 * @returns where the last one leads, at once: what follows from it can be sent together with the row
 * @throws Problem O-STATE, O-RULE as `moveOrder`, for the first that is refused; nothing is written then
 */
export async function moveLocked(
  cx: Cx,
  locked: LockedOrder,
  steps: readonly [OrderStep, ...OrderStep[]],
): Promise<Moving> {
  const path: Step[] = []
  let at = locked.status
  for (const { event, ...move } of steps) {
    const to = await nextStatus(cx, { ...locked, status: at }, event)
    path.push({ ...move, from: at, to })
    at = to
  }
  const written = writePaths(cx, [{ locked, steps: path as [Step, ...Step[]] }]).then(
    ([moved]) => moved as MovedOrder,
  )
  return { to: at, written }
}

/**
 * Takes many orders through an event each, at most one per order, in three statements however many they are: for runs that touch a
 * large part of the book.
 * @returns in the order of their ids
 * @throws Problem as `moveOrder`, for the first that is refused; nothing is written then
 */
export async function moveOrders(cx: Cx, moves: readonly OrderMove[]): Promise<MovedOrder[]> {
  if (moves.length === 0) return []
  const byId = new Map(moves.map((move) => [move.orderId, move]))
  const locked = await lockOrders(cx, [...byId.keys()])
  if (locked.length !== moves.length) throw new Problem(NOT_FOUND)
  const paths: Path[] = []
  for (const row of locked) {
    // every row was asked for by its id
    const { event, ...move } = byId.get(row.id) as OrderMove
    paths.push({
      locked: row,
      steps: [{ ...move, from: row.status, to: await nextStatus(cx, row, event) }],
    })
  }
  return writePaths(cx, paths)
}

/** Rooms of an order that was never in collection (api.md 26, OR). */
export function orderRooms(orderId: string): string[] {
  return [`order:${orderId}`, 'scope:all']
}

/** Rooms of orders (api.md 26, OR): each one's own, everybody of scope `all`, and where its open case stands. */
export async function orderRoomsOf(
  db: Db,
  orderIds: readonly string[],
): Promise<Map<string, string[]>> {
  const rooms = new Map(orderIds.map((id) => [id, orderRooms(id)]))
  const { rows } = await sql<{
    id: string
    case_rooms: string[]
  }>`select o.id, ${roomsOfOpenCase(sql`o.id`)} as case_rooms from loan_order o where o.id = ${anyOf([...rooms.keys()])}`.execute(
    db,
  )
  for (const row of rows) rooms.get(row.id)?.push(...row.case_rooms)
  return rooms
}

/** Rooms of one order. */
export async function roomsOfOrder(db: Db, orderId: string): Promise<string[]> {
  return (await orderRoomsOf(db, [orderId])).get(orderId) ?? []
}

async function lockOrders(cx: Cx, orderIds: readonly string[]): Promise<LockedOrder[]> {
  const { rows } =
    await sql<LockedOrder>`select o.id, o.status, o.version from loan_order o where o.id = ${anyOf(orderIds)} order by o.id for update`.execute(
      cx.db,
    )
  return rows
}

async function nextStatus(
  cx: Cx,
  { id, status }: LockedOrder,
  event: OrderEvent,
): Promise<OrderStatus> {
  try {
    return nextOrderStatus(status, event)
  } catch (error) {
    if (!(error instanceof IllegalTransition)) throw error
    const fresh = await orderRow(cx.db, id)
    if (allowedOrderEvents(status).includes(event.type))
      throw new Problem(ORDER_RULE, { reason: event.type }, fresh)
    throw new Problem(ORDER_STATE, { status: orderStatusName(status) }, fresh)
  }
}

async function writePaths(cx: Cx, paths: readonly Path[]): Promise<MovedOrder[]> {
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
  // only what changes is named: a kind of step has few columns, and a text of its own that is prepared
  const columns = Object.entries(COLUMN_TYPES).flatMap(([column, type]) => {
    const changing = given.filter(
      ({ changes }) => changes[column as keyof OrderColumns] !== undefined,
    ).length
    if (changing === 0) return []
    const value = sql`(g.changes ->> ${sql.lit(column)})::${sql.raw(type)}`
    return [
      sql`${sql.ref(column)} = ${changing === given.length ? value : sql`case when g.changes ? ${sql.lit(column)} then ${value} else o.${sql.ref(column)} end`}, `,
    ]
  })
  // the ids stand beside the rows they come from: of a JSON text the planner believes that it holds a hundred, and walks a book of a few thousand
  const { rows } = await sql<MovedRow>`
    with given as materialized (
      select g.* from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
        as g (id text, from_status int, version int, to_status int, close_type text, closes boolean, changes jsonb, steps jsonb)
    ), moved as (
      update loan_order o set ${sql.join(columns, sql``)}status = g.to_status, close_type = g.close_type, closed_at = case when g.closes then clock_timestamp() end, updated_at = clock_timestamp(), version = o.version + jsonb_array_length(g.steps)
      from given g where o.id = ${anyOf(given.map(({ id }) => id))} and o.id = g.id and o.status = g.from_status and o.version = g.version
      returning o.id, o.customer_id, o.status, g.steps, o.tags, o.outstanding, o.closed_at, o.due_at, o.disbursed_at, o.fail_reason, o.version
    ), logged as (
      insert into order_status_log (order_id, from_status, to_status, cause, by_user_id, by_name, note)
      select m.id, s."from", s."to", s.cause, ${cx.actor.userId}::text, ${cx.actor.userName}::text, s.note from moved m, jsonb_to_recordset(m.steps) as s ("from" int, "to" int, cause text, note text)
    )
    select m.id, m.customer_id, m.status, m.tags, m.outstanding, m.closed_at, m.due_at, m.disbursed_at, m.fail_reason, m.version,
      (select r.id from review r where r.order_id = m.id order by r.created_at desc limit 1) as review_id,
      ${roomsOfOpenCase(sql`m.id`)} as case_rooms
    from moved m order by m.id`.execute(cx.db)
  // the rows are locked, so nobody else can have moved them
  if (rows.length !== paths.length) throw new Error('orders changed under their lock')
  const pathOf = new Map(paths.map((path) => [path.locked.id, path]))
  if (rows.some((row) => row.status === 20 || row.status === 26))
    cx.afterCommit(() => cx.house.wakeSchedule('payoutDispatch'))
  return rows.map((row) => {
    const { locked, steps } = pathOf.get(row.id) as Path
    steps.forEach((step, n) => tellMoved(cx, row, { ...step, version: locked.version + n + 1 }))
    return { from: lastOf(steps).from, to: row.status, version: row.version }
  })
}

/** Tells of one step. @param row as it stands after the last */
function tellMoved(
  cx: Cx,
  row: MovedRow,
  { from, to, cause, version }: Step & { version: number },
): void {
  cx.emit(ORDER_STATUS_CHANGED, {
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

function lastOf(steps: Path['steps']): Step {
  return steps[steps.length - 1] as Step
}

async function lastChangedBy(cx: Cx, orderId: string): Promise<string> {
  const { rows } = await sql<{
    by_name: string | null
  }>`select l.by_name from order_status_log l where l.order_id = ${orderId} order by l.at desc, l.id desc limit 1`.execute(
    cx.db,
  )
  return rows[0]?.by_name ?? ''
}
