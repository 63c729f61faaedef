-- A payment changes five rollups of its due day and none of its day's applications: it leaves one mark
-- for the five, which the refresh spreads, and no step of its order looks further than its statuses.

-- Steps of payments (30 to 43 and back) are most of the log: a loan is disbursed once, from 29.
create or replace function mark_order_outcomes() returns trigger language plpgsql as $$
begin
  if report_marks_off() or not exists (
    select from new_rows n
    where n.to_status in (20, 21, 22, 23, 26, 27) or (n.to_status = 30 and n.from_status = 29)
  ) then
    return null;
  end if;
  insert into report_mark (rollup, day)
  select distinct 'orderDay', ist_day(n.at) from new_rows n
  where n.to_status in (20, 21, 22, 23, 26, 27) or (n.to_status = 30 and n.from_status = 29)
  union all
  select distinct 'process', ist_day(c.registered_at)
  from new_rows n
  join loan_order o on o.id = n.order_id
  join customer c on c.id = o.customer_id
  where n.to_status in (20, 26) or (n.to_status = 30 and n.from_status = 29)
  union all
  select distinct 'risk', ist_day(n.at) from new_rows n where n.to_status in (20, 21, 23, 26, 27)
  union all
  -- an application that passes changes the days its rules were hit
  select distinct 'risk', ist_day(h.at)
  from new_rows n
  join review r on r.order_id = n.order_id
  join rule_hit h on h.review_id = r.id
  where n.to_status in (20, 26)
  union all
  -- and the day it was judged in a trial
  select distinct 'risk', ist_day(s.at)
  from new_rows n
  join rule_trial_row s on s.order_id = n.order_id and s.side is not null
  where n.to_status in (20, 26)
  union all
  select distinct 'campaign', ist_day(n.at)
  from new_rows n
  join loan_order o on o.id = n.order_id
  join customer c on c.id = o.customer_id and c.campaign is not null
  where n.to_status = 30 and n.from_status = 29
  union all
  -- a customer who borrows again changes the days on which the loans before were repaid
  select distinct 'reloan', ist_day(p.closed_at)
  from new_rows n
  join loan_order o on o.id = n.order_id
  join loan_order p on p.customer_id = o.customer_id and p.status in (40, 41)
    and p.closed_at <= n.at and p.closed_at > n.at - interval '32 days'
  where n.to_status = 30 and n.from_status = 29;
  return null;
end $$;

drop trigger order_status_log_reloan on order_status_log;
drop function mark_borrowed_again();
drop trigger order_status_of_trial on order_status_log;
drop function mark_trial_outcomes();

-- One mark for all rollups of what an instalment owes.
create or replace function mark_posted_plans() returns trigger language plpgsql as $$
begin
  if not report_marks_off() then
    insert into report_mark (rollup, day)
    select distinct 'posted', p.due_at
    from new_rows n
    join repay_plan p on p.id = n.plan_id
    where n.account in ('principalReceivable', 'doubtfulPrincipal', 'interestReceivable',
        'serviceReceivable')
      and n.kind not in ('badDebt', 'cure');
  end if;
  return null;
end $$;

-- Marks are found and deleted by rollup and day, never by their number.
alter table report_mark drop constraint report_mark_pkey;
alter table report_mark drop column id;
