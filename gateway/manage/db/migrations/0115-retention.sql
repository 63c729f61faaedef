-- What is kept for a term and then removed may be named by what stays: the run of an allocation
-- outlives its job, and the rows of a job go with it.
alter table allocation_run drop constraint allocation_run_job_id_fkey;
alter table allocation_run add constraint allocation_run_job_id_fkey
  foreign key (job_id) references job (id) on delete set null;
alter table job_row drop constraint job_row_job_id_fkey;
alter table job_row add constraint job_row_job_id_fkey
  foreign key (job_id) references job (id) on delete cascade;
create index allocation_run_job on allocation_run (job_id);

-- The oldest are asked for each day.
create index notification_at on notification (at);
create index sys_session_ended on sys_session (expires_at);
create index job_ended on job (created_at) where state not in ('queued', 'running');
