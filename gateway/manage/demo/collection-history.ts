/**
 * What the figures of collection count, worked out of the cases, contacts and payments of the demo:
 * bills, promises that ended, reductions, first contacts.
 */
import { sql } from 'kysely'
import type { Trx } from '#gateway/manage/db/transaction.ts'

/** @param asOf instant the book is of, milliseconds */
export async function seedCollectionHistory(trx: Trx, asOf: number): Promise<void> {
  const now = sql`${new Date(asOf).toISOString()}::timestamptz`
  // a payment is credited to the holder who had the case at that time
  await sql`
    insert into recovery_bill (record_id, case_id, order_id, customer_id, stage_id, overdue_days, agency_id,
      department_id, group_id, collector_id, amount, principal, fees, channel, paid_at, extension,
      commission, created_at)
    select r.id, c.id, c.order_id, c.customer_id, c.stage_id, greatest(0,
      c.overdue_days - ((coalesce(c.ended_at,
      ${now}) at time zone 'Asia/Kolkata')::date - (r.paid_at at time zone 'Asia/Kolkata')::date)),
      h.agency_id, h.department_id, h.group_id, h.collector_id,
      r.amount - r.surplus, b.principal, r.amount - r.surplus - b.principal, r.channel, r.paid_at,
        x.record_id is not null, coalesce(x.commission, 0), r.confirmed_at
    from collection_case c
    join repay_record r on r.order_id = c.order_id and r.pay_state = 'success' and r.paid_at >= c.created_at
      and (c.ended_at is null or r.paid_at <= c.ended_at) and r.amount > r.surplus
    left join extension x on x.record_id = r.id
    left join lateral (select c.agency_id, c.department_id, c.group_id, c.collector_id
      where c.allocated_at <= r.paid_at) h on true
    cross join lateral (select coalesce(sum(e.credit - e.debit), 0)::bigint as principal from ledger_entry e
      where e.order_id = r.order_id and e.ref_id = r.id and e.kind = 'repayment'
      and e.account in ('principalReceivable', 'doubtfulPrincipal')) b
    order by r.paid_at, r.id`.execute(trx)
  await sql`
    update collection_case c set recovered = b.amount
      from (select x.case_id, sum(x.amount) as amount from recovery_bill x group by x.case_id) b
      where b.case_id = c.id`.execute(trx)
  await sql`
    update case_allocation m set outstanding = c.outstanding + coalesce((select sum(b.amount)
      from recovery_bill b where b.case_id = m.case_id and b.paid_at >= m.at), 0) from collection_case c
      where c.id = m.case_id`.execute(trx)
  await sql`
    update call_log l set first_contact_sec = greatest(0, extract(epoch
      from l.started_at - c.allocated_at))::int from collection_case c
    where c.id = l.case_id and c.collector_id = l.user_id
      and l.id = (select x.id from call_log x where x.case_id = c.id order by x.started_at limit 1)`.execute(
    trx,
  )
  // a day's target is a little more than what the last two weeks brought, in whole ten thousand
  // rupees
  await sql`
    update stage s set daily_target = greatest(1, round(b.amount * 1.1 / 14 / 1000000)) * 1000000
    from (select stage_id, sum(amount) as amount from recovery_bill
      where paid_at >= ${now} - interval '14 days' group by stage_id) b where b.stage_id = s.stage_id`.execute(
    trx,
  )
  // one of customer service asked for the stop, a manager granted it
  await sql`
    update stop_collection s set applied_by = a.id, applied_by_name = a.user_name, decided_by = d.id,
      decided_by_name = d.user_name
    from (select id, user_name from sys_user
      where role_id = (select id from sys_role where unique_mark = 'customer_service') order by id
      limit 1) a,
      (select id, user_name from sys_user
        where role_id = (select id from sys_role where unique_mark = 'manager') order by id limit 1) d`.execute(
    trx,
  )
  // promises that were kept, and those the case records as broken
  await sql`
    insert into case_promise (case_id, collector_id, agency_id, department_id, group_id, stage_id, made_at,
      due_at, amount, state, settled_at)
    select c.id, c.collector_id, c.agency_id, c.department_id, c.group_id, c.stage_id, c.last_follow_at,
      greatest(c.ended_at, c.last_follow_at + interval '6 hours'), b.amount, 'kept', c.ended_at
    from collection_case c join lateral (select sum(x.amount) as amount from recovery_bill x
      where x.case_id = c.id and x.paid_at >= c.last_follow_at) b on b.amount > 0
    where c.state = 'closed' and c.collector_id is not null and c.last_willingness in (1, 4)`.execute(
    trx,
  )
  await sql`
    insert into case_promise (case_id, collector_id, agency_id, department_id, group_id, stage_id, made_at,
      due_at, amount, state, settled_at)
    select c.id, c.collector_id, c.agency_id, c.department_id, c.group_id, c.stage_id,
      c.allocated_at + interval '2 hours', c.allocated_at + interval '10 hours', c.outstanding, 'broken',
      (date_trunc('day', c.allocated_at at time zone 'Asia/Kolkata') + interval '1 day 5 minutes') at time
      zone 'Asia/Kolkata'
    from collection_case c where c.ptp_state = 'broken' and c.outstanding > 0
      and c.allocated_at < ${now} - interval '1 day'`.execute(trx)
  await sql`
    insert into reduction (order_id, plan_id, customer_id, items, amount_due, reduce_amount, pay_amount,
      cap_amount, valid_until, state, reason, launched_by, launched_by_name, launched_at, decided_by,
      decided_by_name, decided_at, case_id, stage_id, agency_id,
      department_id, group_id, collector_id, used_at, used_amount, recovered_amount, version)
    select p.order_id, p.id, o.customer_id, jsonb_build_object('interest', 0, 'serviceFee', 0,
      'overdueFine', p.reduced_fees), p.paid_amount + p.reduced_fees, p.reduced_fees, p.paid_amount,
      greatest(1, p.overdue_fine * 70 / 100),
      (p.reduction_at at time zone 'Asia/Kolkata')::date + 2, 'used', 'Pays all of it at once',
        c.collector_id, coalesce(u.user_name, 'Team leader'), p.reduction_at - interval '50 minutes', l.id,
        coalesce(l.user_name, 'Manager'), p.reduction_at - interval '20 minutes',
      c.id, c.stage_id, c.agency_id, c.department_id, c.group_id, c.collector_id, p.reduction_at,
        p.reduced_fees, p.paid_amount, 3
    from repay_plan p join loan_order o on o.id = p.order_id
    join collection_case c on c.order_id = p.order_id and c.ended_at is not null
      and p.reduction_at <= c.ended_at + interval '1 minute'
    left join sys_user u on u.id = c.collector_id
    left join lateral (select x.id, x.user_name from sys_user x join sys_role g on g.id = x.role_id
      where g.unique_mark = 'manager' order by x.id limit 1) l on true
    where p.reduced_fees > 0 and p.reduction_at is not null
      and not exists (select from ledger_entry e where e.plan_id = p.id and e.kind = 'coupon')
      order by p.reduction_at, p.id`.execute(trx)
  // accounts that were given up
  await sql`
    insert into write_off (order_id, customer_id, type, state, repayment_date, amount, outstanding_before,
      result_status, reason, operator_name, created_at, done_at)
    select o.id, o.customer_id, case o.status when 100 then 'operational'
      else 'batch' end, 'done', (l.at at time zone 'Asia/Kolkata')::date, w.amount, w.amount, o.status,
      l.note, coalesce(l.by_name, 'Manager'), l.at, l.at
    from loan_order o
    join order_status_log l on l.order_id = o.id and l.to_status = o.status
    join lateral (select sum(e.debit) as amount from ledger_entry e where e.order_id = o.id
      and e.account = 'writeOffExpense') w on w.amount > 0
    where o.status in (100, 110) order by l.at, o.id`.execute(trx)
}
