-- Collection cases: one open case per order, its moves between people, and what collectors did.

create sequence case_id_seq start 10000001;
create table collection_case (
  id text primary key default 'CA' || nextval('case_id_seq'),
  order_id text not null references loan_order (id),
  customer_id text not null references customer (id),
  stage_id text not null references stage (stage_id),
  state text not null default 'unallocated' check (state in ('unallocated', 'allocating', 'allocated',
    'promised', 'held', 'closed')),
  overdue_days int not null check (overdue_days >= 0),
  -- paise; outstanding = what the order still owes, paid = paid since the case opened, due = their
  -- sum
  amount_due bigint not null check (amount_due >= 0),
  paid_amount bigint not null default 0 check (paid_amount >= 0),
  outstanding bigint not null check (outstanding >= 0),
  -- the unit of its collector, or the one a person assigned. No foreign keys: units are never
  -- deleted, and an allocation that writes 100,000 cases would spend a tenth of its time on the
  -- checks.
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
  -- when the borrower was told of the agent; null = the first contact waits. In-house staff need
  -- none.
  intimated_at timestamptz,
  hold_reason text,
  hold_until date,
  -- set when a person ends the case (held without an end) or the order ends (closed)
  end_reason text check (end_reason in ('repaid', 'repaidReduced', 'extended', 'writtenOff', 'duplicate',
    'mistaken', 'deceased', 'settledElsewhere', 'other')),
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
  check ((state = 'promised') <= (ptp_at is not null and ptp_amount is not null)),
  -- when the case came to the pool; null = it does not wait. A column of its own, because payments
  -- and the daily run change `updated_at` of cases that wait there.
  waiting_since timestamptz,
  -- The run that assigned the case to its holder, until the borrower is contacted (a call counts)
  -- or the case changes hands. The list of runs counts by its index what an undo would take back.
  given_run_id text
);
create unique index collection_case_one_open on collection_case (order_id) where state <> 'closed';
create index collection_case_order on collection_case (order_id);
create index collection_case_customer on collection_case (customer_id);
-- work queues: next follow-up (a new case has none and comes first), then the highest amount
create index collection_case_desk on collection_case (collector_id, next_follow_at nulls first,
  outstanding desc, id) where state in ('allocated', 'promised');
create index collection_case_desk_group on collection_case (group_id, next_follow_at nulls first,
  outstanding desc, id) where state in ('allocated', 'promised');
create index collection_case_desk_department on collection_case (department_id, next_follow_at nulls first,
  outstanding desc, id) where state in ('allocated', 'promised');
create index collection_case_desk_agency on collection_case (agency_id, next_follow_at nulls first,
  outstanding desc, id) where state in ('allocated', 'promised');
create index collection_case_desk_all on collection_case (next_follow_at nulls first, outstanding desc, id)
  where state in ('allocated', 'promised');
create index collection_case_agency on collection_case (agency_id, state);
create index collection_case_department on collection_case (department_id, state);
create index collection_case_group on collection_case (group_id, state);
create index collection_case_pool on collection_case (stage_id, state, outstanding desc, id);
create index collection_case_pool_all on collection_case (outstanding desc, id)
  where state in ('unallocated', 'allocating');
create index collection_case_untold on collection_case (agency_id) where intimated_at is null
  and state in ('allocated', 'promised');
create index collection_case_paid on collection_case (paid_on) where paid_on is not null;
create index collection_case_ptp on collection_case (ptp_at) where ptp_state = 'open';
create index collection_case_ended on collection_case (ended_at desc, id desc) where ended_at is not null;
create index collection_case_allocated on collection_case (collector_id, allocated_at);
-- promises of recent days that were kept or broken
create index collection_case_ptp_decided on collection_case (ptp_at)
  where ptp_state in ('kept', 'keptPart', 'broken');
create index collection_case_given_run on collection_case (given_run_id) where given_run_id is not null
  and state = 'allocated';

-- By when the first contact is due, `hours` after the assignment, counted in the hours in which
-- contact is allowed: outside them the time starts with the next opening, and a due time at night
-- moves past the night.
create function first_contact_due(since timestamptz, hours int, opens text, closes text)
returns timestamptz language sql stable as $$
  with local as (
    select since at time zone 'Asia/Kolkata' as t
  ), begun as (
    select case
        when l.t::time < opens::time then l.t::date + opens::time
        when l.t::time >= closes::time then l.t::date + 1 + opens::time
        else l.t
      end as t
    from local l
  ), ended as (
    select b.t + make_interval(hours => hours) as t
    from begun b
  )
  select case
      when e.t::time < opens::time or e.t::time > closes::time
        then e.t + (interval '1 day' - (closes::time - opens::time))
      else e.t
    end at time zone 'Asia/Kolkata'
  from ended e
