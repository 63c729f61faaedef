-- What advertising cost, by day, channel and campaign, as the marketing team enters it.
create sequence delivery_spend_id_seq start 1001;
create table delivery_spend (
  id text primary key default 'DS' || nextval('delivery_spend_id_seq'),
  -- IST day
  day date not null,
  channel_id text not null references channel (id),
  campaign text not null,
  -- paise
  spend bigint not null check (spend >= 0),
  impressions bigint check (impressions >= 0),
  clicks bigint check (clicks >= 0),
  updated_by text,
  updated_by_name text not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  version int not null default 1,
  unique (day, channel_id, campaign)
);
create index delivery_spend_newest on delivery_spend (day desc, id desc);
