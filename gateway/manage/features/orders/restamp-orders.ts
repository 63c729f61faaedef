import { sql } from 'kysely'
import { ORDER_UPDATED } from '#shared/orders/orders-live.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'

/** Fields that the day opening updates on an order without changing its status. */
export interface StampedOrder {
  orderId: string
  /** Paise. */
  outstanding: number
  overdueDays: number
  rbiClass: string
}

const FIELDS = ['overdueDays', 'outstanding', 'rbiClass']

/** Updates many locked orders in one statement and emits each change. @param rooms by order */
export async function restampOrders(
  tx: CommandTx,
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
    update loan_order o set outstanding = g.outstanding, overdue_days = g.overdue_days,
      rbi_class = g.rbi_class, updated_at = clock_timestamp(), version = o.version + 1
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as g (id text, outstanding bigint,
      overdue_days int, rbi_class text) where o.id = g.id returning o.id, o.version`.execute(tx.db)
  for (const row of rows)
    tx.emit(ORDER_UPDATED, {
      subject: `order:${row.id}`,
      version: row.version,
      rooms: rooms.get(row.id) ?? [],
      data: { orderId: row.id, fields: FIELDS },
    })
}
