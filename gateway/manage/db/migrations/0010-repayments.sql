-- Payments coming in, what an instalment still owes part by part, and the days that were opened.

-- A payment clears parts in an order and fines grow on the open principal, so each part's open balance is kept. Rows from before
-- get it from the ledger.
alter table repay_plan
  add column open_principal bigint,
  add column open_interest bigint,
  add column open_service bigint,
  add column open_fine bigint,
  -- IST day up to which fines are posted; null = none yet
  add column fine_to date;
update repay_plan p set open_principal = b.principal, open_interest = b.interest, open_service = b.service, open_fine = b.fine, fine_to = b.fine_to
from (
  select x.id,
    coalesce(sum(e.debit - e.credit) filter (where e.account in ('principalReceivable', 'doubtfulPrincipal')), 0) as principal,
    coalesce(sum(e.debit - e.credit) filter (where e.account = 'interestReceivable'), 0) as interest,
    coalesce(sum(e.debit - e.credit) filter (where e.account = 'serviceReceivable'), 0) as service,
    coalesce(sum(e.debit - e.credit) filter (where e.account = 'fineReceivable'), 0) as fine,
    max(e.biz_date) filter (where e.kind = 'overdueFine') as fine_to
  from repay_plan x left join ledger_entry e on e.plan_id = x.id group by x.id
) b where b.id = p.id;
alter table repay_plan
  alter column open_principal set not null,
  alter column open_interest set not null,
  alter column open_service set not null,
  alter column open_fine set not null,
  add check (open_principal >= 0 and open_interest >= 0 and open_service >= 0 and open_fine >= 0),
  add check (open_principal + open_interest + open_service + open_fine = outstanding);

create index loan_order_running on loan_order (id) where status in (30, 43, 50, 90);

create sequence record_id_seq start 10000001;
create table repay_record (
  id text primary key default 'RR' || nextval('record_id_seq'),
  -- null: the channel named an order nobody knows here; parked until a person looks
  order_id text references loan_order (id),
  told_order_id text not null,
  -- the instalment it was meant for; what it cleared stands in the ledger
  plan_id text references repay_plan (id),
  customer_id text references customer (id),
  repayment_type text not null check (repayment_type in ('full', 'partial', 'rollover', 'coolingOff')),
  amount bigint not null check (amount > 0),
  -- part of the amount that no debt was left for: customer credit, to be refunded
  surplus bigint not null default 0 check (surplus >= 0 and surplus <= amount),
  utr text,
  upi_enc bytea,
  upi_masked text,
  channel int not null check (channel between 1 and 4),
  bank_code text,
  pay_state text not null default 'inProgress' check (pay_state in ('inProgress', 'success', 'fail')),
  source text not null check (source in ('customer', 'staff', 'proof', 'writeOff', 'callback')),
  -- why a person should look at it
  flag text check (flag in ('unknownOrder', 'notPayable', 'surplus', 'recovery')),
  -- when the money was paid: its IST day is the value date
  paid_at timestamptz not null,
  confirmed_at timestamptz,
  operator_id text references sys_user (id),
  operator_name text not null,
  confirmer_id text references sys_user (id),
  confirmer_name text,
  fail_reason text,
  remark text,
  -- payment channel and its number, when it came by itself
  vendor_code text,
  vendor_order_no text,
  reversed_at timestamptz,
  reversed_by text,
  reverse_reason text,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  version int not null default 1,
  check ((pay_state = 'success') <= (confirmed_at is not null and utr is not null)),
  check ((order_id is null) <= (flag is not distinct from 'unknownOrder' and pay_state <> 'success'))
);
-- a transfer of money is booked once, while it stands
create unique index repay_record_utr on repay_record (utr) where utr is not null and pay_state <> 'fail' and reversed_at is null;
create unique index repay_record_vendor on repay_record (vendor_code, vendor_order_no) where vendor_order_no is not null;
create index repay_record_order on repay_record (order_id, paid_at desc);
create index repay_record_customer on repay_record (customer_id);
create index repay_record_paid on repay_record (paid_at desc, id desc);
create index repay_record_open on repay_record (created_at) where pay_state = 'inProgress';
create index repay_record_flag on repay_record (flag) where flag is not null;

-- One row per IST day that was begun; `cursor_id` is the last order done, so that a crash resumes behind it.
create table day_opening (
  day date primary key,
  started_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  cursor_id text not null default '',
  orders int not null default 0,
  overdue int not null default 0,
  bad int not null default 0,
  -- fines charged, paise
  fines bigint not null default 0
);
-- a book from before is charged up to its last fine
insert into day_opening (day, finished_at) select max(e.biz_date), clock_timestamp() from ledger_entry e where e.kind = 'overdueFine' having max(e.biz_date) is not null;

insert into sys_config (id, number, code, name, value, value_type, built_in, public) values
  ('K0301', 'K0301', 'order.badDebtDays', 'Order: bad debt on this overdue day', '91', 'int', true, false),
  ('K0302', 'K0302', 'repay.timeoutHours', 'Repayment: hours until a payment in progress fails', '24', 'int', true, false),
  ('K0303', 'K0303', 'repay.order', 'Repayment: what a payment clears, in this order', 'fine,interest,service,principal', 'text', true, false);
