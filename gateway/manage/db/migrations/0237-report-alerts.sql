-- Limits of daily figures, with who is told when one is crossed.
create sequence report_alert_id_seq start 1001;
create table report_alert (
  id text primary key default 'RA' || nextval('report_alert_id_seq'),
  measure text not null,
  -- above: of the running day. below, change: of the day that has ended; change is against the same
  -- weekday a week before, up or down
  kind text not null check (kind in ('above', 'below', 'change')),
  -- in the unit of the measure; of a change basis points
  threshold bigint not null check (threshold >= 0),
  app_id text references app (id),
  channel_id text references channel (id),
  told text[] not null check (cardinality(told) between 1 and 20),
  is_crossed boolean not null default false,
  crossed_at timestamptz,
  -- the day that was judged last, and its figure
  last_day date,
  last_value bigint,
  updated_by text not null references sys_user (id),
  updated_by_name text not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  version int not null default 1
);

-- Reports that are made as a file for their reader each morning.
create sequence report_subscription_id_seq start 1001;
create table report_subscription (
  id text primary key default 'RS' || nextval('report_subscription_id_seq'),
  user_id text not null references sys_user (id),
  -- path of the report's call, and its input without the days
  list text not null,
  filters jsonb not null,
  columns jsonb not null,
  title text not null,
  -- the report covers so many days and ends with yesterday
  days int not null check (days between 1 and 92),
  -- IST day on which it was made last
  sent_day date,
  created_at timestamptz not null default clock_timestamp(),
  unique (user_id, list, filters)
);
