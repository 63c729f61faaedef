/** What orders and transfers know of customers. */
import { sql } from 'kysely'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { ERASED, eraseRows, type PersonalData } from '#gateway/manage/kernel/personal-data.ts'
import type { Retained } from '#gateway/manage/kernel/retained.ts'

/**
 * What was noted in the timelines of ended orders. Their lines stay as long as their orders: the
 * proofs of the book read them.
 */
export const KEPT_NOTES: Retained = {
  name: 'orderNotes',
  table: 'order_status_log',
  term: 'retention.orderNoteDays',
  atLeast: 365,
  isOver: (before) => sql`r.note is not null and r.at < ${before} and exists (
    select from loan_order o where o.id = r.order_id and o.closed_at < ${before})`,
  emptied: sql`note = null`,
}

/** A batch write-off keeps its claim, a contradicted transfer and a stray payout theirs. */
export const orderData: PersonalData = {
  name: 'orders',
  isHeld: sql`exists (
    select from loan_order o where o.customer_id = c.id and (
      o.status not in (21, 23, 27, 40, 41, 70, 80, 100, 110)
      or exists (select from payout_transfer t where t.order_id = o.id and (t.pay_state = 'inProgress'
        or (t.conflict is not null and t.conflict_ended_at is null)))))`,
  lastAt: sql`(
    select max(greatest(o.created_at, o.closed_at, o.updated_at))
    from loan_order o where o.customer_id = c.id)`,
  erase,
}

async function erase(tx: CommandTx, id: string): Promise<Record<string, number>> {
  const orders = sql`select o.id from loan_order o where o.customer_id = ${id}`
  const { rows } = await sql<{ id: string }>`
    select t.id from payout_transfer t where t.order_id in (${orders})`.execute(tx.db)
  // each seal is bound to its row
  for (const transfer of rows)
    await sql`
      update payout_transfer set payee_name = ${ERASED}, account_last4 = '', ifsc = '',
        account_enc = ${tx.context.secrets.seal('payout_transfer.account_enc', transfer.id, '')},
        fail_reason = case when fail_reason is null then null else ${ERASED} end,
        handling_remark = null
      where id = ${transfer.id}`.execute(tx.db)
  return {
    ...(rows.length === 0 ? {} : { payout_transfer: rows.length }),
    ...(await eraseRows(tx, {
      order_remark: sql`delete from order_remark where order_id in (${orders})`,
      order_status_log: sql`
        update order_status_log set note = null where note is not null and order_id in (${orders})`,
      loan_order: sql`
        update loan_order set fail_reason = ${ERASED}
        where fail_reason is not null and customer_id = ${id}`,
    })),
  }
}
