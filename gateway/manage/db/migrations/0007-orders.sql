-- Products and the terms that depend on the borrower or on the days overdue; orders and payouts.

create table merchant (
  id text primary key,
  name text not null unique,
  licence_no text,
  status text not null default 'enabled' check (status in ('enabled', 'disabled')),
  created_at timestamptz not null default clock_timestamp()
);

create sequence product_id_seq start 1001;
create table product (
  id text primary key default 'PR' || nextval('product_id_seq'),
  app_id text not null references app (id),
  name text not null,
  min_amount bigint not null,
  max_amount bigint not null,
  tenure_days int not null,
  periods int not null,
  days_per_period int not null,
  -- service charge: basis points of the amount, taken at disbursement; interest: basis points per
  -- day of the principal
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
  unique (app_id, name),
  -- microfinance loans have tighter contact hours
  microfinance boolean not null default false,
  merchant_id text references merchant (id),
  description text not null default '',
  -- [{customerClass, orderNoFrom, orderNoTo, limit, term}]; a class without one may have all that
  -- the product offers
  quota jsonb not null default '[]',
  -- [{dayFrom, dayTo, rate, capRatio}]; null = penalty_rate on every overdue day
  penalty jsonb,
  -- {enabled, days, feeType, fee, commission, maxTimes}; null = no extension
  extend jsonb,
  -- the product's logo; the file belongs to it alone
  logo_file_id text unique references file_object (id)
);

create table merchant_product (
  merchant_id text not null references merchant (id),
  product_id text not null references product (id),
  primary key (merchant_id, product_id)
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
  -- the terms at the time of the order: {serviceRate, dailyRate, penaltyRate, periods,
  -- daysPerPeriod, coolingOffDays}
  product_snapshot jsonb not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  version int not null default 1,
  -- the money that arrives is less by the service charge; the contract is what is paid back
  check (arrival_amount = amount - service_charge),
  check (contract_amount = amount + interest),
  -- after a refusal by a rule: the IST day from which the customer may apply again
  cool_down_until date
);
create index loan_order_created on loan_order (created_at desc, id desc);
create index loan_order_status on loan_order (status, created_at desc, id desc);
create index loan_order_customer on loan_order (customer_id);
create unique index loan_order_one_open on loan_order (customer_id) where status in (10, 20, 22, 26, 29, 31)
  and from_order_id is null;
create index loan_order_due on loan_order (due_at) where status in (30, 50, 90);
create index loan_order_closed on loan_order (closed_at);
create index loan_order_product on loan_order (product_id, created_at desc);
create index loan_order_tags on loan_order using gin (tags);
create index loan_order_running on loan_order (id) where status in (30, 43, 50, 90);
create index loan_order_paid_out on loan_order (created_at desc, id desc)
  where status not in (10, 20, 21, 22, 23, 26, 27, 70);

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
  -- when the vendor accepted the instruction; null = still to be sent, also after a crash between
  -- commit and sending
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
  version int not null default 1,
  handling_remark text,
  -- The message that asks the customer for another account after a failed transfer.
  constraint payout_transfer_handling check (handling_method in ('retrySame', 'changeVendor',
    'customerUpdatesAccount', 'manualTransfer', 'cancel')),
  ask_state text check (ask_state in ('due', 'sent', 'failed')),
  ask_tries int not null default 0,
  ask_at timestamptz,
  asked_by text references sys_user (id)
);
create unique index payout_transfer_vendor on payout_transfer (vendor_code, vendor_order_no)
  where vendor_order_no is not null;
create unique index payout_transfer_in_flight on payout_transfer (order_id) where pay_state = 'inProgress';
create index payout_transfer_order on payout_transfer (order_id, attempt_no desc);
create index payout_transfer_unsent on payout_transfer (next_send_at) where sent_at is null
  and pay_state = 'inProgress';
create index payout_transfer_waiting on payout_transfer (sent_at) where pay_state = 'inProgress';
create index payout_transfer_created on payout_transfer (created_at desc, id desc);
create index payout_transfer_ask on payout_transfer (id) where ask_state = 'due';
-- a manual transfer is booked once
create unique index payout_transfer_manual_utr on payout_transfer (utr) where vendor_code = 'manual'
  and utr is not null;
create index payout_transfer_utr on payout_transfer (utr) where utr is not null;
