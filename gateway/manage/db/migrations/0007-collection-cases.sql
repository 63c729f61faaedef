-- Collection cases: one open case per order, its moves between people, what collectors did, runs of the allocation.

create sequence case_id_seq start 10000001;
create table collection_case (
  id text primary key default 'CA' || nextval('case_id_seq'),
  order_id text not null references loan_order (id),
  customer_id text not null references customer (id),
  stage_id text not null references stage (stage_id),
  state text not null default 'unallocated' check (state in ('unallocated', 'allocating', 'allocated', 'promised', 'held', 'closed')),
  overdue_days int not null check (overdue_days >= 0),
  -- paise; outstanding = what the order still owes, paid = paid since the case opened, due = both together
  amount_due bigint not null check (amount_due >= 0),
  paid_amount bigint not null default 0 check (paid_amount >= 0),
  outstanding bigint not null check (outstanding >= 0),
  -- the unit of its collector, or where a person placed it. Units are never deleted, and an allocation writes these a hundred
  -- thousand times: checking three of them each time costs it a tenth of its time.
  agency_id text,
  department_id text,
  group_id text,
  collector_id text references sys_user (id),
  allocated_at timestamptz,
  follow_count int not null default 0,
  last_contact_result int check (last_contact_result between 1 and 9),
  last_willingness int check (last_willingness between 1 and 5),
  last_follow_at timestamptz,
  next_follow_at timestamptz,
  commitment_at timestamptz,
  ptp_at timestamptz,
  ptp_amount bigint check (ptp_amount > 0),
  ptp_made_at timestamptz,
  -- paid since the promise was made and until the end of its IST day
  ptp_paid bigint not null default 0 check (ptp_paid >= 0),
  ptp_state text check (ptp_state in ('open', 'kept', 'keptPart', 'broken', 'cancelled')),
  broken_count int not null default 0,
  -- fencing token: grows by one at every change of the holder
  token int not null default 0,
  -- when the borrower was told of the agent; null = the first contact waits (domain.md 1, rule 7). In-house staff need none.
  intimated_at timestamptz,
  hold_reason text,
  hold_until date,
  -- set by a person's end (held without an end) or by the order's end (closed)
  end_reason text check (end_reason in ('repaid', 'repaidReduced', 'extended', 'writtenOff', 'duplicate', 'mistaken', 'deceased', 'settledElsewhere', 'other')),
  ended_at timestamptz,
  -- paid while in collection
  recovered bigint not null default 0 check (recovered >= 0),
  -- IST day of the last payment, and what was paid on it
  paid_on date,
  paid_on_amount bigint not null default 0 check (paid_on_amount >= 0),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  version int not null default 1,
  check ((state in ('allocated', 'promised')) <= (collector_id is not null)),
  check ((state in ('unallocated', 'allocating', 'closed')) <= (ptp_state is distinct from 'open')),
  check ((state = 'promised') <= (ptp_at is not null and ptp_amount is not null))
);
create unique index collection_case_one_open on collection_case (order_id) where state <> 'closed';
create index collection_case_order on collection_case (order_id);
create index collection_case_customer on collection_case (customer_id);
-- work queues: next follow-up (a new case has none and comes first), then the highest amount
create index collection_case_desk on collection_case (collector_id, next_follow_at nulls first, outstanding desc, id) where state in ('allocated', 'promised');
create index collection_case_desk_group on collection_case (group_id, next_follow_at nulls first, outstanding desc, id) where state in ('allocated', 'promised');
create index collection_case_desk_department on collection_case (department_id, next_follow_at nulls first, outstanding desc, id) where state in ('allocated', 'promised');
create index collection_case_desk_agency on collection_case (agency_id, next_follow_at nulls first, outstanding desc, id) where state in ('allocated', 'promised');
create index collection_case_desk_all on collection_case (next_follow_at nulls first, outstanding desc, id) where state in ('allocated', 'promised');
create index collection_case_agency on collection_case (agency_id, state);
create index collection_case_department on collection_case (department_id, state);
create index collection_case_group on collection_case (group_id, state);
create index collection_case_pool on collection_case (stage_id, state, outstanding desc, id);
create index collection_case_pool_all on collection_case (outstanding desc, id) where state in ('unallocated', 'allocating');
create index collection_case_untold on collection_case (agency_id) where intimated_at is null and state in ('allocated', 'promised');
create index collection_case_paid on collection_case (paid_on) where paid_on is not null;
create index collection_case_ptp on collection_case (ptp_at) where ptp_state = 'open';
create index collection_case_ended on collection_case (ended_at desc, id desc) where ended_at is not null;
create index collection_case_allocated on collection_case (collector_id, allocated_at);

