-- Dictionaries: types and their entries, each with a word per language.
create sequence dict_id_seq start 100001;
create sequence dict_detail_id_seq start 100001;
create table sys_dict (
  id text primary key default 'DT' || nextval('dict_id_seq'),
  type_name text not null,
  code text not null unique,
  sort int not null default 0,
  -- one of the product's own code tables: it can be neither deleted nor renamed
  built_in boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  version int not null default 1
);
create table sys_dict_detail (
  id text primary key default 'DE' || nextval('dict_detail_id_seq'),
  dict_id text not null references sys_dict (id) on delete cascade,
  code text not null,
  -- language → word; English always
  labels jsonb not null,
  sort int not null default 0,
  state text not null default 'enabled' check (state in ('enabled', 'disabled')),
  built_in boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  version int not null default 1,
  unique (dict_id, code)
);

-- Outbound lines, and the seats they are dialled from.
create sequence phone_line_id_seq start 100001;
create table phone_line (
  id text primary key default 'PL' || nextval('phone_line_id_seq'),
  number text not null unique,
  kind text not null check (kind in ('service', 'promotional', 'whatsapp', 'ai')),
  vendor_code text not null,
  seat_number text,
  bound_user_id text references sys_user (id),
  concurrency int not null,
  daily_cap int not null,
  status text not null check (status in ('enabled', 'disabled', 'blocked')),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  version int not null default 1
);
create unique index phone_line_seat on phone_line (seat_number) where seat_number is not null;
create unique index phone_line_user on phone_line (bound_user_id, kind) where bound_user_id is not null;

create sequence config_id_seq start 100001;

-- the group of a screen that a group leader has since now
insert into sys_role_menu (role_id, menu_id)
select g.id, m.id from sys_role g join sys_menu m on m.id = 'M_system' where g.unique_mark = 'group_leader' and g.built_in on conflict do nothing;
