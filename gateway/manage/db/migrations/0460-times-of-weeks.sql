-- How long steps took is kept by app, channel and class and, under an empty id, for all of them, and
-- by week as well: the report of a large book reads few rows. The rollup is filled again.
delete from report_rollup where name = 'process';
alter table report_process_time drop constraint report_process_time_pkey;
alter table report_process_time add primary key
  (app_id, channel_id, customer_class, day, step, seconds) include (customers);
create index report_process_time_day on report_process_time (day);

create table report_process_week (
  -- its Monday
  day date not null,
  app_id text not null,
  channel_id text not null,
  customer_class text not null,
  step int not null,
  seconds int not null,
  customers int not null,
  primary key (app_id, channel_id, customer_class, day, step, seconds) include (customers)
);
create index report_process_week_day on report_process_week (day);
