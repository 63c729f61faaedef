import { ORDER_UPDATED } from '#shared/orders/orders-live.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { roomsOfOrder } from './order-rooms.ts'

/**
 * Fields of an order changed, and not its status.
 * @param version of the order after the change; null: the change has none
 */
export async function emitOrder(
  tx: CommandTx,
  orderId: string,
  version: number | null,
  fields: readonly string[],
): Promise<void> {
  tx.emit(ORDER_UPDATED, {
    subject: `order:${orderId}`,
    ...(version === null ? {} : { version }),
    rooms: await roomsOfOrder(tx.db, orderId),
    data: { orderId, fields: [...fields] },
  })
}
