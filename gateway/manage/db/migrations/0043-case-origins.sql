-- Where a case came from when it moved, which run gave a case that may still be taken back, and who was complained about.

alter table case_allocation
  -- the unit it stood in before; null = the pool
  add column from_department_id text,
  add column from_group_id text,
  -- IST days after the due day when it moved, and the case's version then
  add column overdue_days int,
  add column case_version int;
update case_allocation m
set from_department_id = p.to_department_id, from_group_id = p.to_group_id
from (select x.id, lag(x.to_department_id) over w as to_department_id, lag(x.to_group_id) over w as to_group_id from case_allocation x window w as (partition by x.case_id order by x.id)) p
where p.id = m.id and m.from_agency_id is not null and (p.to_department_id is not null or p.to_group_id is not null);
-- as far as it can be told afterwards: it grows by one a day
update case_allocation m
set overdue_days = greatest(0, c.overdue_days - ((coalesce(c.ended_at, clock_timestamp()) at time zone 'Asia/Kolkata')::date - (m.at at time zone 'Asia/Kolkata')::date))
from collection_case c where c.id = m.case_id and m.from_agency_id is not null;
-- cases that left a person or a unit; what an allocation gives out of the pool stands in none of them
create index case_allocation_left_person on case_allocation (from_user_id, case_id, id) where from_user_id is not null and from_user_id is distinct from to_user_id;
create index case_allocation_left_group on case_allocation (from_group_id, case_id, id) where from_group_id is not null and from_group_id is distinct from to_group_id;
create index case_allocation_left_department on case_allocation (from_department_id, case_id, id) where from_department_id is not null and from_department_id is distinct from to_department_id;
create index case_allocation_left_agency on case_allocation (from_agency_id, case_id, id) where from_agency_id is not null and from_agency_id is distinct from to_agency_id;

-- The run that gave the case to who holds it, until somebody contacts the borrower (a call counts) or it changes hands: what an undo
-- would take back is asked for a whole page of runs, and is counted here by its index instead of line by line.
alter table collection_case add column given_run_id text;
create function forget_given_run() returns trigger language plpgsql as $$
begin
  new.given_run_id := null;
  return new;
end $$;
-- who gives a case to somebody else names the run himself
create trigger collection_case_worked before update of collector_id, last_follow_at on collection_case for each row
  when (new.given_run_id = old.given_run_id and (new.collector_id is distinct from old.collector_id or new.last_follow_at is distinct from old.last_follow_at)) execute function forget_given_run();
create function forget_run_of_called() returns trigger language plpgsql as $$
begin
  update collection_case c set given_run_id = null where c.id = new.case_id and c.given_run_id is not null;
  return null;
end $$;
create trigger call_log_worked after insert on call_log for each row when (new.case_id is not null) execute function forget_run_of_called();
update collection_case c set given_run_id = i.run_id
from allocation_item i join allocation_run r on r.id = i.run_id
where i.case_id = c.id and i.outcome = 'allocated' and r.state <> 'undone' and c.state in ('allocated', 'held') and c.collector_id = i.collector_id and c.allocated_at <= i.done_at
  and (c.last_follow_at is null or c.last_follow_at < c.allocated_at) and not exists (select 1 from call_log l where l.case_id = c.id and l.started_at >= c.allocated_at);
create index collection_case_given_run on collection_case (given_run_id) where given_run_id is not null and state = 'allocated';

-- answered complaints about somebody, which keep him from the customer's later loans (domain.md 2.2)
create index feedback_about on feedback (customer_id, about_id) where about_id is not null and progress = 'finished';
