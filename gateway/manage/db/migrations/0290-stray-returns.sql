-- Money that left beside a loan and came back, in one part or several.
create sequence payout_return_id_seq start 10000001;
create table payout_return (
  id text primary key default 'PB' || nextval('payout_return_id_seq'),
  transfer_id text not null references payout_transfer (id),
  order_id text not null references loan_order (id),
  -- paise
  amount bigint not null check (amount > 0),
  -- of the bank's transfer back: booked once
  utr text not null unique,
  approval_id text not null unique references approval (id),
  booked_at timestamptz not null default clock_timestamp()
);
create index payout_return_transfer on payout_return (transfer_id);

-- What has not come back yet, paise.
alter table payout_transfer
  add column stray_open bigint not null default 0 check (stray_open >= 0 and stray_open <= amount);
update payout_transfer t set stray_open = e.amount
from (select e.ref_id, sum(e.debit - e.credit) as amount from ledger_entry e
  where e.account = 'payoutRecoverable' group by e.ref_id) e
where e.ref_id = t.id;
create index payout_transfer_stray on payout_transfer (created_at desc, id desc) where stray_open > 0;

alter table approval drop constraint approval_kind_check;
alter table approval add constraint approval_kind_check check (kind in ('reversePayment', 'cure',
  'redisburse', 'transferPaid', 'transferNotPaid', 'paymentStands', 'batchWriteOff', 'roleEdit',
  'export', 'ruleEnable', 'strayReturned'));
