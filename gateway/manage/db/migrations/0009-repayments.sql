-- Instalments, the ledger and payments; write-offs, settlement plans, extensions and proofs.

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
  payment_status text not null default 'unpaid' check (payment_status in ('unpaid', 'processing',
    'partlyPaid', 'paid', 'overdue', 'writtenOff', 'rolledOver')),
  overdue_days int not null default 0,
  reduction_at timestamptz,
  actual_repayment_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  version int not null default 1,
  unique (order_id, serial_no),
  check (outstanding = principal + interest + service_fee + overdue_fine - reduced_fees - waived -
    paid_amount),
  -- What an instalment still owes, part by part: a payment clears the parts in an order, and fines
  -- grow on the open principal.
  open_principal bigint not null,
  open_interest bigint not null,
  open_service bigint not null,
  open_fine bigint not null,
  -- IST day up to which fines are posted; null = none yet
  fine_to date,
  check (open_principal >= 0 and open_interest >= 0 and open_service >= 0 and open_fine >= 0),
  check (open_principal + open_interest + open_service + open_fine = outstanding)
);
create index repay_plan_due on repay_plan (payment_status, due_at);
-- the order in which people work: what is owed and due soonest
create index repay_plan_soonest on repay_plan ((outstanding = 0), due_at, id);

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
  check ((debit = 0) <> (credit = 0)),
  -- The transaction that wrote the row. A posting, its record in the operate log and its events are
  -- written in one, so the proof of the books can join them. Null = imported from another book.
  written_in xid8 default pg_current_xact_id()
);
create index ledger_entry_txn on ledger_entry (txn_id);
create index ledger_entry_order on ledger_entry (order_id, at);
create index ledger_entry_day on ledger_entry (biz_date, account);

create function ledger_entry_refuse() returns trigger language plpgsql as $$
begin
  raise exception 'ledger_entry is append-only' using errcode = 'integrity_constraint_violation';
end $$;
create trigger ledger_entry_append_only before update or delete
  or truncate on ledger_entry for each statement execute function ledger_entry_refuse();

create function ledger_entry_balance() returns trigger language plpgsql as $$
declare odd text;
begin
  select n.txn_id into odd from new_rows n group by n.txn_id having sum(n.debit) <> sum(n.credit) limit 1;
  if odd is not null then
    raise exception 'ledger posting % does not balance', odd using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $$;
create trigger ledger_entry_balanced after insert on ledger_entry referencing new table as new_rows for each
  statement execute function ledger_entry_balance();

-- Each proof of the books: which rules held, and the balance of each account.
create table ledger_proof (
  id text primary key,
  state text not null default 'running' check (state in ('running', 'done', 'cancelled', 'failed')),
  asked_by text references sys_user (id),
  started_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  entries bigint not null default 0,
  postings bigint not null default 0,
  accounts jsonb not null default '[]',
  check ((state = 'running') = (finished_at is null))
);
create index ledger_proof_newest on ledger_proof (started_at desc);

create table ledger_proof_rule (
  proof_id text not null references ledger_proof (id) on delete cascade,
  code text not null,
  violations int not null,
  sample text[] not null default '{}',
  primary key (proof_id, code)
);