-- Every change of place or holder, append-only.
create table case_allocation (
  id bigint generated always as identity primary key,
  case_id text not null references collection_case (id),
  cause text not null check (cause in ('enter', 'auto', 'manual', 'recall', 'change', 'stageMove', 'resume', 'reopen')),
  from_user_id text,
  to_user_id text,
  from_agency_id text,
  to_agency_id text,
  from_stage text,
  to_stage text,
  reason text,
  by_user_id text,
  by_name text,
  run_id text,
  at timestamptz not null default clock_timestamp()
);
create index case_allocation_case on case_allocation (case_id, at);
create index case_allocation_at on case_allocation (at desc, id desc);
create index case_allocation_to on case_allocation (to_user_id, at);
create index case_allocation_run on case_allocation (run_id) where run_id is not null;

create sequence allocation_plan_id_seq start 10001;
create table allocation_plan (
  id text primary key default 'AP' || nextval('allocation_plan_id_seq'),
  -- whose cases and people it is about
  unit_kind text not null check (unit_kind in ('all', 'agency', 'department', 'group')),
  unit_id text,
  -- {stageIds, scope, mode, filters, weights, manual, seed}
  terms jsonb not null,
  -- what was shown
  view jsonb not null,
  -- newest last: {version, terms, gets} of earlier versions, so that a conflict can be told as a difference
  history jsonb not null default '[]',
  created_by text not null references sys_user (id),
  created_by_name text not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  version int not null default 1
);
create index allocation_plan_expires on allocation_plan (expires_at);

create sequence allocation_run_id_seq start 10001;
create table allocation_run (
  id text primary key default 'AR' || nextval('allocation_run_id_seq'),
  plan_id text,
  job_id text references job (id),
  unit_kind text not null default 'all' check (unit_kind in ('all', 'agency', 'department', 'group')),
  unit_id text,
  stage_ids text[] not null,
  scope text not null check (scope in ('unallocated', 'all')),
  -- 'stage' = each stage by its own
  mode text not null,
  seed bigint not null,
  terms jsonb not null default '{}',
  -- IST day and time of the scheduled run, which is made once
  slot text unique,
  -- all lines of the plan stand in allocation_item
  planned_at timestamptz,
  total int not null default 0,
  done int not null default 0,
  failed int not null default 0,
  -- basis points
  max_deviation int not null default 0,
  state text not null default 'running' check (state in ('running', 'paused', 'done', 'cancelled', 'undone')),
  started_by text references sys_user (id),
  started_by_name text not null,
  started_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  undone_by text,
  undone_by_name text,
  undone_at timestamptz,
  version int not null default 1
);
create index allocation_run_started on allocation_run (started_at desc, id desc);
create index allocation_run_open on allocation_run (state) where state in ('running', 'paused');

-- The plan of a run, made once and then carried out in chunks: a crash resumes where `done_at` is null. Cases are never
-- deleted, so their ids need no check on each of 100,000 lines.
create table allocation_item (
  run_id text not null references allocation_run (id),
  case_id text not null,
  chunk int not null,
  -- null = nobody has room: back to the pool
  collector_id text,
  agency_id text,
  -- where it was: with a person (taken back first, by `recall_chunk`), or placed with a unit
  from_collector_id text,
  from_agency_id text,
  from_department_id text,
  from_group_id text,
  recall_chunk int,
  recalled_at timestamptz,
  done_at timestamptz,
  outcome text check (outcome in ('allocated', 'noCapacity', 'skipped')),
  primary key (run_id, case_id)
  -- each line is written twice, the second time beside itself and past the indexes
) with (fillfactor = 50);
create index allocation_item_chunk on allocation_item (run_id, chunk);
create index allocation_item_recall on allocation_item (run_id, recall_chunk) where recall_chunk is not null;

create sequence call_id_seq start 10000001;
create table call_log (
  id text primary key default 'CL' || nextval('call_id_seq'),
  kind text not null check (kind in ('case', 'tele', 'review')),
  case_id text references collection_case (id),
  customer_id text references customer (id),
  user_id text references sys_user (id),
  contact_id text not null,
  way text not null check (way in ('phone', 'whatsapp', 'sms', 'email', 'visit')),
  state text not null check (state in ('started', 'ended', 'sent')),
  started_at timestamptz not null default clock_timestamp(),
  duration_sec int,
  recording_ref text
);
create index call_log_user on call_log (user_id, started_at);
create index call_log_customer on call_log (customer_id, started_at);
create index call_log_case on call_log (case_id, started_at);

