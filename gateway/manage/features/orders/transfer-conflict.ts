/** A payout vendor says success after fail, or fail after success: work for a person. */
import { sql } from 'kysely'
import { PAYOUT_CHANGED } from '#shared/orders/orders-live.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { orderRooms } from './order-rooms.ts'

interface SecondResult {
  transferId: string
  orderId: string
  result: 'success' | 'fail'
  utr: string | null
}

/** Marks a locked transfer, and notifies those who may find out where the money is. */
export async function markTransfer(
  tx: CommandTx,
  { transferId, orderId, result, utr }: SecondResult,
): Promise<void> {
  await sql`
    update payout_transfer set conflict = ${result}, conflict_at = clock_timestamp(),
      conflict_utr = ${utr}, conflict_outcome = null, conflict_ended_at = null,
      updated_at = clock_timestamp(), version = version + 1 where id = ${transferId}`.execute(tx.db)
  await emitTransfer(tx, transferId)
  const { rows } = await sql<{ id: string }>`
    select distinct u.id from sys_user u join sys_role_menu m on m.role_id = u.role_id
    where m.menu_id = 'M_wait_relent' and m.buttons && array['handle', 'approve']
      and u.status in ('enabled', 'normal') order by u.id limit 50`.execute(tx.db)
  for (const { id: userId } of rows)
    tx.notify({
      userId,
      kind: 'system',
      titleKey: `orders:notification.conflict.${result}`,
      params: { transferId, orderId },
      route: '/order_management/loan_list?tab=transfers&conflict=true',
    })
}

/** Emits a transfer as it stands now. */
export async function emitTransfer(tx: CommandTx, transferId: string): Promise<void> {
  const { rows } = await sql<{
    order_id: string
    pay_state: string
    attempt_no: number
    fail_reason: string | null
    handling_method: string | null
    version: number
  }>`
    select t.order_id, t.pay_state, t.attempt_no, t.fail_reason, t.handling_method, t.version
    from payout_transfer t where t.id = ${transferId}`.execute(tx.db)
  const row = rows[0]
  if (!row) return
  tx.emit(PAYOUT_CHANGED, {
    subject: `transfer:${transferId}`,
    version: row.version,
    rooms: orderRooms(row.order_id),
    data: {
      transferId,
      orderId: row.order_id,
      payState: row.pay_state,
      attemptNo: row.attempt_no,
      failReason: row.fail_reason,
      handlingMethod: row.handling_method,
    },
  })
}
