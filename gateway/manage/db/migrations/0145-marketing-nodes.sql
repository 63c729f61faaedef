-- Marketing nodes: who of a segment is contacted, when and how; their runs; what became of each
-- customer. And telemarketers: the segments and the capacity of a person.

create sequence marketing_node_id_seq start 10001;
create table marketing_node (
  id text primary key default 'MN' || nextval('marketing_node_id_seq'),
  name text not null,
  -- chosen by the condition, or from a list of customers
  type text not null check (type in ('batchRun', 'package')),
  segment text not null check (segment in ('no_certified', 'unrequished', 'no_relented', 'loan_failed')),
  -- a tree of comparisons (shared/conditions); null = everybody, of a list only
  condition jsonb,
  -- how long a customer stands in the segment at least: IST days, hours
  date_days int check (date_days between 0 and 365),
  time_hours int check (time_hours between 0 and 720),
  effective boolean not null,
  -- what is done: tasks given to telemarketers, messages sent
  gives_tasks boolean not null,
  message_way text check (message_way in ('sms', 'whatsapp')),
  -- per cent of the customers who are not contacted, so that the effect can be measured
  holdout int not null default 0 check (holdout between 0 and 50),
  -- null = each customer once; else again after so many days
  again_days int check (again_days between 1 and 365),
  coupon_id text,
  matched_last int,
  last_run_at timestamptz,
  updated_by text references sys_user (id),
  updated_by_name text not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  version int not null default 1,
  check (gives_tasks or message_way is not null),
  check (type = 'package' or condition is not null),
  check (type = 'package' or date_days is not null or time_hours is not null)
);
create unique index marketing_node_name on marketing_node (lower(name));

-- The list of a node of the type package.
create table marketing_package (
  node_id text not null references marketing_node (id),
  customer_id text not null references customer (id),
  primary key (node_id, customer_id)
);

create sequence marketing_run_id_seq start 10000001;
create table marketing_run (
  id text primary key default 'MR' || nextval('marketing_run_id_seq'),
  node_id text not null references marketing_node (id),
  job_id text,
  state text not null default 'running' check (state in ('running', 'done', 'failed', 'cancelled')),
  -- null = by schedule
  started_by text references sys_user (id),
  started_by_name text not null,
  started_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  -- matched = taken + the sum of excluded; the held out are among the taken
  matched int,
  taken int,
  held_out int,
  -- {why: number}
  excluded jsonb,
  assigned int not null default 0,
  messages int not null default 0,
  version int not null default 1
);
create index marketing_run_node on marketing_run (node_id, started_at desc);
create unique index marketing_run_open on marketing_run (node_id) where state = 'running';

-- Every customer a run took, written before the first is contacted.
create table marketing_contact (
  id bigint generated always as identity primary key,
  run_id text not null references marketing_run (id),
  node_id text not null references marketing_node (id),
  customer_id text not null references customer (id),
  task_id text not null references tele_task (id),
  segment text not null,
  -- customers are worked off in chunks, one transaction each
  chunk int not null,
  held_out boolean not null,
  -- the node takes each customer once
  once boolean not null,
  -- null until the chunk is done: given to a person · left in the pool, nobody had room · only
  -- messaged · held out · the customer or the task changed since
  outcome text check (outcome in ('assigned', 'pool', 'messaged', 'heldOut', 'changed')),
  at timestamptz,
  assignee_id text references sys_user (id),
  message_state text check (message_state in ('due', 'sent', 'failed', 'refused')),
  message_way text,
  message_tries int not null default 0,
  message_at timestamptz,
  unique (run_id, customer_id)
);
create unique index marketing_contact_once on marketing_contact (node_id, customer_id) where once;
create index marketing_contact_chunk on marketing_contact (run_id, chunk);
create index marketing_contact_node on marketing_contact (node_id, customer_id, at desc);
create index marketing_contact_customer on marketing_contact (customer_id);
create index marketing_contact_task on marketing_contact (task_id);
create index marketing_contact_due on marketing_contact (message_at, id) where message_state = 'due';
create index marketing_contact_messages on marketing_contact (message_at desc, id desc)
  where message_state is not null;

alter table message_log add column node_id text references marketing_node (id);

alter table tele_task add column node_id text references marketing_node (id);
-- until then nobody contacts the customer: held out by a node
alter table tele_task add column held_until timestamptz;

-- A telemarketer. Whether they take new tasks is sys_user.allocation_flag, whether the account works
-- sys_user.status; the seat stands with the promotional line.
create table tele_person (
  user_id text primary key references sys_user (id),
  segments text[] not null check (cardinality(segments) > 0),
  -- open tasks at most
  capacity int not null check (capacity between 1 and 500),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  version int not null default 1
);
create index tele_person_segments on tele_person using gin (segments);

-- Who was given a task, each time: the totals count it.
create table tele_given (
  id bigint generated always as identity primary key,
  task_id text not null references tele_task (id) on delete cascade,
  segment text not null,
  node_id text,
  user_id text not null references sys_user (id),
  at timestamptz not null default clock_timestamp()
);
create index tele_given_time on tele_given (at, user_id);
create index tele_given_user on tele_given (user_id, at);
create index tele_record_time on tele_record (created_at);
create index tele_task_closed on tele_task (closed_at) where closed_at is not null;

create function note_given_task() returns trigger language plpgsql as $$
begin
  insert into tele_given (task_id, segment, node_id, user_id)
    values (new.id, new.segment, new.node_id, new.assignee_id);
  return null;
end $$;
create trigger tele_task_given after update of assignee_id on tele_task for each row
  when (new.assignee_id is not null and new.assignee_id is distinct from old.assignee_id)
  execute function note_given_task();

-- The tasks of before, once each.
insert into tele_given (task_id, segment, user_id, at)
  select t.id, t.segment, t.assignee_id, t.claimed_at from tele_task t
  where t.assignee_id is not null and t.claimed_at is not null;
-- People who follow up already: the segments their role opens, with room for a day's work.
insert into tele_person (user_id, segments, capacity)
  select u.id, case r.unique_mark
      when 'tele_uncertified' then array['no_certified']
      when 'tele_unborrowed' then array['unrequished']
      when 'tele_unreborrowed' then array['no_relented']
      when 'tele_loanfailed' then array['loan_failed']
      else array['no_certified', 'unrequished', 'no_relented', 'loan_failed'] end, 100
  from sys_user u join sys_role r on r.id = u.role_id
  where r.unique_mark in ('tele_uncertified', 'tele_unborrowed', 'tele_unreborrowed', 'tele_loanfailed',
    'salesman');
