-- What collection brought back, by the day the money was paid and where the case stood then. An empty
-- text stands for no unit.
create table report_recovered (
  day date not null,
  stage_id text not null,
  -- overdue days at the payment: T0 to T7, 8-10, 11-30, 30+
  bucket text not null,
  agency_id text not null,
  department_id text not null,
  group_id text not null,
  bills int not null,
  recovered bigint not null,
  primary key (day, stage_id, bucket, agency_id, department_id, group_id)
);

-- Cases open at the start of the day, and what they owed when they came to where they stand, less
-- what was recovered since.
create table report_held (
  day date not null,
  stage_id text not null,
  agency_id text not null,
  department_id text not null,
  group_id text not null,
  cases int not null,
  amount bigint not null,
  primary key (day, stage_id, agency_id, department_id, group_id)
);

-- Cases that came in on the day, and what they owed then.
create table report_came (
  day date not null,
  stage_id text not null,
  agency_id text not null,
  department_id text not null,
  group_id text not null,
  -- what was new: E = in collection, S = of the stage, A, D, G = of the agency, department, group
  news text not null,
  cases int not null,
  amount bigint not null,
  primary key (day, stage_id, agency_id, department_id, group_id, news)
);

create index collection_case_created on collection_case (created_at);

create or replace function mark_new_bills() returns trigger language plpgsql as $$
begin
  if not report_marks_off() then
    insert into report_mark (rollup, day)
    select distinct 'moneyDay', ist_day(n.paid_at) from new_rows n
    union all
    -- a payment that is told late changes what was held on the days since
    select distinct 'recovery', d.day::date
    from (select min(ist_day(n.paid_at)) as first from new_rows n) f
    cross join generate_series(f.first, ist_day(clock_timestamp()), '1 day') d (day);
  end if;
  return null;
end $$;

create function mark_moved_cases() returns trigger language plpgsql as $$
begin
  if not report_marks_off() then
    insert into report_mark (rollup, day)
    select distinct 'recovery', ist_day(n.at) from new_rows n;
  end if;
  return null;
end $$;
create trigger case_allocation_reported after insert on case_allocation
  referencing new table as new_rows for each statement execute function mark_moved_cases();

-- A case that is opened again was held on the days in between, too.
create function mark_reopened_case() returns trigger language plpgsql as $$
begin
  insert into report_mark (rollup, day)
  select 'recovery', d.day::date
  from generate_series(ist_day(old.ended_at), ist_day(clock_timestamp()), '1 day') d (day);
  return null;
end $$;
create trigger collection_case_reopened after update of ended_at on collection_case for each row
  when (old.ended_at is distinct from new.ended_at and old.ended_at is not null)
  execute function mark_reopened_case();

-- What is held is counted at the start of each day, also of one on which nothing is paid.
create function mark_opened_day() returns trigger language plpgsql as $$
begin
  if not report_marks_off() then
    insert into report_mark (rollup, day) values ('recovery', new.day);
  end if;
  return null;
end $$;
create trigger day_opening_reported after insert on day_opening for each row
  execute function mark_opened_day();
