/** Rows of recovery_bill: a payment and who is credited with it. A bill is never changed; a reversal is a bill of its own. */
import { sql } from 'kysely'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import type { LockedCase } from '../case-store.ts'

export interface BilledPayment {
  recordId: string
  /** Paise counted against the loan, and of them those that cleared principal. */
  amount: number
  principal: number
  channel: number
  /** What was paid is the price of an extension; paise of it that are owed for its sale. */
  extension?: { commission: number }
  /** Instant it was paid, ISO 8601: who held the case then is credited, however late the money was told. */
  payTime: string
}

/** Credits a payment to the holder of the locked case at the time it was paid; to nobody while the case waited in a pool. */
export async function writeBill(
  cx: Cx,
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
    insert into recovery_bill (record_id, case_id, order_id, customer_id, stage_id, overdue_days, agency_id, department_id, group_id, collector_id, amount, principal, fees, channel, paid_at, extension, commission)
    select ${recordId}, ${id}, ${orderId}, ${customerId}, ${stageId}, ${overdueDays}, h.to_agency_id, h.to_department_id, h.to_group_id, h.to_user_id, ${amount}, ${principal}, ${amount - principal}, ${channel}, ${payTime}::timestamptz, ${extension !== undefined}, ${extension?.commission ?? 0}
    from (values (1)) as one (n)
    left join lateral (select m.to_agency_id, m.to_department_id, m.to_group_id, m.to_user_id from case_allocation m where m.case_id = ${id} and m.at <= ${payTime}::timestamptz order by m.at desc, m.id desc limit 1) h on true
    on conflict (record_id) where amount > 0 do nothing`.execute(cx.db)
}

/** Takes the credit of a reversed payment back from who had it, on the day it is reversed: sums of days that are over never change. */
export async function reverseBill(cx: Cx, recordId: string): Promise<void> {
  await sql`
    insert into recovery_bill (record_id, case_id, order_id, customer_id, stage_id, overdue_days, agency_id, department_id, group_id, collector_id, amount, principal, fees, channel, paid_at, extension, commission)
    select b.record_id, b.case_id, b.order_id, b.customer_id, b.stage_id, b.overdue_days, b.agency_id, b.department_id, b.group_id, b.collector_id, -b.amount, -b.principal, -b.fees, b.channel, clock_timestamp(), b.extension, -b.commission
    from recovery_bill b where b.record_id = ${recordId} and b.amount > 0
    on conflict (record_id) where amount < 0 do nothing`.execute(cx.db)
}
