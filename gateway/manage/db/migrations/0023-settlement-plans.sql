-- Settlement plans: a bad debt that is paid in agreed parts (cure, 90 -> 50).
create sequence settlement_plan_id_seq start 10000001;
create table settlement_plan (
  id text primary key default 'SP' || nextval('settlement_plan_id_seq'),
  order_id text not null references loan_order (id),
  approval_id text not null unique references approval (id),
  -- [{dueTime, amount}]: IST days and paise, the earliest first
  rows jsonb not null,
  -- paise
  total bigint not null check (total > 0),
  -- IST day it was asked for: what was owed then is paid in parts, and fines stand still from it on
  as_of date not null,
  -- kept: all arrears were paid; broken: a row was missed; ended: the order ended otherwise
  state text not null default 'current' check (state in ('current', 'kept', 'broken', 'ended')),
  -- paise the debt had fallen by when it ended
  paid bigint,
  started_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  check ((state = 'current') = (ended_at is null)),
  check ((state = 'current') = (paid is null))
);
create unique index settlement_plan_current on settlement_plan (order_id) where state = 'current';
create index settlement_plan_order on settlement_plan (order_id, started_at desc);
