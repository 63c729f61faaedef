-- Money given up and taken back: reductions that freeze fines, write-offs, requests a second person decides, proofs of payment.

alter table reduction
  -- role of who launched it: who decides stands above it
  add column launched_role text,
  -- IST day up to which fines stand while the reduction is open to be used: fines of later days wait for its end
  add column frozen_on date;
alter table reduction drop constraint reduction_cause_check;
alter table reduction add constraint reduction_cause_check check (cause in ('withdrawn', 'expired', 'revoked', 'orderClosed', 'reversed'));
update reduction r set frozen_on = (r.decided_at at time zone 'Asia/Kolkata')::date where r.state in ('approved', 'used');
create index reduction_order on reduction (order_id);
create index reduction_valid on reduction (valid_until) where state = 'approved';

create sequence approval_id_seq start 10000001;
create table approval (
  id text primary key default 'AP' || nextval('approval_id_seq'),
  kind text not null check (kind in ('reversePayment', 'cure', 'redisburse', 'batchWriteOff', 'roleEdit', 'export')),
  target_kind text not null,
  -- several targets: the request itself
  target_id text not null,
  -- ids and codes only, no personal data
  payload jsonb not null,
  -- paise
  amount bigint not null default 0,
  count int not null default 1 check (count > 0),
  reason text not null,
  state text not null default 'pending' check (state in ('pending', 'approved', 'rejected', 'withdrawn', 'expired')),
  requested_by text not null references sys_user (id),
  requested_by_name text not null,
  requested_at timestamptz not null default clock_timestamp(),
  decided_by text references sys_user (id),
  decided_by_name text,
  decided_at timestamptz,
  decide_reason text,
  expires_at timestamptz not null,
  version int not null default 1,
  check (decided_by is distinct from requested_by or state = 'withdrawn'),
  check ((state in ('approved', 'rejected')) <= (decided_by is not null))
);
create unique index approval_one_pending on approval (kind, target_id) where state = 'pending';
create index approval_newest on approval (requested_at desc, id desc);
create index approval_state on approval (state, kind, requested_at desc);
create index approval_requester on approval (requested_by, requested_at desc);
create index approval_expires on approval (expires_at) where state = 'pending';

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
  -- the payment it settles by; null = nothing was paid
  record_id text references repay_record (id),
  approval_id text references approval (id),
  created_at timestamptz not null default clock_timestamp(),
  done_at timestamptz,
  version int not null default 1,
  check ((state = 'done') = (done_at is not null)),
  check ((type in ('operational', 'batch')) = (record_id is null)),
  check (type <> 'operational' or (state = 'done' and reason is not null))
);
-- an order is given up once
create unique index write_off_once on write_off (order_id) where type in ('operational', 'batch') and state = 'done';
create unique index write_off_record on write_off (record_id) where record_id is not null;
create index write_off_newest on write_off (created_at desc, id desc);
create index write_off_order on write_off (order_id);
-- loans that were written off before
insert into write_off (order_id, customer_id, type, state, repayment_date, amount, outstanding_before, result_status, reason, operator_name, created_at, done_at)
select o.id, o.customer_id, case o.status when 100 then 'operational' else 'batch' end, 'done', (l.at at time zone 'Asia/Kolkata')::date, w.amount, w.amount, o.status, coalesce(l.note, '-'), coalesce(l.by_name, '-'), l.at, l.at
from loan_order o
join lateral (select x.at, x.by_name, x.note from order_status_log x where x.order_id = o.id and x.to_status = o.status order by x.id desc limit 1) l on true
join lateral (select sum(e.debit) as amount from ledger_entry e where e.order_id = o.id and e.account = 'writeOffExpense') w on w.amount > 0
where o.status in (100, 110);

create sequence proof_id_seq start 10000001;
create table repay_proof (
  id text primary key default 'PF' || nextval('proof_id_seq'),
  order_id text not null references loan_order (id),
  customer_id text not null references customer (id),
  -- paise, as the submitter says
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
-- the same receipt sent in twice waits once
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

insert into sys_config (id, number, code, name, value, value_type, built_in, public) values
  ('K0304', 'K0304', 'reduce.cap.collector', 'Reduction: per cent of open fees a collector may launch', '20', 'int', true, false),
  ('K0305', 'K0305', 'reduce.cap.specialist', 'Reduction: per cent of open fees a collection specialist may launch', '30', 'int', true, false),
  ('K0306', 'K0306', 'reduce.cap.external_supervisor', 'Reduction: per cent of open fees an external supervisor may launch', '30', 'int', true, false),
  ('K0307', 'K0307', 'reduce.cap.team_leader', 'Reduction: per cent of open fees a team leader may launch or approve', '50', 'int', true, false),
  ('K0308', 'K0308', 'reduce.cap.internal_supervisor', 'Reduction: per cent of open fees an internal supervisor may launch or approve', '70', 'int', true, false),
  ('K0309', 'K0309', 'reduce.cap.manager', 'Reduction: per cent of open fees a manager may launch or approve', '100', 'int', true, false),
  ('K0310', 'K0310', 'reduce.cap.director', 'Reduction: per cent of open fees a director may approve', '100', 'int', true, false),
  ('K0311', 'K0311', 'reduce.validDays', 'Reduction: days it is valid unless told otherwise', '3', 'int', true, false),
  ('K0312', 'K0312', 'writeoff.cap.manager', 'Write-off: largest amount a manager writes off at once, paise', '2500000', 'int', true, false),
  ('K0313', 'K0313', 'writeoff.cap.director', 'Write-off: largest amount a director writes off at once, paise', '20000000', 'int', true, false),
  ('K0314', 'K0314', 'approval.hours', 'Approval: hours until an undecided request expires', '72', 'int', true, false);
