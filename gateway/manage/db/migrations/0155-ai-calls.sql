-- Calls of a robot to borrowers: who is called when, a task per loan, and each call of a task.
create sequence ai_call_config_id_seq start 101;
create table ai_call_config (
  id text primary key default 'AC' || nextval('ai_call_config_id_seq'),
  product_id text not null references product (id),
  min_days int not null check (min_days >= -3),
  max_days int not null,
  -- `HH:MM` IST, inside the hours of contact
  start_time text not null,
  end_time text not null,
  robot_id text not null,
  robot_name text not null,
  repeat_interval_min int not null check (repeat_interval_min >= 30),
  repeat_frequency int not null check (repeat_frequency between 1 and 10),
  redial_interval_min int not null check (redial_interval_min >= 5),
  redial_max int not null check (redial_max between 0 and 5),
  ignore_labels text[] not null default '{}',
  status text not null check (status in ('enabled', 'disabled')),
  updated_by_name text not null,
  updated_at timestamptz not null default clock_timestamp(),
  version int not null default 1,
  check (min_days <= max_days),
  check (start_time < end_time)
);
create index ai_call_config_product on ai_call_config (product_id);

create sequence ai_call_task_id_seq start 100001;
create table ai_call_task (
  id text primary key default 'AT' || nextval('ai_call_task_id_seq'),
  config_id text not null references ai_call_config (id),
  order_id text not null references loan_order (id),
  case_id text references collection_case (id),
  customer_id text not null references customer (id),
  overdue_days int not null,
  state text not null default 'created' check (state in ('created', 'pending', 'calling', 'paused',
    'finished', 'cancelled')),
  -- calls begun, redials of the running round, rounds over
  attempt int not null default 0,
  redials int not null default 0,
  rounds int not null default 0,
  -- when it dials next; null while a call is out, and when it is over or paused
  due_at timestamptz,
  result text check (result in ('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h')),
  started_at timestamptz,
  duration_sec int,
  cancel_cause text,
  created_on date not null default (clock_timestamp() at time zone 'Asia/Kolkata')::date,
  created_at timestamptz not null default clock_timestamp(),
  created_by_name text not null,
  version int not null default 1
);
create unique index ai_call_task_open on ai_call_task (order_id)
  where state in ('created', 'pending', 'calling', 'paused');
-- a configuration opens one task a day for a loan; people may open more
create index ai_call_task_day on ai_call_task (order_id, created_on desc, config_id);
create index ai_call_task_due on ai_call_task (due_at) where due_at is not null;
create index ai_call_task_created on ai_call_task (created_at desc, id desc);
create index ai_call_task_state on ai_call_task (state, created_at desc, id desc);
create index ai_call_task_result on ai_call_task (result, created_at desc, id desc) where result is not null;
create index ai_call_task_config on ai_call_task (config_id, created_at desc, id desc);
create index ai_call_task_customer on ai_call_task (customer_id, created_at desc, id desc);
create index ai_call_task_case on ai_call_task (case_id) where case_id is not null;
create index ai_call_task_working on ai_call_task (id) where state in ('created', 'pending', 'calling', 'paused');

create sequence ai_call_id_seq start 1000001;
create table ai_call (
  -- also the vendor's key: it takes the same call once
  id text primary key default 'AK' || nextval('ai_call_id_seq'),
  task_id text not null references ai_call_task (id),
  no int not null,
  line_id text not null references phone_line (id),
  -- its entry among all contacts of the borrower
  contact_call_id text not null references call_log (id),
  state text not null check (state in ('dialling', 'calling', 'ended', 'refused')),
  vendor_call_id text,
  result text check (result in ('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h')),
  started_at timestamptz not null default clock_timestamp(),
  -- when the vendor is asked about it
  ask_at timestamptz not null default clock_timestamp() + interval '1 minute',
  duration_sec int,
  promise_day date,
  promise_amount bigint,
  transcript_enc bytea,
  unique (task_id, no)
);
create unique index ai_call_one_out on ai_call (task_id) where state in ('dialling', 'calling');
create index ai_call_line on ai_call (line_id, started_at);
create index ai_call_line_out on ai_call (line_id) where state in ('dialling', 'calling');
create index ai_call_out on ai_call (ask_at) where state in ('dialling', 'calling');
