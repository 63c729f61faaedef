-- A process that runs a due task holds it and renews the hold, so that another takes over the run of
-- one that was killed. What the list of tasks shows of the last run stands in the row: most runs
-- leave no row of their own.
alter table scheduled_task
  add column held_by text,
  add column held_until timestamptz,
  add column claimed_at timestamptz,
  -- when the run that was claimed last should have begun
  add column due_at timestamptz,
  -- who asked for the next run, or for the one under way
  add column asked_by text references sys_user (id),
  add column last_ms int,
  add column last_message text,
  add column fails_in_row int not null default 0,
  -- of what the administrators were told last; null: all is well
  add column alerted text check (alerted in ('late', 'failing'));

alter table scheduled_run add column asked_by text references sys_user (id);
create index scheduled_run_newest on scheduled_run (started_at desc, id desc);
create index scheduled_run_failed on scheduled_run (started_at desc, id desc) where result = 'fail';