create sequence record_id_seq start 10000001;
create table repay_record (
  id text primary key default 'RR' || nextval('record_id_seq'),
  -- null = the channel named an unknown order; parked until a person decides
  order_id text references loan_order (id),
  told_order_id text not null,
  -- the instalment it was meant for; the ledger says what it cleared
  plan_id text references repay_plan (id),
  customer_id text references customer (id),
  repayment_type text not null check (repayment_type in ('full', 'partial', 'rollover', 'coolingOff')),
  amount bigint not null check (amount > 0),
  -- the part of the amount beyond the debt: customer credit, to be refunded
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
  -- payment channel and its number, when the channel reported it
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
-- a UTR is booked once while the payment stands
create unique index repay_record_utr on repay_record (utr) where utr is not null and pay_state <> 'fail'
  and reversed_at is null;
create unique index repay_record_vendor on repay_record (vendor_code, vendor_order_no)
  where vendor_order_no is not null;
create index repay_record_order on repay_record (order_id, paid_at desc);
create index repay_record_customer on repay_record (customer_id);
create index repay_record_paid on repay_record (paid_at desc, id desc);
create index repay_record_open on repay_record (created_at) where pay_state = 'inProgress';
create index repay_record_flag on repay_record (flag) where flag is not null;
create index repay_record_worked on repay_record ((pay_state = 'inProgress'
  and flag is not null) desc, paid_at desc, id desc);
-- A failed or reversed payment is found by its UTR too. Few rows, so booking pays nothing for it.
create index repay_record_gone_utr on repay_record (utr) where utr is not null
  and (pay_state = 'fail' or reversed_at is not null);

-- One row per IST day that was begun. `cursor_id` is the last order done: after a crash the run
-- continues behind it.
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

create sequence write_off_id_seq start 10000001;
create table write_off (
  id text primary key default 'W' || nextval('write_off_id_seq'),
  order_id text not null references loan_order (id),
  customer_id text not null references customer (id),
  type text not null check (type in ('full', 'operational', 'batch', 'rollover', 'partial')),
  state text not null check (state in ('pending', 'done', 'rejected')),
  -- IST day
  repayment_date date not null,
  -- paise
  amount bigint not null check (amount > 0),
  outstanding_before bigint not null check (outstanding_before > 0),
  result_status int,
  reason text,
  operator_id text references sys_user (id),
  operator_name text not null,
  confirmer_id text references sys_user (id),
  confirmer_name text,
  -- the payment that settles it; null = nothing was paid
  record_id text references repay_record (id),
  approval_id text references approval (id),
  created_at timestamptz not null default clock_timestamp(),
  done_at timestamptz,
  version int not null default 1,
  check ((state = 'done') = (done_at is not null)),
  check ((type in ('operational', 'batch')) = (record_id is null)),
  check (type <> 'operational' or (state = 'done' and reason is not null))
);
-- an order is written off once
create unique index write_off_once on write_off (order_id) where type in ('operational', 'batch')
  and state = 'done';
create unique index write_off_record on write_off (record_id) where record_id is not null;
create index write_off_newest on write_off (created_at desc, id desc);
create index write_off_order on write_off (order_id);

-- Settlement plans: a bad debt is paid in agreed parts, and the cured loan runs on (90 -> 50).
create sequence settlement_plan_id_seq start 10000001;
create table settlement_plan (
  id text primary key default 'SP' || nextval('settlement_plan_id_seq'),
  order_id text not null references loan_order (id),
  approval_id text not null unique references approval (id),
  -- [{dueTime, amount}]: IST days and paise, the earliest first
  rows jsonb not null,
  -- paise
  total bigint not null check (total > 0),
  -- IST day of the request: what was owed then is paid in parts, and no fines are added after it
  as_of date not null,
  -- kept: all arrears were paid; broken: a part was missed; ended: the order ended in another way
  state text not null default 'current' check (state in ('current', 'kept', 'broken', 'ended')),
  -- paise by which the debt had fallen when the plan ended
  paid bigint,
  started_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  check ((state = 'current') = (ended_at is null)),
  check ((state = 'current') = (paid is null))
);
create unique index settlement_plan_current on settlement_plan (order_id) where state = 'current';
create index settlement_plan_order on settlement_plan (order_id, started_at desc);

-- Extensions: which order continued as which, and what was paid for it.
create table extension (
  order_id text primary key references loan_order (id),
  new_order_id text not null unique references loan_order (id),
  -- paise; the commission is a part of the fee
  fee bigint not null check (fee >= 0),
  commission bigint not null check (commission >= 0 and commission <= fee),
  days int not null check (days >= 1),
  -- number of the extension of the disbursed loan: 1, 2, …
  serial_no int not null check (serial_no >= 1),
  record_id text not null unique references repay_record (id),
  created_at timestamptz not null default clock_timestamp()
);

create sequence proof_id_seq start 10000001;
create table repay_proof (
  id text primary key default 'PF' || nextval('proof_id_seq'),
  order_id text not null references loan_order (id),
  customer_id text not null references customer (id),
  -- paise, as the submitter states
  amount bigint not null check (amount > 0),
  utr text not null,
  paid_at timestamptz not null,
  channel int not null check (channel between 1 and 4),
  submitter text not null check (submitter in ('customer', 'staff')),
  submitted_by text references sys_user (id),
  submitted_by_name text not null,
  state text not null default 'pending' check (state in ('pending', 'accepted', 'rejected')),
  decided_by text references sys_user (id),
  decided_by_name text,
  decided_at timestamptz,
  reason text,
  record_id text references repay_record (id),
  created_at timestamptz not null default clock_timestamp(),
  version int not null default 1,
  check ((submitter = 'staff') = (submitted_by is not null)),
  check (decided_by is null or decided_by is distinct from submitted_by),
  check ((state = 'accepted') = (record_id is not null)),
  check ((state = 'pending') = (decided_at is null))
);
-- a receipt that is submitted twice waits once
create unique index repay_proof_waiting on repay_proof (order_id, utr) where state = 'pending';
create index repay_proof_worked on repay_proof ((state = 'pending') desc, created_at, id);
create index repay_proof_order on repay_proof (order_id);
create index repay_proof_utr on repay_proof (utr);

create table repay_proof_file (
  proof_id text not null references repay_proof (id),
  n int not null check (n between 1 and 3),
  file_id text not null references file_object (id),
  primary key (proof_id, n)
);
