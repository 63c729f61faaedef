-- How many cases each place has by stage, counted as cases change, because a board reads them every two
-- seconds and a hundred thousand cases take half a second to count. A statement that changes cases leaves
-- what it changed in case_count_change, so that no command waits for another one's count; case_count has
-- what was added up since. The sum of both is what there is.
create table case_count (
  -- what holds until it changes, or the day on which cases ended or were contacted
  day date not null,
  stage_id text not null,
  -- empty where a case has none
  agency_id text not null,
  department_id text not null,
  group_id text not null,
  collector_id text not null,
  -- not closed, and those of them that were not ended by hand either
  going int not null,
  open int not null,
  unallocated int not null,
  -- paise of the open ones
  outstanding bigint not null,
  -- in hand: without a day for the next contact, and not contacted since they were given
  undated int not null,
  not_contacted int not null,
  held int not null,
  ended int not null,
  contacted int not null,
  primary key (day, stage_id, collector_id, group_id, department_id, agency_id)
) with (fillfactor = 70);
create table case_count_change (like case_count);
alter table case_count_change set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

-- What one case counts for.
create function case_count_lines(state text, end_reason text, outstanding bigint, allocated_at timestamptz,
  last_follow_at timestamptz, next_follow_at timestamptz, ended_at timestamptz)
returns table (day date, going int, open int, unallocated int, outstanding_sum bigint, undated int,
  not_contacted int, held int, ended int, contacted int)
language sql immutable as $$
  select '-infinity'::date, 1, (end_reason is null)::int, (state in ('unallocated', 'allocating'))::int,
    case when end_reason is null then outstanding else 0 end,
    (state in ('allocated', 'promised') and next_follow_at is null)::int,
    coalesce(state in ('allocated', 'promised')
      and (last_follow_at is null or last_follow_at < allocated_at), false)::int,
    (state = 'held' and end_reason is null)::int, 0, 0
  where state <> 'closed'
  union all
  select ist_day(ended_at), 0, 0, 0, 0, 0, 0, 0, 1, 0
  where state = 'closed' and ended_at is not null
  union all
  select ist_day(last_follow_at), 0, 0, 0, 0, 0, 0, 0, 0, 1
  where last_follow_at is not null and (state <> 'closed' or ist_day(ended_at) = ist_day(last_follow_at))
$$;

-- Counted from the cases themselves.
create view case_counted as
select l.day, c.stage_id, coalesce(c.agency_id, '') as agency_id,
  coalesce(c.department_id, '') as department_id, coalesce(c.group_id, '') as group_id,
  coalesce(c.collector_id, '') as collector_id, sum(l.going)::int as going, sum(l.open)::int as open,
  sum(l.unallocated)::int as unallocated, sum(l.outstanding_sum)::bigint as outstanding,
  sum(l.undated)::int as undated, sum(l.not_contacted)::int as not_contacted, sum(l.held)::int as held,
  sum(l.ended)::int as ended, sum(l.contacted)::int as contacted
from collection_case c
cross join lateral case_count_lines(c.state, c.end_reason, c.outstanding, c.allocated_at, c.last_follow_at,
  c.next_follow_at, c.ended_at) l
group by 1, 2, 3, 4, 5, 6;

-- Days that are long over are neither read nor proven: a book written as a whole has many of them.
create function count_cases() returns trigger language plpgsql as $$
declare
  since date := ist_day(clock_timestamp()) - 7;