$$;

create function mark_waiting() returns trigger language plpgsql as $$
begin
  if new.state not in ('unallocated', 'allocating') then
    new.waiting_since := null;
  elsif tg_op = 'INSERT' then
    new.waiting_since := coalesce(new.waiting_since, clock_timestamp());
  elsif old.state not in ('unallocated', 'allocating') then
    new.waiting_since := clock_timestamp();
  end if;
  return new;
end $$;
create trigger collection_case_waits before insert on collection_case for each row execute function
  mark_waiting();
create trigger collection_case_waits_again before update of state on collection_case for each row
  when (old.state <> new.state) execute function mark_waiting();

create function forget_given_run() returns trigger language plpgsql as $$
begin
  new.given_run_id := null;
  return new;
end $$;
-- a reassignment names its own run
create trigger collection_case_worked before update of collector_id,
  last_follow_at on collection_case for each row
  when (new.given_run_id = old.given_run_id
    and (new.collector_id is distinct from old.collector_id or new.last_follow_at is distinct
    from old.last_follow_at)) execute function forget_given_run();

-- Every change of place or holder, append-only.
create table case_allocation (
  id bigint generated always as identity primary key,
  case_id text not null references collection_case (id),
  cause text not null check (cause in ('enter', 'auto', 'manual', 'recall', 'change', 'stageMove', 'resume',
    'reopen')),
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
  at timestamptz not null default clock_timestamp(),
  to_department_id text,
  to_group_id text,
  -- paise the case owed when it moved
  outstanding bigint,
  -- the unit it stood in before; null = the pool
  from_department_id text,
  from_group_id text,
  -- IST days after the due day when it moved, and the version of the case then
  overdue_days int,
  case_version int
);
create index case_allocation_case on case_allocation (case_id, at);
create index case_allocation_at on case_allocation (at desc, id desc);
create index case_allocation_to on case_allocation (to_user_id, at);
create index case_allocation_run on case_allocation (run_id) where run_id is not null;
-- assigned to a person; a change of stage in the same hands is not counted
create index case_allocation_given on case_allocation (at) include (to_user_id, to_agency_id,
  to_department_id, to_group_id, to_stage, case_id, outstanding) where to_user_id is not null
  and to_user_id is distinct from from_user_id;
-- cases that left a person or a unit; an assignment out of the pool leaves none
create index case_allocation_left_person on case_allocation (from_user_id, case_id, id)
  where from_user_id is not null and from_user_id is distinct from to_user_id;
create index case_allocation_left_group on case_allocation (from_group_id, case_id, id)
  where from_group_id is not null and from_group_id is distinct from to_group_id;
create index case_allocation_left_department on case_allocation (from_department_id, case_id, id)
  where from_department_id is not null and from_department_id is distinct from to_department_id;
create index case_allocation_left_agency on case_allocation (from_agency_id, case_id, id)
  where from_agency_id is not null and from_agency_id is distinct from to_agency_id;

create sequence case_change_id_seq start 10001;
create table case_change (
  id text primary key default 'CC' || nextval('case_change_id_seq'),
  transfer_type text not null check (transfer_type in ('collectorToCollector', 'collectorToGroup',
    'groupToGroup', 'agencyToAgency', 'toPool')),
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
  recording_ref text,
  -- the unit the case stood in; on the holder's first contact the seconds since the assignment
  agency_id text,
  department_id text,
  group_id text,
  stage_id text,
  first_contact_sec int
);
create index call_log_user on call_log (user_id, started_at);
create index call_log_customer on call_log (customer_id, started_at);
create index call_log_case on call_log (case_id, started_at);
create index call_log_figures on call_log (started_at) include (user_id, agency_id, department_id, group_id,
  stage_id, first_contact_sec) where kind = 'case';

create function forget_run_of_called() returns trigger language plpgsql as $$
begin
  update collection_case c set given_run_id = null where c.id = new.case_id and c.given_run_id is not null;
  return null;
end $$;
create trigger call_log_worked after insert on call_log for each row
  when (new.case_id is not null) execute function forget_run_of_called();

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
  created_at timestamptz not null default clock_timestamp(),
  first_contact_sec int
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
create index follow_up_figures on follow_up (created_at) include (operator_id, agency_id, department_id,
  group_id, stage_id, case_id, reachable, first_contact_sec);

