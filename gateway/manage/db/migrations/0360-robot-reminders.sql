-- Calls of the robot before the due day, in the report of reminders.
alter table report_remind add column calls int not null default 0;
-- older days are filled again, with the calls
delete from report_rollup where name = 'remind';

-- A task is of the instalment that fell due its overdue days before it was opened.
create function mark_robot_calls() returns trigger language plpgsql as $$
begin
  if not report_marks_off() then
    insert into report_mark (rollup, day)
    select distinct 'remind', t.created_on - t.overdue_days
    from new_rows n
    join ai_call_task t on t.id = n.task_id
    where ist_day(n.started_at) <= t.created_on - t.overdue_days;
  end if;
  return null;
end $$;
create trigger ai_call_reported after insert on ai_call
  referencing new table as new_rows for each statement execute function mark_robot_calls();

-- A call that no vendor took is no call.
create function mark_refused_robot_call() returns trigger language plpgsql as $$
begin
  if not report_marks_off() then
    insert into report_mark (rollup, day)
    select 'remind', t.created_on - t.overdue_days
    from ai_call_task t
    where t.id = new.task_id and ist_day(new.started_at) <= t.created_on - t.overdue_days;
  end if;
  return null;
end $$;
create trigger ai_call_refused after update of state on ai_call for each row
  when ((old.state = 'refused') is distinct from (new.state = 'refused'))
  execute function mark_refused_robot_call();
