/**
 * Reminders of the demo: each instalment that fell due in the last three months, three days, one day
 * and no day before, as far as it was open then.
 */
import { sql } from 'kysely'
import type { Trx } from '#gateway/manage/db/transaction.ts'

const DAYS = 90

/** @param today last IST day */
export async function seedReminders(trx: Trx, today: string): Promise<void> {
  await sql`
    insert into message_log (customer_id, way, template, plan_id, state, vendor_ref, at)
    select s.customer_id, 'sms', 'dueReminder', s.plan_id,
      case when s.luck < 4 then 'failed' else 'sent' end,
      case when s.luck >= 4 then 'SB-remind:' || s.plan_id || ':' || s.day end, s.at
    from (
      select o.customer_id, p.id as plan_id, p.due_at - b.days as day,
        abs(hashtext(p.id || b.days)) % 100 as luck,
        (p.due_at - b.days + time '09:05' + make_interval(mins => abs(hashtext(p.id)) % 40))
          at time zone 'Asia/Kolkata' as at
      from repay_plan p
      join loan_order o on o.id = p.order_id
      cross join (values (3), (1), (0)) b (days)
      where p.due_at - b.days >= ${today}::date - ${sql.lit(DAYS)} and p.due_at - b.days < ${today}::date
        and ist_day(o.disbursed_at) < p.due_at - b.days
        and p.kind = 'instalment' and p.payment_status <> 'dropped'
        and (p.actual_repayment_at is null or ist_day(p.actual_repayment_at) >= p.due_at - b.days)
    ) s
    order by s.at, s.plan_id`.execute(trx)
}
