-- What a customer app is to its installations, and the groups apps stand in. An app of before has no
-- group and no merchant until it is edited; without a merchant it offers every product of its own.
create sequence app_group_id_seq start 101;
create table app_group (
  id text primary key default 'AG' || nextval('app_group_id_seq'),
  name text not null,
  remark text not null default '',
  created_at timestamptz not null default clock_timestamp()
);
create unique index app_group_name on app_group (lower(name));

create sequence app_id_seq start 1001;
alter table app alter column id set default 'AP' || nextval('app_id_seq');
alter table app add column group_id text references app_group (id);
alter table app add column merchant_id text references merchant (id);
alter table app add column package text not null default '';
alter table app add column app_version text not null default '1.0.0';
alter table app add column min_version text not null default '1.0.0';
alter table app add column force_update boolean not null default false;
alter table app add column store_url text;
alter table app add column privacy_url text;
alter table app add column service_phone text;
alter table app add column updated_at timestamptz not null default clock_timestamp();
alter table app add column version int not null default 1;
