-- What collection held at the start of a day is a rollup of its own: nothing that happens on the day
-- changes it, whereas bills and moves mark the running day all the time. Its days are those of 'recovery',
-- which filled them up to now.
insert into report_rollup (name, filled_at)
select 'held', r.filled_at from report_rollup r where r.name = 'recovery';
insert into report_mark (rollup, day)
select distinct 'held', m.day from report_mark m where m.rollup = 'recovery';

create or replace function mark_new_bills() returns trigger language plpgsql as $$
begin
  if not report_marks_off() then
    insert into report_mark (rollup, day)
    select r.name, d.day
    from (select distinct ist_day(n.paid_at) as day from new_rows n) d
    cross join (values ('moneyDay'), ('recovery')) r (name)
    union all
    -- a payment that is told late changes what was held on the days since
    select 'held', d.day::date
    from (select min(ist_day(n.paid_at)) as first from new_rows n) f
    cross join generate_series(f.first + 1, ist_day(clock_timestamp()), '1 day') d (day);
  end if;
  return null;
end $$;

-- A case that is opened again was held on the days in between, too; its move marks the day it comes back.
create or replace function mark_reopened_case() returns trigger language plpgsql as $$
begin
  insert into report_mark (rollup, day)
  select 'held', d.day::date
  from generate_series(ist_day(old.ended_at), ist_day(clock_timestamp()), '1 day') d (day);
  return null;
end $$;

create or replace function mark_opened_day() returns trigger language plpgsql as $$
begin
  if not report_marks_off() then
    insert into report_mark (rollup, day) values ('held', new.day);
  end if;
  return null;
end $$;
