-- Files, jobs, schedules and requests that wait for a second person.

create sequence file_id_seq start 10000001;
create table file_object (
  id text primary key default 'F' || nextval('file_id_seq'),
  purpose text not null,
  name text not null,
  mime text not null,
  size int not null,
  sha256 bytea not null,
  content bytea not null,
  owner_id text,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz
);
create index file_object_expires on file_object (expires_at) where expires_at is not null;

create sequence job_id_seq start 10000001;
create table job (
  id text primary key default 'J' || nextval('job_id_seq'),
  type text not null,
  menu text,
  params jsonb not null default '{}',
  state text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed', 'cancelled')),
  -- of two jobs with the same key only one waits or runs
  singleton_key text,
  total int not null default 0,
  done int not null default 0,
  ok int not null default 0,
  fail int not null default 0,
  message text,
  user_id text references sys_user (id),
  user_name text,
  cancel_asked boolean not null default false,
  -- its type does something when it ends, so only a runner ends it
  settles boolean not null default false,
  -- a runner holds the job until then and renews it; the job of a crashed runner is taken over; a
  -- parked job has no holder and waits without end
  held_until timestamptz,
  held_by text,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  expires_at timestamptz,
  version int not null default 1,
  -- An export is a job. Its rows are kept part by part, as they stood when they were read, until
  -- the file is made of them.
  file_id text
);
create index job_user on job (user_id, created_at desc);
create index job_open on job (created_at) where state in ('queued', 'running');
create unique index job_singleton on job (type, singleton_key) where state in ('queued', 'running')
  and singleton_key is not null;

create table job_row (
  job_id text not null references job (id),
  n int not null,
  target_id text not null,
  state text not null default 'waiting' check (state in ('waiting', 'ok', 'failed')),
  code int,
  msg text,
  problem text,
  params jsonb,
  primary key (job_id, n)
);
create unique index job_row_target on job_row (job_id, target_id);

create table scheduled_task (
  id text primary key,
  name text not null unique,
  class text not null,
  -- cron text read in IST, or 'every:SECONDS'
  cycle text not null,
  params jsonb not null default '{}',
  status text not null default 'enabled' check (status in ('enabled', 'disabled')),
  success_count int not null default 0,
  fail_count int not null default 0,
  last_run_at timestamptz,
  next_run_at timestamptz not null default clock_timestamp(),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  version int not null default 1
);
create index scheduled_task_next on scheduled_task (next_run_at) where status = 'enabled';

create table scheduled_run (
  id bigint generated always as identity primary key,
  task_id text not null references scheduled_task (id),
  started_at timestamptz not null default clock_timestamp(),
  duration_ms int,
  result text,
  message text
);
create index scheduled_run_task on scheduled_run (task_id, started_at);

create sequence approval_id_seq start 10000001;
create table approval (
  id text primary key default 'AP' || nextval('approval_id_seq'),
  kind text not null check (kind in ('reversePayment', 'cure', 'redisburse', 'batchWriteOff', 'roleEdit',
    'export')),
  target_kind text not null,
  -- null = several targets: the request stands for them
  target_id text not null,
  -- ids and codes only, no personal data
  payload jsonb not null,
  -- paise
  amount bigint not null default 0,
  count int not null default 1 check (count > 0),
  reason text not null,
  state text not null default 'pending' check (state in ('pending', 'approved', 'rejected', 'withdrawn',
    'expired')),
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

-- An export that waits for approval: what was requested, sealed because filters may name a
-- customer. The row is deleted when the request ends.
create table export_request (
  id text primary key references approval (id),
  input_enc bytea not null
);

create table export_part (
  job_id text not null references job (id) on delete cascade,
  n int not null,
  -- as the list returned them: masked
  rows jsonb,
  -- lines of the file, once they are written
  lines text,
  primary key (job_id, n),
  -- Lines of an export with unmasked phones, sealed until the file is made of them.
  id text generated always as (job_id || ':' || n::text) stored,
  lines_enc bytea
);
