-- A limit of any report's figure: its filters, and the row that is judged where it is not the whole.
alter table report_alert
  add column report text not null default 'home',
  add column filters jsonb not null default '{}',
  add column part text,
  add column part_group text,
  add column part_name text;
update report_alert
set filters = jsonb_strip_nulls(jsonb_build_object('appId', app_id, 'channelId', channel_id));
alter table report_alert
  drop column app_id,
  drop column channel_id;
