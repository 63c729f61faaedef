-- Who collects: stages, agencies with their departments and groups, collectors, the weekly duty table.
-- Bounds of the stages and every figure are data an owner may change (domain.md 2.1 [x]).

create table stage (
  stage_id text primary key,
  name text not null unique,
  -- overdue days, both inclusive; null = no end
  min_days int not null check (min_days >= 0),
  max_days int check (max_days >= min_days),
  address_book_visible boolean not null default false,
  -- `allocating` while a run holds the stage
  allocation_state text not null default 'allocated' check (allocation_state in ('allocated', 'allocating')),
  mode text not null default 'average' check (mode in ('average', 'weight', 'amount', 'ability')),
  keep_collector boolean not null default true,
  -- working days a case may lie without a contact; one more and it is taken back
  recall_after_days int not null check (recall_after_days >= 0),
  capacity int not null check (capacity > 0),
  ptp_max_days int not null check (ptp_max_days >= 0),
  first_contact_hours int not null check (first_contact_hours > 0),
  daily_target bigint not null default 0 check (daily_target >= 0),
  status text not null default 'enabled' check (status in ('enabled', 'disabled')),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  version int not null default 1
);
insert into stage (stage_id, name, min_days, max_days, recall_after_days, capacity, ptp_max_days, first_contact_hours) values
  ('T0', 'T0', 0, 0, 0, 300, 0, 10),
  ('T1', 'T1', 1, 1, 0, 200, 1, 2),
  ('T2', 'T2', 2, 3, 0, 200, 2, 4),
  ('S1', 'S1', 4, 7, 1, 180, 3, 10),
  ('S2', 'S2', 8, 10, 1, 150, 3, 10),
  ('M1', 'M1', 11, 30, 2, 150, 5, 24),
  ('M2', 'M2', 31, 60, 2, 200, 7, 48),
  ('M3', 'M3', 61, null, 2, 250, 7, 48);

create sequence agency_id_seq start 101;
create table agency (
  id text primary key default 'A' || nextval('agency_id_seq'),
  name text not null unique,
  officer_id text not null references sys_user (id),
  officer_phone_enc bytea,
  officer_phone_last4 text,
  -- share of the cases in per cent; those of the enabled agencies total 100
  weight int not null check (weight between 0 and 100),
  in_house boolean not null default false,
  status text not null default 'locked' check (status in ('enabled', 'locked')),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  version int not null default 1
);

create sequence department_id_seq start 101;
create table department (
  id text primary key default 'D' || nextval('department_id_seq'),
  name text not null,
  agency_id text not null references agency (id),
  officer_id text not null references sys_user (id),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  version int not null default 1,
  unique (agency_id, name)
);

create sequence team_group_id_seq start 101;
create table team_group (
  id text primary key default 'TG' || nextval('team_group_id_seq'),
  name text not null,
  agency_id text not null references agency (id),
  department_id text not null references department (id),
  officer_id text not null references sys_user (id),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  version int not null default 1,
  unique (department_id, name)
);
create index team_group_agency on team_group (agency_id);

-- The unit of a person stands in sys_user (agency_id, department_id, group_id): the session knows it, the data scope reads it.
alter table sys_user add constraint sys_user_agency foreign key (agency_id) references agency (id);
alter table sys_user add constraint sys_user_department foreign key (department_id) references department (id);
alter table sys_user add constraint sys_user_group foreign key (group_id) references team_group (id);

-- What a person is as a collector; whether he takes new cases is sys_user.allocation_flag, whether the account works sys_user.status.
create table collector (
  user_id text primary key references sys_user (id),
  stage_ids text[] not null check (cardinality(stage_ids) > 0),
  address_book_visible boolean not null default false,
  weight int not null default 10 check (weight between 1 and 100),
  seat_number text,
  -- IIBF certificate (domain.md 1, rule 10): missing or run out = gets no new cases
  cert_no text,
  cert_expiry date,
  capacity int not null check (capacity between 1 and 500),
  -- cases in hand (allocated and promised), kept by the statement that moves a case
  open_cases int not null default 0 check (open_cases >= 0),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  version int not null default 1
);
create index collector_stages on collector using gin (stage_ids);

create table duty_schedule (
  user_id text not null references sys_user (id),
  -- a Monday, IST
  week_start date not null check (extract(isodow from week_start) = 1),
  -- Monday first
  days text[] not null check (cardinality(days) = 7 and days <@ array['off', 'morning', 'day', 'evening', 'leave']),
  updated_at timestamptz not null default clock_timestamp(),
  version int not null default 1,
  primary key (user_id, week_start)
);

-- Days without recovery contact (domain.md 1, rule 6).
create table holiday (
  day date primary key,
  name text not null
);

-- Microfinance loans have tighter contact hours (domain.md 1, rule 2).
alter table product add column microfinance boolean not null default false;

insert into sys_config (id, number, code, name, value, value_type, built_in, public) values
  ('K0101', 'K0101', 'collection.callFrom', 'Collection: contact from (IST)', '08:00', 'time', true, true),
  ('K0102', 'K0102', 'collection.callTo', 'Collection: contact to (IST)', '19:00', 'time', true, true),
  ('K0103', 'K0103', 'collection.maxContactsPerDay', 'Collection: contacts per customer and day, all channels', '3', 'int', true, false),
  ('K0104', 'K0104', 'collection.maxContactsPerWeek', 'Collection: contacts per customer and week', '10', 'int', true, false),
  ('K0105', 'K0105', 'collection.contactGapMinutes', 'Collection: minutes between two contacts', '120', 'int', true, false),
  ('K0106', 'K0106', 'contact.references', 'Collection: declared contacts may be dialled', 'false', 'bool', true, false),
  ('K0107', 'K0107', 'collection.ptpMaxDays', 'Collection: longest promise in days', '7', 'int', true, false),
  ('K0108', 'K0108', 'collection.ptpKeptPercent', 'Collection: per cent paid that keeps a promise', '95', 'int', true, false),
  ('K0109', 'K0109', 'collection.ptpMaxBroken', 'Collection: broken promises before a leader is needed', '2', 'int', true, false),
  ('K0110', 'K0110', 'collection.stageRunTime', 'Collection: daily stage run (IST)', '00:05', 'time', true, false),
  ('K0111', 'K0111', 'collection.allocationTimes', 'Collection: allocation (IST, comma separated)', '07:30', 'text', true, false),
  ('K0112', 'K0112', 'collection.topUpMinutes', 'Collection: minutes between top-ups of the day''s entrants', '30', 'int', true, false),
  ('K0113', 'K0113', 'collection.topUpUntil', 'Collection: last top-up (IST)', '18:00', 'time', true, false);
