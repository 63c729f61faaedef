/** What was given up: settlement plans, reductions and write-offs. */
import { ENDED_STATUSES } from '#shared/orders/order-statuses.ts'
import type { Invariants } from '#gateway/manage/db/invariant.ts'
import { RECEIVABLES } from './ledger/receivables.ts'

const ENDED = `(${ENDED_STATUSES.join(', ')})`

export const WAIVER_INVARIANTS: Invariants = {
  W01: [
    'a settlement plan runs only while its order is overdue, and fines stand still under it',
    `
    select s.id from settlement_plan s join loan_order o on o.id = s.order_id
    where s.state = 'current' and (not (o.status = 50 or (o.status = 43 and o.resume_status = 50))
      or exists (select 1 from repay_plan p where p.order_id = o.id and p.outstanding > 0
      and p.fine_to > s.as_of))`,
  ],
  W02: [
    'a settlement plan is what was asked for and approved, and sums to what was owed',
    `
    select s.id from settlement_plan s join approval a on a.id = s.approval_id
    where a.kind <> 'cure' or a.state <> 'approved' or a.target_id <> s.order_id or a.amount <> s.total
      or s.rows <> a.payload -> 'plan'
      or s.total <> (select sum((x.value ->> 'amount')::bigint) from jsonb_array_elements(s.rows) x)`,
  ],
  W03: [
    'a bad debt is cured once for each of its settlement plans',
    `
    select coalesce(l.order_id, s.order_id) as id
      from (select x.order_id, count(*) as n from order_status_log x where x.from_status = 90
      and x.to_status = 50 and x.cause <> 'reversePayment' group by x.order_id) l
    full join (select y.order_id, count(*) as n from settlement_plan y
      group by y.order_id) s on s.order_id = l.order_id where l.n is distinct from s.n`,
  ],
  W04: [
    'a plan is reduced by what was posted',
    `
    select p.id from repay_plan p
    left join (select e.plan_id, sum(e.credit - e.debit) as reduced from ledger_entry e
      where e.kind in ('reduction', 'reductionReversal', 'coupon', 'couponReversal')
        and e.account in ${RECEIVABLES}
      group by e.plan_id) b on b.plan_id = p.id
    where p.reduced_fees <> coalesce(b.reduced, 0)`,
  ],
  W05: [
    'no principal is reduced',
    `
      select e.txn_id as id
      from ledger_entry e
      where e.kind in ('reduction', 'coupon')
        and e.account in ('principalReceivable', 'doubtfulPrincipal')`,
  ],
  W06: [
    'a reduction gave up what was posted for it, and no more than was approved',
    `
    select d.id from reduction d
    left join (select e.ref_id, sum(e.debit - e.credit) as given from ledger_entry e
      where e.kind = 'reduction' and e.account = 'waiverExpense' group by e.ref_id) b on b.ref_id = d.id
    where d.launched_role is not null
      and (d.used_amount <> coalesce(b.given, 0) or d.used_amount > d.reduce_amount
      or (d.state = 'used') <> (d.used_amount > 0))`,
  ],
  W07: [
    'a loan was repaid with a reduction exactly when one was used',
    `
    select o.id from loan_order o where exists (select 1 from reduction d where d.order_id = o.id
      and d.launched_role is not null)
      and (o.status = 41) <> exists (select 1 from reduction d where d.order_id = o.id and d.state = 'used'
      and d.void_at is null)`,
  ],
  W08: [
    'an order that has ended has no open reduction',
    `
      select d.id
      from reduction d
      join loan_order o on o.id = d.order_id
      where d.launched_role is not null
        and d.state in ('pending', 'approved')
        and o.status in ${ENDED}`,
  ],
  W09: [
    'a plan is waived what was posted',
    `
    select p.id from repay_plan p
    left join (select e.plan_id, sum(e.credit - e.debit) as waived from ledger_entry e
      where e.kind in ('coolingOffWaiver', 'waiverReversal', 'writeOff', 'batchWriteOff')
      and e.account in ${RECEIVABLES} and e.plan_id is not null group by e.plan_id) b on b.plan_id = p.id
    left join (select e.plan_id, sum(e.credit) as carried from ledger_entry e where e.kind = 'rollover'
      and e.account in ${RECEIVABLES} and e.account <> 'fineReceivable'
      group by e.plan_id) r on r.plan_id = p.id
    where p.waived <> coalesce(b.waived, 0) + coalesce(r.carried, 0)
      or (p.payment_status = 'rolledOver') <> (coalesce(r.carried, 0) > 0)`,
  ],
  W10: [
    'a write-off gave up what was posted for it',
    `
    select w.id from write_off w
    left join (select e.ref_id, sum(e.debit - e.credit) as amount from ledger_entry e
      where e.account = 'writeOffExpense' group by e.ref_id) b on b.ref_id = w.id
    join loan_order o on o.id = w.order_id
    where w.type in ('operational', 'batch') and w.operator_id is not null
      and (w.amount <> coalesce(b.amount, 0) or o.status <> case w.type when 'operational' then 100
      else 110 end)`,
  ],
  W11: [
    'a written-off claim is what is not recovered',
    `
    select e.order_id as id from ledger_entry e where e.account in ('recoveryClaim', 'recoveryContra')
      group by e.order_id
    having sum(e.debit - e.credit) <> 0
      or sum(e.debit - e.credit) filter (where e.account = 'recoveryClaim') < 0`,
  ],
  W12: [
    'a write-off by payment waits exactly as long as its payment',
    `
    select w.id from write_off w join repay_record r on r.id = w.record_id
      where (w.state = 'pending') <> (r.pay_state = 'inProgress')
      or (w.state = 'done') <> (r.pay_state = 'success')`,
  ],
  // what a payment brings after its reduction was used is surplus, and counts nothing
  W15: [
    'a used reduction brought in what was paid since it was approved',
    `
    select d.id from reduction d
    left join (
      select x.id, sum(e.debit - e.credit) filter (where e.account = 'cashClearing') - coalesce(sum(e.credit
        - e.debit) filter (where e.account = 'customerCredit'), 0) as amount
      from reduction x join repay_record r on r.order_id = x.order_id and r.confirmed_at >= x.decided_at
        and r.reversed_at is null join ledger_entry e on e.order_id = r.order_id and e.ref_id = r.id
      where x.state = 'used' group by x.id
    ) b on b.id = d.id
    where d.launched_role is not null and d.state = 'used' and d.void_at is null
      and d.recovered_amount <> coalesce(b.amount, 0)`,
  ],
  W13: [
    'a reduction is decided by somebody else',
    `select d.id from reduction d where d.decided_by = d.launched_by`,
  ],
  W14: [
    'an operational write-off blacklists',
    `
      select o.id
      from loan_order o
      where o.status = 100
        and not exists (
          select 1
          from blacklist b
          where b.customer_id = o.customer_id
            and b.source = 'operationalWriteOff'
        )`,
  ],
}
