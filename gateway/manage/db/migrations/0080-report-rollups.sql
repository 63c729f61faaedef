-- Figures by IST day. A table holds sums of one grain; whatever changes a day marks it in the same
-- transaction, and the marked days are filled again.

-- Whether all days of a rollup that were there before the first mark are filled.
create table report_rollup (
  name text primary key,
  filled_at timestamptz
);

-- When the marks were last worked off: the figures are those of that moment.
create table report_state (
  only_row boolean primary key default true check (only_row),
  as_of timestamptz not null
);

-- Without a unique key: two commands that mark one day do not wait for each other.
create table report_mark (
  id bigint generated always as identity primary key,
  rollup text not null,
  day date not null
);
create index report_mark_day on report_mark (rollup, day);

-- What applications and payouts came to, by the day it happened.
create table report_order_day (
  day date not null,
  app_id text not null,
  channel_id text not null,
  product_id text not null,
  tag text not null,
  applications int not null,
  auto_passed int not null,
  auto_failed int not null,
  undecided int not null,
  limit_failed int not null,
  manual_passed int not null,
  manual_failed int not null,
  disbursed int not null,
  disbursed_amount bigint not null,
  attempts int not null,
  failed_attempts int not null,
  primary key (day, app_id, channel_id, product_id, tag)
);

-- Customers by the day of their registration.
create table report_customer_day (
  day date not null,
  app_id text not null,
  channel_id text not null,
  registrations int not null,
  certified int not null,
  primary key (day, app_id, channel_id)
);

-- Instalments by due day: principal, interest and service fee; fines are not part of it.
create table report_due (
  due_day date not null,
  app_id text not null,
  channel_id text not null,
  product_id text not null,
  tag text not null,
  plans int not null,
  due_amount bigint not null,
  -- first instalments of first loans, and those of them that were not paid seven days after
  first_due int not null,
  first_unpaid int not null,
  primary key (due_day, app_id, channel_id, product_id, tag)
);

create index order_status_log_outcome on order_status_log (at)
  where to_status in (20, 21, 22, 23, 26, 27, 30);
create index payout_transfer_finished on payout_transfer (finished_at) where finished_at is not null;
create index repay_plan_due_day on repay_plan (due_at);

create function ist_day(at timestamptz) returns date language sql immutable as $$
  select (at at time zone 'Asia/Kolkata')::date
$$;

-- A book that is written as a whole is not marked day by day: it is filled as a whole.
create function report_marks_off() returns boolean language sql stable as $$
  select coalesce(current_setting('reports.marks', true), '') = 'off'
$$;

create function mark_new_customers() returns trigger language plpgsql as $$
begin
  if not report_marks_off() then
    insert into report_mark (rollup, day)
    select distinct 'customerDay', ist_day(n.registered_at) from new_rows n;
  end if;
  return null;
end $$;
create trigger customer_reported after insert on customer
  referencing new table as new_rows for each statement execute function mark_new_customers();

create function mark_changed_customer() returns trigger language plpgsql as $$
begin
  insert into report_mark (rollup, day)
  values ('customerDay', ist_day(old.registered_at)), ('customerDay', ist_day(new.registered_at));
  return null;
end $$;
create trigger customer_reported_again
  after update of certified, channel_id, app_id, registered_at on customer for each row
  when ((old.certified, old.channel_id, old.app_id, old.registered_at)
    is distinct from (new.certified, new.channel_id, new.app_id, new.registered_at))
  execute function mark_changed_customer();

create function mark_new_orders() returns trigger language plpgsql as $$
begin
  if not report_marks_off() then
    insert into report_mark (rollup, day)
    select distinct 'orderDay', ist_day(n.created_at) from new_rows n where n.from_order_id is null;
  end if;
  return null;
end $$;
create trigger loan_order_reported after insert on loan_order
  referencing new table as new_rows for each statement execute function mark_new_orders();

create function mark_order_outcomes() returns trigger language plpgsql as $$
begin
  if not report_marks_off() then
    insert into report_mark (rollup, day)
    select distinct 'orderDay', ist_day(n.at) from new_rows n
    where n.to_status in (20, 21, 22, 23, 26, 27, 30);
  end if;
  return null;
end $$;
create trigger order_status_log_reported after insert on order_status_log
  referencing new table as new_rows for each statement execute function mark_order_outcomes();

create function mark_finished_transfer() returns trigger language plpgsql as $$
begin
  if not report_marks_off() then
    insert into report_mark (rollup, day) values ('orderDay', ist_day(new.finished_at));
    if tg_op = 'UPDATE' and ist_day(old.finished_at) <> ist_day(new.finished_at) then
      insert into report_mark (rollup, day) values ('orderDay', ist_day(old.finished_at));
    end if;
  end if;
  return null;
end $$;
create trigger payout_transfer_reported
  after insert or update of pay_state, finished_at on payout_transfer for each row
  when (new.finished_at is not null) execute function mark_finished_transfer();

-- Each change of what an instalment owes is a posting; fines are no part of these figures.
create function mark_posted_plans() returns trigger language plpgsql as $$
begin
  if not report_marks_off() then
    insert into report_mark (rollup, day)
    select distinct 'due', p.due_at
    from new_rows n join repay_plan p on p.id = n.plan_id
    where n.account in ('principalReceivable', 'doubtfulPrincipal', 'interestReceivable', 'serviceReceivable')
      and n.kind not in ('badDebt', 'cure');
  end if;
  return null;
end $$;
create trigger ledger_entry_reported after insert on ledger_entry
  referencing new table as new_rows for each statement execute function mark_posted_plans();