begin
  if tg_op = 'INSERT' then
    insert into case_count_change
    select l.day, c.stage_id, coalesce(c.agency_id, ''), coalesce(c.department_id, ''),
      coalesce(c.group_id, ''), coalesce(c.collector_id, ''), sum(l.going), sum(l.open), sum(l.unallocated),
      sum(l.outstanding_sum), sum(l.undated), sum(l.not_contacted), sum(l.held), sum(l.ended),
      sum(l.contacted)
    from new_rows c
    cross join lateral case_count_lines(c.state, c.end_reason, c.outstanding, c.allocated_at,
      c.last_follow_at, c.next_follow_at, c.ended_at) l
    where l.day >= since or l.day = '-infinity'
    group by 1, 2, 3, 4, 5, 6;
  elsif tg_op = 'DELETE' then
    insert into case_count_change
    select l.day, c.stage_id, coalesce(c.agency_id, ''), coalesce(c.department_id, ''),
      coalesce(c.group_id, ''), coalesce(c.collector_id, ''), -sum(l.going), -sum(l.open),
      -sum(l.unallocated), -sum(l.outstanding_sum), -sum(l.undated), -sum(l.not_contacted), -sum(l.held),
      -sum(l.ended), -sum(l.contacted)
    from old_rows c
    cross join lateral case_count_lines(c.state, c.end_reason, c.outstanding, c.allocated_at,
      c.last_follow_at, c.next_follow_at, c.ended_at) l
    where l.day >= since or l.day = '-infinity'
    group by 1, 2, 3, 4, 5, 6;
  else
    insert into case_count_change
    select d.day, d.stage_id, d.agency_id, d.department_id, d.group_id, d.collector_id, d.going, d.open,
      d.unallocated, d.outstanding, d.undated, d.not_contacted, d.held, d.ended, d.contacted
    from (
      select l.day, c.stage_id, coalesce(c.agency_id, '') as agency_id,
        coalesce(c.department_id, '') as department_id, coalesce(c.group_id, '') as group_id,
        coalesce(c.collector_id, '') as collector_id, sum(c.sign * l.going) as going,
        sum(c.sign * l.open) as open, sum(c.sign * l.unallocated) as unallocated,
        sum(c.sign * l.outstanding_sum) as outstanding, sum(c.sign * l.undated) as undated,
        sum(c.sign * l.not_contacted) as not_contacted, sum(c.sign * l.held) as held,
        sum(c.sign * l.ended) as ended, sum(c.sign * l.contacted) as contacted
      from (
        select 1 as sign, n.stage_id, n.agency_id, n.department_id, n.group_id, n.collector_id, n.state,
          n.end_reason, n.outstanding, n.allocated_at, n.last_follow_at, n.next_follow_at, n.ended_at
        from new_rows n
        union all
        select -1, o.stage_id, o.agency_id, o.department_id, o.group_id, o.collector_id, o.state,
          o.end_reason, o.outstanding, o.allocated_at, o.last_follow_at, o.next_follow_at, o.ended_at
        from old_rows o
      ) c
      cross join lateral case_count_lines(c.state, c.end_reason, c.outstanding, c.allocated_at,
        c.last_follow_at, c.next_follow_at, c.ended_at) l
      where l.day >= since or l.day = '-infinity'
      group by 1, 2, 3, 4, 5, 6
    ) d
    where (d.going, d.open, d.unallocated, d.outstanding, d.undated, d.not_contacted, d.held, d.ended,
      d.contacted) <> (0, 0, 0, 0, 0, 0, 0, 0, 0);
  end if;
  return null;
end $$;
create trigger collection_case_counted after insert on collection_case
  referencing new table as new_rows for each statement execute function count_cases();
create trigger collection_case_counted_again after update on collection_case
  referencing old table as old_rows new table as new_rows for each statement execute function count_cases();
create trigger collection_case_uncounted after delete on collection_case
  referencing old table as old_rows for each statement execute function count_cases();

insert into case_count (day, stage_id, agency_id, department_id, group_id, collector_id, going, open,
  unallocated, outstanding, undated, not_contacted, held, ended, contacted)
select k.day, k.stage_id, k.agency_id, k.department_id, k.group_id, k.collector_id, k.going, k.open,
  k.unallocated, k.outstanding, k.undated, k.not_contacted, k.held, k.ended, k.contacted
from case_counted k where k.day >= ist_day(clock_timestamp()) - 7 or k.day = '-infinity';

-- Who waits longest in a place.
create index collection_case_waiting on collection_case (stage_id, coalesce(agency_id, ''),
  coalesce(department_id, ''), coalesce(group_id, ''), coalesce(collector_id, ''), waiting_since)
  where waiting_since is not null;