-- One row for each promise. A case keeps only its last one; the trigger records what happens to
-- all.
create table case_promise (
  id bigint generated always as identity primary key,
  case_id text not null references collection_case (id),
  -- who held the case when it was made, and their unit
  collector_id text,
  agency_id text,
  department_id text,
  group_id text,
  stage_id text not null,
  made_at timestamptz not null,
  due_at timestamptz not null,
  amount bigint not null check (amount > 0),
  state text not null check (state in ('open', 'kept', 'keptPart', 'broken', 'cancelled')),
  settled_at timestamptz,
  check ((state = 'open') = (settled_at is null))
);
create unique index case_promise_open on case_promise (case_id) where state = 'open';
create index case_promise_made on case_promise (made_at) include (collector_id, agency_id, department_id,
  group_id, stage_id);
create index case_promise_settled on case_promise (settled_at) include (collector_id, agency_id,
  department_id, group_id, stage_id, state) where state in ('kept', 'keptPart', 'broken');

create function log_promise() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.ptp_state = 'open' then
    update case_promise p
    set state = coalesce(new.ptp_state, 'cancelled'), settled_at = clock_timestamp()
    where p.case_id = new.id and p.state = 'open';
  end if;
  if new.ptp_state = 'open'
    or (tg_op = 'INSERT' and new.ptp_at is not null and new.ptp_amount is not null)
  then
    insert into case_promise (case_id, collector_id, agency_id, department_id, group_id, stage_id, made_at,
      due_at, amount, state, settled_at)
    values (new.id, new.collector_id, new.agency_id, new.department_id, new.group_id, new.stage_id,
      coalesce(new.ptp_made_at, clock_timestamp()), new.ptp_at, new.ptp_amount, new.ptp_state,
      case when new.ptp_state <> 'open' then new.updated_at end);
  end if;
  return null;
end $$;
create trigger collection_case_promised after update of ptp_state on collection_case for each row
  when (old.ptp_state is distinct from new.ptp_state) execute function log_promise();
create trigger collection_case_promise_kept after insert on collection_case for each row
  when (new.ptp_state is not null) execute function log_promise();

