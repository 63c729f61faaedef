-- Parameters, dictionaries, lines and rules that an administrator keeps.

create sequence config_id_seq start 100001;
create table sys_config (
  id text primary key,
  number text not null unique,
  code text not null unique,
  name text not null,
  value text not null,
  value_type text not null check (value_type in ('int', 'decimal', 'text', 'bool', 'json', 'time')),
  state text not null default 'enabled' check (state in ('enabled', 'disabled')),
  built_in boolean not null default false,
  public boolean not null default false,
  remark text,
  updated_by text,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  version int not null default 1
);

-- Dictionaries: types and their entries, each with a word per language.
create sequence dict_id_seq start 100001;
create table sys_dict (
  id text primary key default 'DT' || nextval('dict_id_seq'),
  type_name text not null,
  code text not null unique,
  sort int not null default 0,
  -- a code table of the product: it can be neither deleted nor renamed
  built_in boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  version int not null default 1
);

create sequence dict_detail_id_seq start 100001;
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
create view holiday (day, name) as
  -- a code that is not a day counts for nothing; the case keeps it from being cast to a date
  select
    case
      when e.code ~ '^\d{4}-((0[13578]|1[02])-(0[1-9]|[12]\d|3[01])|(0[469]|11)-(0[1-9]|[12]\d|30)|02-(0[1-9]|1\d|2[0-8]))$'
        then e.code::date
      when e.code ~ '^\d\d(0[48]|[2468][048]|[13579][26])-02-29$' then e.code::date
    end,
    e.labels ->> 'en'
  from sys_dict_detail e
  join sys_dict d on d.id = e.dict_id
  where d.code = 'holiday' and e.state = 'enabled';

-- Outbound lines, and the extensions they are dialled from.
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

-- Versions of the decision graph (JDM) that machine review uses; one of them is enabled.
create table rule_set (
  version_no int primary key,
  name text not null,
  state text not null check (state in ('draft', 'enabled', 'retired')),
  content jsonb not null,
  created_at timestamptz not null default clock_timestamp()
);
create unique index rule_set_one_enabled on rule_set ((true)) where state = 'enabled';
