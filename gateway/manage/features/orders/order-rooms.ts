/** The live rooms that receive events of an order. */
import { sql } from 'kysely'
import { anyOf } from '#gateway/manage/db/prepared.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { roomsOfOpenCase } from '#gateway/manage/features/collection/case-scope.ts'

/** Rooms of an order that was never in collection. */
export function orderRooms(orderId: string): string[] {
  return [`order:${orderId}`, 'scope:all']
}

/** Rooms of orders: the order's own, scope `all`, and those of its open case. */
export async function orderRoomsOf(
  db: Db,
  orderIds: readonly string[],
): Promise<Map<string, string[]>> {
  const rooms = new Map(orderIds.map((id) => [id, orderRooms(id)]))
  const { rows } = await sql<{
    id: string
    case_rooms: string[]
  }>`
    select o.id, ${roomsOfOpenCase(sql`o.id`)} as case_rooms
    from loan_order o
    where o.id = ${anyOf([...rooms.keys()])}`.execute(db)
  for (const row of rows) rooms.get(row.id)?.push(...row.case_rooms)
  return rooms
}

/** Rooms of one order. */
export async function roomsOfOrder(db: Db, orderId: string): Promise<string[]> {
  return (await orderRoomsOf(db, [orderId])).get(orderId) ?? []
}
