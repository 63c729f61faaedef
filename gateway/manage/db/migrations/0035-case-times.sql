-- Moments of a case that decide something: since when it waits, and by when its first contact is due.

-- when it came to the pool, whoever's; null = it does not wait. Kept here, because a dozen steps send cases to the pool and the
-- day's run and payments move `updated_at` of those that lie there.
alter table collection_case add column waiting_since timestamptz;
create function mark_waiting() returns trigger language plpgsql as $$
begin
  if new.state not in ('unallocated', 'allocating') then
    new.waiting_since := null;
  elsif tg_op = 'INSERT' then
    new.waiting_since := coalesce(new.waiting_since, clock_timestamp());
  elsif old.state not in ('unallocated', 'allocating') then
    new.waiting_since := clock_timestamp();
  end if;
  return new;
end $$;
create trigger collection_case_waits before insert on collection_case for each row execute function mark_waiting();
create trigger collection_case_waits_again before update of state on collection_case for each row when (old.state <> new.state) execute function mark_waiting();
update collection_case c
set waiting_since = coalesce((select max(m.at) from case_allocation m where m.case_id = c.id and m.to_user_id is null), c.created_at)
where c.state in ('unallocated', 'allocating');

-- By when the first contact is due, `hours` after a case was given (domain.md 2.1), by the hours in which contact is possible: who gets
-- it outside them begins with the next opening, and what would end at night is carried over it.
create function first_contact_due(since timestamptz, hours int, opens text, closes text) returns timestamptz language sql stable as $$
  with local as (
    select since at time zone 'Asia/Kolkata' as t
  ), begun as (
    select case when l.t::time < opens::time then l.t::date + opens::time when l.t::time >= closes::time then l.t::date + 1 + opens::time else l.t end as t from local l
  ), ended as (
    select b.t + make_interval(hours => hours) as t from begun b
  )
  select case when e.t::time < opens::time or e.t::time > closes::time then e.t + (interval '1 day' - (closes::time - opens::time)) else e.t end at time zone 'Asia/Kolkata' from ended e
$$;

-- last IST day of the agreement with an agency; its cases come back the morning after (domain.md 2.2). null = no end agreed.
alter table agency add column term_end date;
