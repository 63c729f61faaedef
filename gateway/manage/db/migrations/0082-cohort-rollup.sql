-- What became of the instalments of a due day. Amounts are principal, interest and service fee.
create table report_cohort (
  due_day date not null,
  app_id text not null,
  product_id text not null,
  tag text not null,
  -- of the newest collection case of the order; empty when there is none
  department_id text not null,
  plans int not null,
  due_amount bigint not null,
  extended int not null,
  reduced bigint not null,
  written_off bigint not null,
  open_plans int not null,
  open_amount bigint not null,
  primary key (due_day, app_id, product_id, tag, department_id)
);

-- The same instalments by the day they were settled and paid, counted from the due day:
-- -4 = earlier than three days before it, 31 = later than thirty days after it.
create table report_curve (
  due_day date not null,
  app_id text not null,
  product_id text not null,
  tag text not null,
  department_id text not null,
  at_day int not null check (at_day between -4 and 31),
  settled int not null,
  paid bigint not null,
  primary key (due_day, app_id, product_id, tag, department_id, at_day)
);

create or replace function mark_posted_plans() returns trigger language plpgsql as $$
begin
  if not report_marks_off() then
    insert into report_mark (rollup, day)
    select r.name, d.due_at
    from (
      select distinct p.due_at
      from new_rows n
      join repay_plan p on p.id = n.plan_id
      where n.account in ('principalReceivable', 'doubtfulPrincipal', 'interestReceivable',
          'serviceReceivable')
        and n.kind not in ('badDebt', 'cure')
    ) d
    cross join (values ('due'), ('cohort')) r (name);
  end if;
  return null;
end $$;

create function mark_cohorts_of_case() returns trigger language plpgsql as $$
begin
  if not report_marks_off() then
    insert into report_mark (rollup, day)
    select 'cohort', p.due_at from repay_plan p where p.order_id = new.order_id;
  end if;
  return null;
end $$;
create trigger collection_case_cohort after insert on collection_case for each row
  when (new.department_id is not null) execute function mark_cohorts_of_case();
create trigger collection_case_cohort_again after update of department_id on collection_case for each row
  when (old.department_id is distinct from new.department_id) execute function mark_cohorts_of_case();
