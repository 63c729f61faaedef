/** Orders: status, timeline and payouts. */
import { ENDED_STATUSES } from '#shared/orders/order-statuses.ts'
import type { Invariants } from '#gateway/manage/db/invariant.ts'

const ENDED = `(${ENDED_STATUSES.join(', ')})`

export const ORDER_INVARIANTS: Invariants = {
  O07: [
    'money is lent only to orders that were disbursed',
    `
    select o.id from loan_order o
    where (o.status in (30, 40, 41, 43, 50, 80, 90, 100, 110)) <> (o.disbursed_at is not null
      and exists (select 1 from repay_plan p where p.order_id = o.id))`,
  ],
  O08: [
    'the close type follows from the status',
    `
    select o.id from loan_order o
    where o.close_type <> case when o.status in (40, 41) then 'repaidClosed'
      when o.status = 80 then 'extensionClosed' when o.status in (100, 110) then 'writeOffClosed'
      else 'notClosed' end
      or (o.closed_at is not null) <> (o.status in ${ENDED})`,
  ],
  O15: [
    'the timeline of an order is one chain that ends at its status',
    `
    select distinct t.order_id as id from (
      select l.order_id, l.from_status, l.to_status, lag(l.to_status) over w as before,
        lead(l.to_status) over w as after, o.status
      from order_status_log l join loan_order o on o.id = l.order_id
      window w as (partition by l.order_id order by l.id)
    ) t where t.from_status is distinct from t.before or (t.after is null and t.to_status <> t.status)
    union
    select o.id from loan_order o where not exists (select 1 from order_status_log l
      where l.order_id = o.id)`,
  ],
  P06: [
    'an order has a transfer under way exactly while it is disbursing',
    `
    select o.id from loan_order o
    left join (select t.order_id, count(*) as under_way from payout_transfer t
      where t.pay_state = 'inProgress' group by t.order_id) t on t.order_id = o.id
    where coalesce(t.under_way, 0) <> case when o.status = 29 then 1 else 0 end`,
  ],
  P07: [
    'an order is paid out at most once',
    `
      select t.order_id as id
      from payout_transfer t
      where t.pay_state = 'success'
      group by t.order_id
      having count(*) > 1`,
  ],
  P08: [
    'what was paid out is what order, transfer and ledger say',
    `
    select o.id from loan_order o
    left join (
      select e.order_id, sum(e.credit - e.debit) filter (where e.account = 'payoutClearing') as arrived,
        sum(e.credit - e.debit) filter (where e.account in ('serviceChargeIncome', 'gstPayable')) as charge,
        sum(e.debit - e.credit) filter (where e.account = 'principalReceivable') as principal,
          sum(e.debit - e.credit) filter (where e.account = 'interestReceivable') as interest
      from ledger_entry e where e.kind in ('disbursement', 'interestDue') group by e.order_id
    ) l on l.order_id = o.id
    left join (select t.order_id, sum(t.amount) as sent from payout_transfer t where t.pay_state = 'success'
      group by t.order_id) t on t.order_id = o.id
    where case when o.disbursed_at is null
      or exists (select 1 from extension x where x.new_order_id = o.id) then l.order_id is not null
      or t.order_id is not null
      else (coalesce(t.sent, 0), coalesce(l.arrived, 0), coalesce(l.charge, 0), coalesce(l.principal, 0),
        coalesce(l.interest, 0)) <> (o.arrival_amount, o.arrival_amount, o.service_charge, o.amount,
        o.interest) end`,
  ],
  P09: [
    'money that left beside a loan is a failed transfer that paid after all',
    `
    select e.txn_id as id from ledger_entry e left join payout_transfer t on t.id = e.ref_id
    where e.kind = 'strayPayout' and e.account = 'payoutRecoverable'
      and (t.order_id, t.pay_state, t.conflict_outcome, t.amount)
        is distinct from (e.order_id, 'fail', 'paid', e.debit)`,
  ],
  P10: [
    'of money that left beside a loan is open what did not come back',
    `
    select t.id from payout_transfer t
    left join (select e.ref_id, sum(e.debit - e.credit) as amount from ledger_entry e
      where e.kind = 'strayPayout' and e.account = 'payoutRecoverable' group by e.ref_id) e on e.ref_id = t.id
    left join (select b.transfer_id, sum(b.amount) as amount from payout_return b
      group by b.transfer_id) b on b.transfer_id = t.id
    where t.stray_open <> coalesce(e.amount, 0) - coalesce(b.amount, 0)
    union all
    select coalesce(b.id, e.ref_id) from payout_return b
    full join (select e.ref_id, e.order_id, sum(e.credit - e.debit) as amount from ledger_entry e
      where e.kind = 'strayReturn' and e.account = 'payoutRecoverable'
      group by e.ref_id, e.order_id) e on e.ref_id = b.id
    where (b.amount, b.order_id) is distinct from (e.amount, e.order_id)`,
  ],
  O16: [
    'a customer has one open order',
    `
      select o.customer_id as id
      from loan_order o
      where o.status not in ${ENDED}
      group by o.customer_id
      having count(*) > 1`,
  ],
}
