/** Receives the bank account that the customer was asked for after a failed transfer. */
import { sql } from 'kysely'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import {
  replaceCustomerData,
  type Resubmission,
} from '#gateway/manage/features/customers/public.ts'
import { emitOrder } from '../emit-order.ts'
import { orderPath } from '#shared/orders/order-path.ts'

/** @returns whether the data was stored: only an account that was asked for is accepted here */
export async function takeAccount(
  tx: CommandTx,
  { orderId, customerId }: { orderId: string; customerId: string },
  { bankCard, ...others }: Resubmission,
): Promise<boolean> {
  if (bankCard === undefined || Object.values(others).some((value) => value !== undefined))
    return false
  const { rows } = await sql<{ handling_method: string | null; asked_by: string | null }>`
    select t.handling_method, t.asked_by from loan_order o join payout_transfer t on t.order_id = o.id
    where o.id = ${orderId} and o.status = 31 order by t.attempt_no desc limit 1`.execute(tx.db)
  const last = rows[0]
  if (last?.handling_method !== 'customerUpdatesAccount') return false
  await replaceCustomerData(tx, customerId, { bankCard })
  await emitOrder(tx, orderId, null, ['bankCard'])
  if (last.asked_by !== null)
    tx.notify({
      userId: last.asked_by,
      kind: 'system',
      titleKey: 'orders:notification.accountArrived',
      params: { orderId },
      route: orderPath(orderId, 'wait_relent'),
    })
  tx.log({
    action: 'resubmit',
    targetKind: 'order',
    targetId: orderId,
    after: { bound: bankCard.bound },
  })
  return true
}
