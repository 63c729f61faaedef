-- Plans and runs of the allocation of cases.

create sequence allocation_plan_id_seq start 10001;
create table allocation_plan (
  id text primary key default 'AP' || nextval('allocation_plan_id_seq'),
  -- the unit whose cases and people it covers
  unit_kind text not null check (unit_kind in ('all', 'agency', 'department', 'group')),
  unit_id text,
  -- {stageIds, scope, mode, filters, weights, manual, seed}
  terms jsonb not null,
  -- the preview that was shown
  view jsonb not null,
  -- {version, terms, gets} of earlier versions, newest last: a conflict is shown as a difference
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
  -- 'stage' = each stage by its own mode
  mode text not null,
  seed bigint not null,
  terms jsonb not null default '{}',
  -- IST day and time of a scheduled run, which is made once
  slot text unique,
  -- set when all lines of the plan stand in allocation_item
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

-- The plan of a run, made once and carried out in chunks; after a crash it continues where
-- `done_at` is null. No foreign key on case_id: cases are never deleted, and a plan has up to
-- 100,000 lines.
create table allocation_item (
  run_id text not null references allocation_run (id),
  case_id text not null,
  chunk int not null,
  -- null = nobody has capacity: the case goes to the pool
  collector_id text,
  agency_id text,
  -- where it was: with a person (recalled first, by `recall_chunk`), or placed with a unit
  from_collector_id text,
  from_agency_id text,
  from_department_id text,
  from_group_id text,
  recall_chunk int,
  recalled_at timestamptz,
  done_at timestamptz,
  outcome text check (outcome in ('allocated', 'noCapacity', 'skipped')),
  primary key (run_id, case_id)
  -- each line is updated once: the free space keeps the update on its page, without the indexes
) with (fillfactor = 50);
create index allocation_item_chunk on allocation_item (run_id, chunk);
create index allocation_item_recall on allocation_item (run_id, recall_chunk) where recall_chunk is not null;