create sequence stop_id_seq start 10001;
create table stop_collection (
  id text primary key default 'SC' || nextval('stop_id_seq'),
  customer_id text not null references customer (id),
  reason text not null check (reason in ('grievance', 'proofCheck', 'dispute', 'bereavement', 'deceased',
    'disaster', 'familyEvent', 'hardship', 'legal', 'fraud', 'wrongPerson', 'other')),
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
create unique index stop_collection_one_active on stop_collection (customer_id, reason)
  where state in ('pending', 'active') and ticket_id is null and proof_id is null;
create unique index stop_collection_proof on stop_collection (proof_id) where state = 'active'
  and proof_id is not null;
create unique index stop_collection_ticket on stop_collection (ticket_id) where state = 'active'
  and ticket_id is not null;
create index stop_collection_state on stop_collection (state, end_at);
create index stop_collection_customer on stop_collection (customer_id, state);
create index stop_collection_start on stop_collection (start_at desc, id desc);
-- finds a customer's cases during a grievance by its ticket
create index stop_collection_by_ticket on stop_collection (ticket_id) where ticket_id is not null;

-- Files of a request to stop collection.
create table stop_file (
  stop_id text not null references stop_collection (id),
  n int not null check (n between 1 and 5),
  file_id text not null unique references file_object (id),
  primary key (stop_id, n)
);

-- Messages to customers, such as the intimation that names the agent.
create table message_log (
  id bigint generated always as identity primary key,
  customer_id text not null references customer (id),
  way text not null check (way in ('sms', 'email', 'whatsapp')),
  template text not null,
  case_id text references collection_case (id),
  state text not null check (state in ('sent', 'failed')),
  vendor_ref text,
  at timestamptz not null default clock_timestamp(),
  -- The masked address at the time of sending: contacts change later. The trigger fills it in,
  -- because every job that sends writes this log.
  sent_to text
);
create index message_log_customer on message_log (customer_id, at);
-- a failed intimation is sent again after a pause
create index message_log_case on message_log (case_id, at);

create function message_recipient() returns trigger language plpgsql as $$
begin
  select case when new.way = 'email' then c.email_masked else 'XXXXXX' || c.phone_last4 end into new.sent_to
    from customer c where c.id = new.customer_id;
  return new;
end $$;
create trigger message_log_recipient before insert on message_log for each row execute function
  message_recipient();

create sequence reduction_id_seq start 10000001;
create table reduction (
  id text primary key default 'RD' || nextval('reduction_id_seq'),
  order_id text not null references loan_order (id),
  plan_id text references repay_plan (id),
  customer_id text not null references customer (id),
  -- {interest, serviceFee, overdueFine}, paise; principal is never reduced
  items jsonb not null,
  amount_due bigint not null check (amount_due > 0),
  reduce_amount bigint not null check (reduce_amount > 0),
  pay_amount bigint not null check (pay_amount >= 0),
  -- the highest amount the launcher's role allowed
  cap_amount bigint not null check (cap_amount > 0),
  -- last IST day
  valid_until date,
  state text not null default 'pending' check (state in ('pending', 'approved', 'rejected', 'used',
    'lapsed')),
  cause text check (cause in ('withdrawn', 'expired', 'revoked', 'orderClosed', 'reversed')),
  reason text not null,
  launched_by text references sys_user (id),
  launched_by_name text not null,
  launched_at timestamptz not null default clock_timestamp(),
  decided_by text references sys_user (id),
  decided_by_name text,
  decided_at timestamptz,
  decide_reason text,
  -- where the case stood when it was launched
  case_id text references collection_case (id),
  stage_id text,
  agency_id text,
  department_id text,
  group_id text,
  collector_id text,
  used_at timestamptz,
  -- paise waived, and paid in return, when it was used
  used_amount bigint not null default 0 check (used_amount >= 0),
  recovered_amount bigint not null default 0 check (recovered_amount >= 0),
  void_at timestamptz,
  version int not null default 1,
  check (used_amount <= reduce_amount),
  check ((state = 'used') <= (used_at is not null)),
  -- role of the launcher: the decision needs a higher one
  launched_role text,
  -- no fines are added after this IST day while the reduction may be used
  frozen_on date
);
create unique index reduction_one_open on reduction (order_id) where state in ('pending', 'approved');
create index reduction_launched on reduction (launched_at desc, id desc);
create index reduction_state on reduction (state, launched_at desc, id desc);
create index reduction_agency on reduction (agency_id, launched_at desc, id desc);
create index reduction_department on reduction (department_id, launched_at desc, id desc);
create index reduction_group on reduction (group_id, launched_at desc, id desc);
create index reduction_collector on reduction (collector_id, launched_at desc, id desc);
create index reduction_used on reduction (used_at) include (collector_id, agency_id, department_id,
  group_id, stage_id, used_amount) where used_at is not null;
create index reduction_order on reduction (order_id);
create index reduction_valid on reduction (valid_until) where state = 'approved';

-- Payment links sent to borrowers; a payment names its link in `vendor_order_no`.
create sequence payment_link_id_seq start 10000001;
create table payment_link (
  id text primary key default 'PL' || nextval('payment_link_id_seq'),
  order_id text not null references loan_order (id),
  plan_id text not null references repay_plan (id),
  customer_id text not null references customer (id),
  case_id text references collection_case (id),
  amount bigint not null check (amount > 0),
  way text not null check (way in ('sms', 'whatsapp')),
  state text not null default 'due' check (state in ('due', 'sent', 'failed')),
  tries int not null default 0,
  tried_at timestamptz,
  sent_by text not null references sys_user (id),
  sent_by_name text not null,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null
);
create index payment_link_order on payment_link (order_id, created_at desc);
create index payment_link_due on payment_link (created_at) where state = 'due';
create index payment_link_customer on payment_link (customer_id);

-- A payment, credited to the person who held the case when it was paid; a reversal is a row of its
-- own with negative amounts.
create sequence recovery_bill_id_seq start 10000001;
create table recovery_bill (
  id text primary key default 'RB' || nextval('recovery_bill_id_seq'),
  record_id text not null references repay_record (id),
  case_id text not null references collection_case (id),
  order_id text not null references loan_order (id),
  customer_id text not null references customer (id),
  stage_id text not null,
  overdue_days int not null check (overdue_days >= 0),
  -- null = the case waited in the pool
  agency_id text,
  department_id text,
  group_id text,
  collector_id text,
  -- paise counted; fees = interest, service fee and fine
  amount bigint not null check (amount <> 0),
  principal bigint not null,
  fees bigint not null,
  channel int not null check (channel between 1 and 4),
  paid_at timestamptz not null,
  extension boolean not null default false,
  commission bigint not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  check (principal + fees = amount)
);
create unique index recovery_bill_record on recovery_bill (record_id) where amount > 0;
create unique index recovery_bill_reversal on recovery_bill (record_id) where amount < 0;
create index recovery_bill_paid on recovery_bill (paid_at desc, id desc) include (collector_id, agency_id,
  department_id, group_id, stage_id, case_id, amount, commission);
create index recovery_bill_agency on recovery_bill (agency_id, paid_at desc, id desc);
create index recovery_bill_department on recovery_bill (department_id, paid_at desc, id desc);
create index recovery_bill_group on recovery_bill (group_id, paid_at desc, id desc);
create index recovery_bill_collector on recovery_bill (collector_id, paid_at desc, id desc);
create index recovery_bill_order on recovery_bill (order_id);
