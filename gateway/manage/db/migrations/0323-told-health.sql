-- When the health of a configuration was last told to those who look at it.
alter table tp_health add column told_at timestamptz not null default '-infinity';