create sequence follow_id_seq start 10000001;
create table follow_up (
  id text primary key default 'F' || nextval('follow_id_seq'),
  case_id text not null references collection_case (id),
  order_id text not null references loan_order (id),
  customer_id text not null references customer (id),
  -- who did it, and the unit the case stood in
  operator_id text not null references sys_user (id),
  agency_id text,
  department_id text,
  group_id text,
  stage_id text not null,
  contact_id text not null,
  relation text not null,
  contact_way text not null check (contact_way in ('phone', 'whatsapp', 'sms', 'email', 'visit')),
  contact_last4 text,
  reachable boolean not null,
  contact_result int not null check (contact_result between 1 and 9),
  willingness int check (willingness between 1 and 5),
  allocation_at timestamptz,
  commitment_at timestamptz,
  next_follow_at timestamptz not null,
  ptp_at timestamptz,
  ptp_amount bigint,
  remark text not null,
  call_id text references call_log (id),
  duration_sec int,
  created_at timestamptz not null default clock_timestamp()
);
create index follow_up_case on follow_up (case_id, created_at desc);
create index follow_up_operator on follow_up (operator_id, created_at desc, id desc);
-- a call is recorded once
create unique index follow_up_call on follow_up (call_id) where call_id is not null;
create index follow_up_created on follow_up (created_at desc, id desc);
create index follow_up_customer on follow_up (customer_id, created_at);
create index follow_up_agency on follow_up (agency_id, created_at desc, id desc);
create index follow_up_department on follow_up (department_id, created_at desc, id desc);
create index follow_up_group on follow_up (group_id, created_at desc, id desc);

create sequence case_change_id_seq start 10001;
create table case_change (
  id text primary key default 'CC' || nextval('case_change_id_seq'),
  transfer_type text not null check (transfer_type in ('collectorToCollector', 'collectorToGroup', 'groupToGroup', 'agencyToAgency', 'toPool')),
  -- a person, a group or an agency, by transfer type
  from_user_id text,
  from_unit_id text,
  to_user_id text,
  to_unit_id text,
  -- units both ends stand in, for the data scope: agencies, departments and groups
  unit_ids text[] not null default '{}',
  count int not null check (count > 0),
  moved_count int not null default 0,
  -- picking order, or the cases named
  filter jsonb not null default '{}',
  reason text not null,
  state text not null default 'pending' check (state in ('pending', 'approved', 'rejected', 'done')),
  launched_by text not null references sys_user (id),
  launched_by_name text not null,
  launched_at timestamptz not null default clock_timestamp(),
  decided_by text,
  decided_by_name text,
  decided_at timestamptz,
  decide_reason text,
  version int not null default 1
);
create index case_change_launched on case_change (launched_at desc, id desc);
create index case_change_state on case_change (state, launched_at desc);
create index case_change_units on case_change using gin (unit_ids);

create sequence stop_id_seq start 10001;
create table stop_collection (
  id text primary key default 'SC' || nextval('stop_id_seq'),
  customer_id text not null references customer (id),
  reason text not null check (reason in ('grievance', 'proofCheck', 'dispute', 'bereavement', 'deceased', 'disaster', 'familyEvent', 'hardship', 'legal', 'fraud', 'wrongPerson', 'other')),
  start_at timestamptz not null default clock_timestamp(),
  -- last IST day; null = open end
  end_at date,
  state text not null check (state in ('pending', 'active', 'ended', 'rejected')),
  ticket_id text,
  proof_id text,
  applied_by text references sys_user (id),
  applied_by_name text not null,
  applied_at timestamptz not null default clock_timestamp(),
  decided_by text references sys_user (id),
  decided_by_name text,
  decided_at timestamptz,
  ended_at timestamptz,
  remark text not null,
  decide_remark text,
  version int not null default 1
);
create unique index stop_collection_one_active on stop_collection (customer_id, reason) where state in ('pending', 'active') and ticket_id is null and proof_id is null;
create unique index stop_collection_proof on stop_collection (proof_id) where state = 'active' and proof_id is not null;
create unique index stop_collection_ticket on stop_collection (ticket_id) where state = 'active' and ticket_id is not null;
create index stop_collection_state on stop_collection (state, end_at);
create index stop_collection_customer on stop_collection (customer_id, state);
create index stop_collection_start on stop_collection (start_at desc, id desc);

-- Messages to customers: the intimation naming the agent goes out this way.
create table message_log (
  id bigint generated always as identity primary key,
  customer_id text not null references customer (id),
  way text not null check (way in ('sms', 'email', 'whatsapp')),
  template text not null,
  case_id text references collection_case (id),
  state text not null check (state in ('sent', 'failed')),
  vendor_ref text,
  at timestamptz not null default clock_timestamp()
);
create index message_log_customer on message_log (customer_id, at);
-- failed sendings of an intimation are tried again after a pause
create index message_log_case on message_log (case_id, at);
