-- Extensions: which order went on as which, and what was paid for it.
create table extension (
  order_id text primary key references loan_order (id),
  new_order_id text not null unique references loan_order (id),
  -- paise; the commission is a part of the fee
  fee bigint not null check (fee >= 0),
  commission bigint not null check (commission >= 0 and commission <= fee),
  days int not null check (days >= 1),
  -- of the loan that was paid out: its first, its second
  serial_no int not null check (serial_no >= 1),
  record_id text not null unique references repay_record (id),
  created_at timestamptz not null default clock_timestamp()
);
-- from before: the fee stands in the ledger, the number follows from the orders behind it
with recursive chain as (
  select o.id, o.from_order_id, o.tenure_days, 1 as serial_no from loan_order o join loan_order f on f.id = o.from_order_id where f.from_order_id is null
  union all
  select o.id, o.from_order_id, o.tenure_days, c.serial_no + 1 from loan_order o join chain c on c.id = o.from_order_id
)
insert into extension (order_id, new_order_id, fee, commission, days, serial_no, record_id, created_at)
select c.from_order_id, c.id, f.fee, f.commission, c.tenure_days, c.serial_no, r.id, r.confirmed_at
from chain c
join lateral (select x.id, x.confirmed_at from repay_record x where x.order_id = c.from_order_id and x.repayment_type = 'rollover' and x.pay_state = 'success' limit 1) r on true
join lateral (
  select coalesce(sum(e.credit), 0)::bigint as fee, coalesce(sum(e.credit) filter (where e.account = 'commissionPayable'), 0)::bigint as commission
  from ledger_entry e where e.order_id = c.from_order_id and e.kind = 'rollover' and e.account in ('extensionFeeIncome', 'commissionPayable')
) f on true;
