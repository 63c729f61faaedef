/** A payout vendor reports success after fail, or fail after success: a person decides. */
import { sql } from 'kysely'
import { PAYOUT_CHANGED } from '#shared/orders/orders-live.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
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
  await notifyThoseWhoMayAct(
    tx,
    { transferId, orderId },
    {
      titleKey: `orders:notification.conflict.${result}`,
      route: '/order_management/loan_list?tab=transfers&conflict=true',
    },
  )
}

/**
 * Marks a transfer that its vendor accepted and does not know any more, and notifies once: only the
 * vendor's staff know where the money is.
 */
export async function markLost(tx: CommandTx, platformOrderNo: string): Promise<void> {
  const { rows } = await sql<{ id: string; order_id: string }>`
    update payout_transfer set lost_at = clock_timestamp(), updated_at = clock_timestamp(),
      version = version + 1
    where platform_order_no = ${platformOrderNo} and pay_state = 'inProgress' and lost_at is null
    returning id, order_id`.execute(tx.db)
  const lost = rows[0]
  if (!lost) return
  const of = { transferId: lost.id, orderId: lost.order_id }
  await emitTransfer(tx, lost.id)
  await notifyThoseWhoMayAct(tx, of, {
    titleKey: 'orders:notification.lost',
    route: `/order_management/loan_list?tab=transfers&platformOrderNo=${platformOrderNo}`,
  })
  tx.log({ action: 'transferLost', targetKind: 'transfer', targetId: lost.id, after: of })
}

export async function isMarkedLost(db: Db, platformOrderNo: string): Promise<boolean> {
  const { rows } = await sql`
    select from payout_transfer t
    where t.platform_order_no = ${platformOrderNo} and t.lost_at is not null`.execute(db)
  return rows.length > 0
}

export async function notifyThoseWhoMayAct(
  tx: CommandTx,
  params: { transferId: string; orderId: string } | { count: number },
  notification: { titleKey: string; route: string },
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select distinct u.id from sys_user u join sys_role_menu m on m.role_id = u.role_id
    where m.menu_id = 'M_wait_relent' and m.buttons && array['handle', 'approve']
      and u.status in ('enabled', 'normal') order by u.id limit 50`.execute(tx.db)
  for (const { id: userId } of rows) tx.notify({ userId, kind: 'system', params, ...notification })
}

/** Emits a transfer as it is now. */
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
