/**
 * Rows of `recovery_bill`: a payment and the person credited with it. A bill never changes; a
 * reversal is a separate bill.
 */
import { sql } from 'kysely'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import type { LockedCase } from '../case-store.ts'

export interface BilledPayment {
  recordId: string
  /** Paise applied to the loan, and the part of them that cleared principal. */
  amount: number
  principal: number
  channel: number
  /** The payment is the price of an extension; the sales commission in paise. */
  extension?: { commission: number }
  /** Instant of the payment, ISO 8601: its holder then is credited, however late it is reported. */
  payTime: string
}

/**
 * Credits a payment to the holder of the locked case at the time of payment; to nobody while the
 * case was in a pool.
 */
export async function writeBill(
  tx: CommandTx,
  {
    id,
    order_id: orderId,
    customer_id: customerId,
    stage_id: stageId,
    overdue_days: overdueDays,
  }: LockedCase,
  { recordId, amount, principal, channel, payTime, extension }: BilledPayment,
): Promise<void> {
  await sql`
    insert into recovery_bill (record_id, case_id, order_id, customer_id, stage_id, overdue_days, agency_id,
      department_id, group_id, collector_id, amount, principal, fees, channel, paid_at, extension,
      commission)
    select ${recordId}, ${id}, ${orderId}, ${customerId}, ${stageId}, ${overdueDays}, h.to_agency_id,
      h.to_department_id, h.to_group_id, h.to_user_id, ${amount}, ${principal}, ${amount - principal},
      ${channel}, ${payTime}::timestamptz, ${extension !== undefined}, ${extension?.commission ?? 0}
    from (values (1)) as one (n)
    left join lateral (select m.to_agency_id, m.to_department_id, m.to_group_id, m.to_user_id
      from case_allocation m where m.case_id = ${id} and m.at <= ${payTime}::timestamptz
      order by m.at desc, m.id desc limit 1) h on true
    on conflict (record_id) where amount > 0 do nothing`.execute(tx.db)
}

/** Debits a reversed payment on the day of the reversal: sums of past days never change. */
export async function reverseBill(tx: CommandTx, recordId: string): Promise<void> {
  await sql`
    insert into recovery_bill (record_id, case_id, order_id, customer_id, stage_id, overdue_days, agency_id,
      department_id, group_id, collector_id, amount, principal, fees, channel, paid_at, extension,
      commission)
    select b.record_id, b.case_id, b.order_id, b.customer_id, b.stage_id, b.overdue_days, b.agency_id,
      b.department_id, b.group_id, b.collector_id, -b.amount, -b.principal, -b.fees, b.channel,
      clock_timestamp(), b.extension, -b.commission
    from recovery_bill b where b.record_id = ${recordId} and b.amount > 0
    on conflict (record_id) where amount < 0 do nothing`.execute(tx.db)
}
