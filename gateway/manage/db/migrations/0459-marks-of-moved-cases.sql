-- Cases that move to another department mark the due days of their instalments: each day once for a
-- statement, not once for each of a thousand cases. The plan of a trigger is kept, whatever number of rows
-- it was made for, so rows before and after are not joined, and instalments are looked up for each order.
create function mark_cohorts_of_cases() returns trigger language plpgsql as $$
begin
  if report_marks_off() then
    return null;
  end if;
  insert into report_mark (rollup, day)
  select distinct r.name, p.due_at
  from (
    select n.id, n.order_id, n.department_id from new_rows n
    except
    select o.id, o.order_id, o.department_id from old_rows o
  ) m
  cross join lateral (select i.due_at from repay_plan i where i.order_id = m.order_id offset 0) p
  cross join (values ('cohort'), ('remind')) r (name);
  return null;
end $$;
drop trigger collection_case_cohort_again on collection_case;
create trigger collection_case_cohort_again after update on collection_case
  referencing old table as old_rows new table as new_rows
  for each statement execute function mark_cohorts_of_cases();

-- How many cases a stage has is counted (case_count); each case that moved was written here again.
drop index collection_case_open_stage;
