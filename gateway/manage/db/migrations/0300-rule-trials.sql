-- What a draft version would do: judged on past applications (back-test), beside the version in force
-- without effect (shadow), or in its place for a share of the applications.
create sequence rule_backtest_id_seq start 1001;
create table rule_backtest (
  id text primary key default 'RB' || nextval('rule_backtest_id_seq'),
  rule_id text not null,
  version_no int not null,
  days int not null,
  -- applications that arrived from the one instant until before the other
  from_at timestamptz not null,
  to_at timestamptz not null,
  job_id text,
  state text not null default 'running' check (state in ('running', 'done', 'cancelled', 'failed')),
  -- the versions that are judged, in their order: those in force when it was started, and the draft
  judged jsonb not null,
  -- null until they are counted
  applications int,
  started_by text references sys_user (id),
  started_by_name text not null default '',
  started_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  foreign key (rule_id, version_no) references rule_version (rule_id, version_no) on delete cascade
);
create index rule_backtest_rule on rule_backtest (rule_id, started_at desc);

-- Applications that are judged in one transaction; gone when the back-test has ended.
create table rule_backtest_part (
  backtest_id text not null references rule_backtest (id) on delete cascade,
  n int not null,
  from_at timestamptz not null,
  from_id text not null,
  to_at timestamptz not null,
  to_id text not null,
  primary key (backtest_id, n)
);

-- Routes: what happened, what the versions in force would do now, and what they would do with the
-- draft. Null: it could not be evaluated, and `cause` says why. With a route, `cause` says why the
-- condition of the draft itself was left open.
create table rule_backtest_row (
  id bigint generated always as identity primary key,
  backtest_id text not null references rule_backtest (id) on delete cascade,
  order_id text not null references loan_order (id),
  happened text check (happened in ('pass', 'people', 'fail')),
  live text check (live in ('pass', 'people', 'fail')),
  would text check (would in ('pass', 'people', 'fail')),
  cause text,
  unique (backtest_id, order_id)
);
create index rule_backtest_row_cell on rule_backtest_row (backtest_id, happened, would, order_id);

-- The figures of a back-test, which stay with its version when its rows are gone.
create table rule_backtest_count (
  backtest_id text not null references rule_backtest (id) on delete cascade,
  channel_id text not null,
  product_id text not null,
  happened text not null,
  live text not null,
  would text not null,
  cause text not null,
  n int not null,
  -- loans among them, their first instalments that are old enough, and those not paid in time
  loans int not null,
  due_7 int not null,
  unpaid_7 int not null,
  due_30 int not null,
  unpaid_30 int not null,
  first_due int not null,
  first_unpaid int not null,
  primary key (backtest_id, channel_id, product_id, happened, live, would, cause)
);

create sequence rule_trial_id_seq start 1001;
create table rule_trial (
  id text primary key default 'RT' || nextval('rule_trial_id_seq'),
  rule_id text not null,
  version_no int not null,
  kind text not null check (kind in ('shadow', 'share')),
  percent int check (percent >= 1 and percent <= 99),
  reason text not null,
  started_by_name text not null,
  started_at timestamptz not null default clock_timestamp(),
  ended_by_name text,
  ended_at timestamptz,
  check ((kind = 'share') = (percent is not null)),
  foreign key (rule_id, version_no) references rule_version (rule_id, version_no) on delete cascade
);
-- one at a time, so that a difference has one cause
create unique index rule_trial_open on rule_trial (rule_id) where ended_at is null;
create index rule_trial_rule on rule_trial (rule_id, started_at desc);

-- Each application judged during a trial: in a share by which side, in a shadow what both said.
create table rule_trial_row (
  id bigint generated always as identity primary key,
  trial_id text not null references rule_trial (id) on delete cascade,
  review_id text not null references review (id),
  order_id text not null references loan_order (id),
  side text check (side in ('champion', 'challenger')),
  -- of that side
  version_no int,
  happened text not null check (happened in ('pass', 'people', 'fail')),
  would text check (would in ('pass', 'people', 'fail')),
  cause text,
  at timestamptz not null default clock_timestamp(),
  unique (trial_id, review_id)
);
create index rule_trial_row_newest on rule_trial_row (trial_id, at desc, order_id);
create index rule_trial_row_order on rule_trial_row (order_id) where side is not null;
create index rule_trial_row_side on rule_trial_row (at) where side is not null;

-- The risk report by the sides of shares.
alter table report_risk_day drop constraint report_risk_day_kind_check;
alter table report_risk_day add constraint report_risk_day_kind_check
  check (kind in ('rule', 'code', 'route', 'share'));
alter table report_risk_due drop constraint report_risk_due_kind_check;
alter table report_risk_due add constraint report_risk_due_kind_check check (kind in ('rule', 'route', 'share'));

create function mark_trial_sides() returns trigger language plpgsql as $$
begin
  if not report_marks_off() then
    insert into report_mark (rollup, day)
    select distinct 'risk', ist_day(n.at) from new_rows n where n.side is not null
    union
    -- an application that was judged before its loan has none of these yet
    select 'risk', p.due_at
    from new_rows n
    join repay_plan p on p.order_id = n.order_id and p.serial_no = 1
    where n.side is not null;
  end if;
  return null;
end $$;
create trigger rule_trial_reported after insert on rule_trial_row
  referencing new table as new_rows for each statement execute function mark_trial_sides();

create function mark_trial_outcomes() returns trigger language plpgsql as $$
begin
  if not report_marks_off() then
    -- an application that passes changes the day it was judged
    insert into report_mark (rollup, day)
    select distinct 'risk', ist_day(s.at)
    from new_rows n
    join rule_trial_row s on s.order_id = n.order_id and s.side is not null
    where n.to_status in (20, 26);
  end if;
  return null;
end $$;
create trigger order_status_of_trial after insert on order_status_log
  referencing new table as new_rows for each statement execute function mark_trial_outcomes();
