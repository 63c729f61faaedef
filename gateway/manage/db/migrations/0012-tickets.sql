-- Tickets: what customers ask and complain about, who works on it and until when.

create sequence feedback_id_seq start 10000001;
create table feedback (
  id text primary key default 'FB' || nextval('feedback_id_seq'),
  customer_id text not null references customer (id),
  order_id text references loan_order (id),
  -- 1 usage, 2 disbursement, 3 repayment, 4 collection, 5 complaint, 6 other
  type int not null check (type between 1 and 6),
  content text not null,
  contact_way text not null check (contact_way in ('phone', 'whatsapp', 'sms', 'email', 'visit')),
  queue text not null check (queue in ('operation', 'loaned')),
  department text references department (id),
  progress text not null default 'unprocessed' check (progress in ('unprocessed', 'followingUp', 'finished')),
  follow_state text not null default 'notFollowed' check (follow_state in ('notFollowed', 'following',
    'caseClosed')),
  processor_id text references sys_user (id),
  processor_name text,
  -- collector a complaint is about: they never see the ticket
  about_id text references sys_user (id),
  about_name text,
  handover_state text check (handover_state in ('pending', 'approved', 'rejected')),
  level int not null default 0 check (level between 0 and 3),
  -- escalation days that have passed
  auto_level int not null default 0,
  reply_due_at timestamptz not null,
  answer_due_at timestamptz not null,
  -- until the first reply its due time, then that of the answer
  due_at timestamptz not null generated always as (case
    when first_reply_at is null then least(reply_due_at, answer_due_at) else answer_due_at end) stored,
  -- reminders sent for the present due time: 0 none, 1 that it is near, 2 that it has passed
  sla_told int not null default 0 check (sla_told in (0, 1, 2)),
  first_reply_at timestamptz,
  finished_at timestamptz,
  reopened_at timestamptz,
  evaluation int check (evaluation between 1 and 5),
  -- fencing token: grows by one at every change of processor
  token int not null default 0,
  claimed_at timestamptz,
  -- the lease of a processor who has not replied yet; live_until starts with their first heartbeat
  idle_until timestamptz,
  live_until timestamptz,
  warned_at timestamptz,
  created_by text references sys_user (id),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  version int not null default 1,
  check ((progress = 'unprocessed') = (processor_id is null)),
  check ((progress = 'finished') = (finished_at is not null)),
  check ((follow_state = 'caseClosed') = (progress = 'finished')),
  check ((idle_until is not null) = (progress = 'followingUp' and first_reply_at is null)),
  check (live_until is null or idle_until is not null)
);
-- open tickets by due time, then ended ones, newest first
create index feedback_due on feedback (finished_at desc nulls first, due_at, id);
create index feedback_queue on feedback (queue, progress, due_at, id);
create index feedback_open_due on feedback (due_at, id) where progress <> 'finished';
create index feedback_processor on feedback (processor_id, progress, due_at);
create index feedback_customer on feedback (customer_id, created_at desc);
create index feedback_order on feedback (order_id) where order_id is not null;
create index feedback_department on feedback (department) where department is not null;
create index feedback_lease on feedback (least(idle_until, live_until)) where idle_until is not null;
create index feedback_created on feedback (created_at);
create index feedback_finished on feedback (queue, finished_at desc, id) where progress = 'finished';
-- answered complaints about a collector, who does not get the customer's later loans
create index feedback_about on feedback (customer_id, about_id) where about_id is not null
  and progress = 'finished';

create table feedback_step (
  id bigint generated always as identity primary key,
  feedback_id text not null references feedback (id),
  kind text not null,
  operator_id text references sys_user (id),
  operator_name text not null,
  content text,
  remark text,
  internal boolean not null default false,
  from_state text,
  to_state text not null,
  token int not null,
  -- the processor after the step; the checks of claims read it
  processor_id text,
  -- state of a message to the customer; null = none is sent
  message text check (message in ('due', 'sent', 'failed')),
  message_tries int not null default 0,
  message_at timestamptz,
  at timestamptz not null default clock_timestamp()
);
create index feedback_step_feedback on feedback_step (feedback_id, at);
create index feedback_step_message on feedback_step (id) where message = 'due';

create sequence feedback_handover_id_seq start 10000001;
create table feedback_handover (
  id text primary key default 'FH' || nextval('feedback_handover_id_seq'),
  feedback_id text not null references feedback (id),
  from_user_id text not null references sys_user (id),
  from_name text not null,
  to_user_id text references sys_user (id),
  to_name text,
  to_department text references department (id),
  requested_by text not null references sys_user (id),
  state text not null default 'pending' check (state in ('pending', 'approved', 'rejected')),
  cause text,
  reason text not null,
  decide_reason text,
  item_token int not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default clock_timestamp(),
  decided_at timestamptz,
  decided_by text,
  version int not null default 1,
  check ((to_user_id is null) <> (to_department is null))
);
create unique index feedback_handover_pending on feedback_handover (feedback_id) where state = 'pending';
create index feedback_handover_to on feedback_handover (to_user_id, state);
create index feedback_handover_department on feedback_handover (to_department, state);
create index feedback_handover_feedback on feedback_handover (feedback_id, created_at);
create index feedback_handover_expires on feedback_handover (expires_at) where state = 'pending';

-- Who takes tickets by automatic distribution; without a row a person does not.
create table feedback_distributor (
  user_id text not null references sys_user (id),
  queue text not null check (queue in ('operation', 'loaned')),
  "on" boolean not null,
  updated_at timestamptz not null default clock_timestamp(),
  primary key (user_id, queue)
);

create table feedback_file (
  step_id bigint not null references feedback_step (id),
  n int not null check (n between 1 and 5),
  file_id text not null unique references file_object (id),
  primary key (step_id, n)
);
