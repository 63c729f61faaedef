-- Reports of what rules and routes let through, of reminders before the due day, of campaigns, and
-- of the time that the steps of the conversion take.

-- When a step was completed; rows of an older book do not say it.
alter table customer_contact add column created_at timestamptz;
alter table customer_contact alter column created_at set default clock_timestamp();
alter table customer_kyc add column passed_at timestamptz;

create function keep_kyc_passed_at() returns trigger language plpgsql as $$
begin
  if new.passed_at is null and new.verify_state = 'passed' and new.pan_state = 'passed' then
    new.passed_at := clock_timestamp();
  end if;
  return new;
end $$;
create trigger customer_kyc_passed before insert or update on customer_kyc for each row
  execute function keep_kyc_passed_at();

-- The campaign that brought a customer, where the customer app tells it.
alter table customer add column campaign text;
-- The instalment a message reminds of.
alter table message_log add column plan_id text references repay_plan (id);
create index message_log_plan on message_log (plan_id, at) where plan_id is not null;

-- Time from registration to a step, in seconds: whole minutes below an hour, ten minutes below a
-- day, else hours.
create table report_process_time (
  day date not null,
  app_id text not null,
  channel_id text not null,
  customer_class text not null,
  step int not null,
  seconds int not null,
  customers int not null,
  primary key (day, app_id, channel_id, customer_class, step, seconds)
);

-- Applications that a rule hit, that were refused under a code, or that passed by a route.
create table report_risk_day (
  day date not null,
  app_id text not null,
  product_id text not null,
  tag text not null,
  kind text not null check (kind in ('rule', 'code', 'route')),
  key text not null,
  hits int not null,
  passed int not null,
  limits int not null,
  limit_amount bigint not null,
  primary key (day, app_id, product_id, tag, kind, key)
);

-- First instalments of such applications by due day, and those not paid seven and thirty days later.
create table report_risk_due (
  due_day date not null,
  app_id text not null,
  product_id text not null,
  tag text not null,
  kind text not null check (kind in ('rule', 'route')),
  key text not null,
  due int not null,
  unpaid_7 int not null,
  unpaid_30 int not null,
  first_due int not null,
  first_unpaid int not null,
  primary key (due_day, app_id, product_id, tag, kind, key)
);

-- Instalments that were open at the start of a day before their due day: -3 to 0.
create table report_remind (
  due_day date not null,
  app_id text not null,
  product_id text not null,
  tag text not null,
  department_id text not null,
  at_day int not null check (at_day between -3 and 0),
  plans int not null,
  messages int not null,
  reached int not null,
  paid int not null,
  reached_paid int not null,
  primary key (due_day, app_id, product_id, tag, department_id, at_day)
);

create table report_campaign_day (
  day date not null,
  channel_id text not null,
  campaign text not null,
  registrations int not null,
  certified int not null,
  disbursed int not null,
  disbursed_amount bigint not null,
  primary key (day, channel_id, campaign)
);
create table report_campaign_due (
  due_day date not null,
  channel_id text not null,
  campaign text not null,
  first_due int not null,
  first_unpaid int not null,
  primary key (due_day, channel_id, campaign)
);

-- older days of the conversion are filled again, with the times
delete from report_rollup where name = 'process';

create index rule_hit_at on rule_hit (at);

create or replace function mark_new_customers() returns trigger language plpgsql as $$
begin
  if not report_marks_off() then
    insert into report_mark (rollup, day)
    select r.name, d.day
    from (
      select ist_day(n.registered_at) as day, bool_or(n.campaign is not null) as has_campaign
      from new_rows n
      group by 1
    ) d
    cross join (values ('customerDay'), ('process'), ('campaign')) r (name)
    where d.has_campaign or r.name <> 'campaign';
  end if;
  return null;
end $$;

create function mark_campaign_of_customer() returns trigger language plpgsql as $$
begin
  insert into report_mark (rollup, day)
  values ('campaign', ist_day(old.registered_at)), ('campaign', ist_day(new.registered_at));
  return null;
end $$;
create trigger customer_campaign_again
  after update of certified, channel_id, campaign, registered_at on customer for each row
  when ((old.campaign is not null or new.campaign is not null)
    and (old.certified, old.channel_id, old.campaign, old.registered_at)
      is distinct from (new.certified, new.channel_id, new.campaign, new.registered_at))
  execute function mark_campaign_of_customer();

create or replace function mark_order_outcomes() returns trigger language plpgsql as $$
begin
  if not report_marks_off() then
    insert into report_mark (rollup, day)
    select distinct 'orderDay', ist_day(n.at) from new_rows n
    where n.to_status in (20, 21, 22, 23, 26, 27, 30)
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
    select distinct 'campaign', ist_day(n.at)
    from new_rows n
    join loan_order o on o.id = n.order_id
    join customer c on c.id = o.customer_id and c.campaign is not null
    where n.to_status = 30 and n.from_status = 29;
  end if;
  return null;
end $$;

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
    cross join (values ('due'), ('cohort'), ('risk'), ('remind'), ('campaign')) r (name);
  end if;
  return null;
end $$;

create or replace function mark_cohorts_of_case() returns trigger language plpgsql as $$
begin
  if not report_marks_off() then
    insert into report_mark (rollup, day)
    select r.name, p.due_at
    from repay_plan p
    cross join (values ('cohort'), ('remind')) r (name)
    where p.order_id = new.order_id;
  end if;
  return null;
end $$;

create function mark_rule_hits() returns trigger language plpgsql as $$
begin
  if not report_marks_off() then
    insert into report_mark (rollup, day)
    select distinct 'risk', ist_day(n.at) from new_rows n where n.outcome = 'hit'
    union
    -- an application that was judged before its loan has none of these yet
    select 'risk', p.due_at
    from new_rows n
    join review r on r.id = n.review_id
    join repay_plan p on p.order_id = r.order_id and p.serial_no = 1
    where n.outcome = 'hit';
  end if;
  return null;
end $$;
create trigger rule_hit_reported after insert on rule_hit
  referencing new table as new_rows for each statement execute function mark_rule_hits();

create function mark_reminders() returns trigger language plpgsql as $$
begin
  if not report_marks_off() then
    insert into report_mark (rollup, day)
    select distinct 'remind', p.due_at
    from new_rows n
    join repay_plan p on p.id = n.plan_id;
  end if;
  return null;
end $$;
create trigger message_log_reported after insert on message_log
  referencing new table as new_rows for each statement execute function mark_reminders();
