import { sql } from 'kysely'
import { ORDER_UPDATED } from '#shared/orders/orders-live.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'

/** What the opening of a day stamps on an order that keeps its status. */
export interface StampedOrder {
  orderId: string
  /** Paise. */
  outstanding: number
  overdueDays: number
  rbiClass: string
}

const FIELDS = ['overdueDays', 'outstanding', 'rbiClass']

/** Stamps many locked orders in one statement, and tells of each. @param rooms by order */
export async function restampOrders(
  cx: Cx,
  orders: readonly StampedOrder[],
  rooms: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  if (orders.length === 0) return
  const given = orders.map(({ orderId, outstanding, overdueDays, rbiClass }) => ({
    id: orderId,
    outstanding,
    overdue_days: overdueDays,
    rbi_class: rbiClass,
  }))
  const { rows } = await sql<{ id: string; version: number }>`
    update loan_order o set outstanding = g.outstanding, overdue_days = g.overdue_days, rbi_class = g.rbi_class, updated_at = clock_timestamp(), version = o.version + 1
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as g (id text, outstanding bigint, overdue_days int, rbi_class text) where o.id = g.id returning o.id, o.version`.execute(
    cx.db,
  )
  for (const row of rows)
    cx.emit(ORDER_UPDATED, {
      subject: `order:${row.id}`,
      version: row.version,
      rooms: rooms.get(row.id) ?? [],
      data: { orderId: row.id, fields: FIELDS },
    })
}
