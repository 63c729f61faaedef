create table product (
  id text primary key,
  app_id text not null references app (id),
  name text not null,
  min_amount bigint not null,
  max_amount bigint not null,
  tenure_days int not null,
  periods int not null,
  days_per_period int not null,
  -- service charge: basis points of the amount, taken at disbursement; interest: basis points per day of the principal
  service_rate int not null,
  daily_rate int not null,
  -- overdue fine: basis points of the overdue principal per day
  penalty_rate int not null,
  cooling_off_days int not null default 3 check (cooling_off_days >= 1),
  status text not null default 'enabled' check (status in ('enabled', 'disabled')),
  sort int not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  version int not null default 1,
  unique (app_id, name)
);

create sequence order_id_seq start 10000001;
create table loan_order (
  id text primary key default 'L' || nextval('order_id_seq'),
  customer_id text not null references customer (id),
  product_id text not null references product (id),
  app_id text not null references app (id),
  channel_id text not null references channel (id),
  amount bigint not null check (amount > 0),
  arrival_amount bigint not null,
  service_charge bigint not null,
  interest bigint not null,
  contract_amount bigint not null,
  tenure_days int not null,
  term int not null,
  status int not null,
  tags text[] not null default '{}',
  close_type text not null default 'notClosed',
  close_amount_type text,
  fail_reason text,
  refusal_code text,
  due_at date,
  closed_at timestamptz,
  disbursed_at timestamptz,
  overdue_days int not null default 0,
  outstanding bigint not null default 0 check (outstanding >= 0),
  resume_status int,
  rbi_class text not null default 'standard',
  kfs_version text,
  kfs_accepted_at timestamptz,
  cooling_off_until timestamptz,
  from_order_id text references loan_order (id),
  -- the terms the order was made with: {serviceRate, dailyRate, penaltyRate, periods, daysPerPeriod, coolingOffDays}
  product_snapshot jsonb not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  version int not null default 1,
  -- money arrives less the service charge; the contract is what is paid back
  check (arrival_amount = amount - service_charge),
  check (contract_amount = amount + interest)
);
create index loan_order_created on loan_order (created_at desc, id desc);
create index loan_order_status on loan_order (status, created_at desc, id desc);
create index loan_order_customer on loan_order (customer_id);
create unique index loan_order_one_open on loan_order (customer_id) where status in (10, 20, 22, 26, 29, 31) and from_order_id is null;
create index loan_order_due on loan_order (due_at) where status in (30, 50, 90);
create index loan_order_closed on loan_order (closed_at);
create index loan_order_product on loan_order (product_id, created_at desc);
create index loan_order_tags on loan_order using gin (tags);

create table order_status_log (
  id bigint generated always as identity primary key,
  order_id text not null references loan_order (id),
  from_status int,
  to_status int not null,
  cause text not null,
  by_user_id text,
  by_name text,
  note text,
  at timestamptz not null default clock_timestamp()
);
create index order_status_log_order on order_status_log (order_id, at);

create table order_remark (
  id bigint generated always as identity primary key,
  order_id text not null references loan_order (id),
  remark text not null,
  by_user_id text not null,
  by_name text not null,
  at timestamptz not null default clock_timestamp()
);
create index order_remark_order on order_remark (order_id, at desc);

create sequence transfer_id_seq start 10000001;
create table payout_transfer (
  id text primary key default 'T' || nextval('transfer_id_seq'),
  order_id text not null references loan_order (id),
  platform_order_no text not null unique,
  vendor_order_no text,
  vendor_code text not null,
  payee_name text not null,
  transfer_type text not null check (transfer_type in ('IMPS', 'NEFT', 'RTGS', 'UPI')),
  account_enc bytea not null,
  account_last4 text not null,
  ifsc text not null,
  amount bigint not null check (amount > 0),
  pay_state text not null default 'inProgress' check (pay_state in ('inProgress', 'success', 'fail')),
  attempt_no int not null,
  -- when the vendor took the instruction; null = still to be sent (a crash between commit and sending loses nothing)
  sent_at timestamptz,
  send_attempts int not null default 0,
  next_send_at timestamptz not null default clock_timestamp(),
  fail_at timestamptz,
  fail_reason text,
  handling_method text,
  utr text,
  finished_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  version int not null default 1
);
create unique index payout_transfer_vendor on payout_transfer (vendor_code, vendor_order_no) where vendor_order_no is not null;
create unique index payout_transfer_in_flight on payout_transfer (order_id) where pay_state = 'inProgress';
create index payout_transfer_order on payout_transfer (order_id, attempt_no desc);
create index payout_transfer_unsent on payout_transfer (next_send_at) where sent_at is null and pay_state = 'inProgress';
create index payout_transfer_waiting on payout_transfer (sent_at) where pay_state = 'inProgress';

create sequence plan_id_seq start 10000001;
create table repay_plan (
  id text primary key default 'P' || nextval('plan_id_seq'),
  order_id text not null references loan_order (id),
  serial_no int not null,
  due_at date not null,
  principal bigint not null check (principal >= 0),
  interest bigint not null check (interest >= 0),
  service_fee bigint not null default 0 check (service_fee >= 0),
  overdue_fine bigint not null default 0 check (overdue_fine >= 0),
  reduced_fees bigint not null default 0 check (reduced_fees >= 0),
  waived bigint not null default 0 check (waived >= 0),
  paid_amount bigint not null default 0 check (paid_amount >= 0),
  outstanding bigint not null check (outstanding >= 0),
  payment_status text not null default 'unpaid' check (payment_status in ('unpaid', 'processing', 'partlyPaid', 'paid', 'overdue', 'writtenOff', 'rolledOver')),
  overdue_days int not null default 0,
  reduction_at timestamptz,
  actual_repayment_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  version int not null default 1,
  unique (order_id, serial_no),
  check (outstanding = principal + interest + service_fee + overdue_fine - reduced_fees - waived - paid_amount)
);
create index repay_plan_due on repay_plan (payment_status, due_at);

-- Double entry, append-only; one posting (txn_id) is one statement and sums to zero.
create sequence ledger_txn_seq start 10000001;
create table ledger_entry (
  id bigint generated always as identity primary key,
  txn_id text not null,
  order_id text not null references loan_order (id),
  plan_id text references repay_plan (id),
  account text not null,
  debit bigint not null default 0 check (debit >= 0),
  credit bigint not null default 0 check (credit >= 0),
  kind text not null,
  ref_id text,
  biz_date date not null,
  at timestamptz not null default clock_timestamp(),
  check ((debit = 0) <> (credit = 0))
);
create index ledger_entry_txn on ledger_entry (txn_id);
create index ledger_entry_order on ledger_entry (order_id, at);
create index ledger_entry_day on ledger_entry (biz_date, account);

create function ledger_entry_refuse() returns trigger language plpgsql as $$
begin
  raise exception 'ledger_entry is append-only' using errcode = 'integrity_constraint_violation';
end $$;
create trigger ledger_entry_append_only before update or delete or truncate on ledger_entry for each statement execute function ledger_entry_refuse();

create function ledger_entry_balance() returns trigger language plpgsql as $$
declare odd text;
begin
  select n.txn_id into odd from new_rows n group by n.txn_id having sum(n.debit) <> sum(n.credit) limit 1;
  if odd is not null then
    raise exception 'ledger posting % does not balance', odd using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $$;
create trigger ledger_entry_balanced after insert on ledger_entry referencing new table as new_rows for each statement execute function ledger_entry_balance();
