-- Who collects: stages, agencies with their departments and groups, collectors and the weekly duty
-- table. An owner may change the bounds of the stages and every figure.

create table stage (
  stage_id text primary key,
  name text not null unique,
  -- overdue days, both inclusive; null = no end
  min_days int not null check (min_days >= 0),
  max_days int check (max_days >= min_days),
  address_book_visible boolean not null default false,
  -- `allocating` while a run works on the stage
  allocation_state text not null default 'allocated' check (allocation_state in ('allocated', 'allocating')),
  mode text not null default 'average' check (mode in ('average', 'weight', 'amount', 'ability')),
  keep_collector boolean not null default true,
  -- working days a case may go without a contact; on the next one it is recalled
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
  version int not null default 1,
  -- last IST day of the agreement; the agency's cases return the morning after. null = no end
  -- agreed
  term_end date
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
-- The unit of a person stands in sys_user (agency_id, department_id, group_id), where the session
-- and the data scope read it.
alter table sys_user add constraint sys_user_agency foreign key (agency_id) references agency (id);
alter table sys_user add constraint sys_user_department foreign key (department_id) references department
  (id);
alter table sys_user add constraint sys_user_group foreign key (group_id) references team_group (id);
create index team_group_agency on team_group (agency_id);

-- What a person is as a collector. Whether they take new cases is sys_user.allocation_flag, whether
-- the account works is sys_user.status.
create table collector (
  user_id text primary key references sys_user (id),
  stage_ids text[] not null check (cardinality(stage_ids) > 0),
  address_book_visible boolean not null default false,
  weight int not null default 10 check (weight between 1 and 100),
  seat_number text,
  -- IIBF certificate: without a valid one a collector gets no new cases
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
  days text[] not null check (cardinality(days) = 7
    and days <@ array['off', 'morning', 'day', 'evening', 'leave']),
  updated_at timestamptz not null default clock_timestamp(),
  version int not null default 1,
  primary key (user_id, week_start)
);
