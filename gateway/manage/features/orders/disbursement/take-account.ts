/** The account a customer was asked for after his transfer failed arrives. */
import { sql } from 'kysely'
import { ORDER_UPDATED } from '#shared/orders/orders-live.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import {
  replaceCustomerData,
  type Resubmission,
} from '#gateway/manage/features/customers/public.ts'
import { roomsOfOrder } from '../move-order.ts'

/** @returns whether this order waits for it; other data, or data nobody asked for, is not taken here */
export async function takeAccount(
  cx: Cx,
  { orderId, customerId }: { orderId: string; customerId: string },
  { bankCard, ...others }: Resubmission,
): Promise<boolean> {
  if (bankCard === undefined || Object.values(others).some((value) => value !== undefined))
    return false
  const { rows } = await sql<{ handling_method: string | null; asked_by: string | null }>`
    select t.handling_method, t.asked_by from loan_order o join payout_transfer t on t.order_id = o.id
    where o.id = ${orderId} and o.status = 31 order by t.attempt_no desc limit 1`.execute(cx.db)
  const last = rows[0]
  if (last?.handling_method !== 'customerUpdatesAccount') return false
  await replaceCustomerData(cx, customerId, { bankCard })
  cx.emit(ORDER_UPDATED, {
    subject: `order:${orderId}`,
    rooms: await roomsOfOrder(cx.db, orderId),
    data: { orderId, fields: ['bankCard'] },
  })
  if (last.asked_by !== null)
    cx.notify({
      userId: last.asked_by,
      kind: 'system',
      titleKey: 'orders:notice.accountArrived',
      params: { orderId },
      route: `/detail?orderId=${orderId}&from=wait_relent`,
    })
  cx.log({
    action: 'resubmit',
    targetKind: 'order',
    targetId: orderId,
    after: { bound: bankCard.bound },
  })
  return true
}
