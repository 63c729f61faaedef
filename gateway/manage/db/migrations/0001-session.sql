-- Accounts, roles, menus, sessions, parameters. Ids are short, time-ordered text: a letter and a sequence of fixed width.
create sequence user_id_seq start 1001;
create sequence role_id_seq start 101;

create table sys_role (
  id text primary key default 'G' || nextval('role_id_seq'),
  name text not null,
  unique_mark text not null unique,
  status text not null default 'enabled' check (status in ('enabled', 'disabled')),
  data_scope text not null check (data_scope in ('all', 'agency', 'department', 'group', 'own', 'queue')),
  role_flag int not null,
  landing text not null default '/home_page',
  built_in boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  version int not null default 1
);

create table sys_menu (
  id text primary key,
  parent_id text references sys_menu (id),
  path text not null,
  component text not null,
  visible int not null check (visible in (0, 1)),
  redirect text,
  name text not null unique,
  title text not null,
  icon text,
  no_cache boolean not null default false,
  sort int not null,
  -- codes of actions this menu offers; granted per role in sys_role_menu
  buttons text[] not null default '{}',
  -- full codes of other menus whose buttons its page shows
  also_shows text[] not null default '{}'
);
create index sys_menu_parent on sys_menu (parent_id);

create table sys_role_menu (
  role_id text not null references sys_role (id),
  menu_id text not null references sys_menu (id),
  buttons text[] not null default '{}',
  primary key (role_id, menu_id)
);

create table sys_user (
  id text primary key default 'U' || nextval('user_id_seq'),
  account text not null,
  nickname text not null,
  user_name text not null,
  password_hash text not null,
  email text,
  job_number text unique,
  role_id text not null references sys_role (id),
  language text not null default 'en',
  status text not null default 'enabled' check (status in ('enabled', 'disabled', 'frozen', 'normal')),
  agency_id text,
  department_id text,
  group_id text,
  country text not null default 'IN',
  introduction text,
  -- takes new work (reviews, tickets, cases); closed means skipped
  allocation_flag boolean not null default true,
  must_change boolean not null default false,
  fail_count int not null default 0,
  frozen_until timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  version int not null default 1
);
create unique index sys_user_account on sys_user (lower(account));
create index sys_user_role on sys_user (role_id);
create index sys_user_unit on sys_user (agency_id, department_id, group_id);

create table sys_session (
  id text primary key,
  user_id text not null references sys_user (id),
  token_hash bytea not null unique,
  rotation int not null default 0,
  rotated_at timestamptz not null default clock_timestamp(),
  -- the token before the last renewal, good for a short grace so that parallel calls never log out
  previous_hash bytea unique,
  bind_hash bytea,
  ip text,
  agent text,
  login_at timestamptz not null default clock_timestamp(),
  last_seen_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  revoke_reason text
);
create index sys_session_user on sys_session (user_id, revoked_at);

-- Failed sign-ins by account text and by address, so that an unknown account is throttled like a known one.
create table login_failure (
  id bigint generated always as identity primary key,
  account_hash bytea not null,
  ip text not null,
  at timestamptz not null default clock_timestamp()
);
create index login_failure_account on login_failure (account_hash, at);
create index login_failure_ip on login_failure (ip, at);

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

insert into sys_config (id, number, code, name, value, value_type, built_in, public) values
  ('K0001', 'K0001', 'session.idleMinutes', 'Session: idle minutes', '30', 'int', true, false),
  ('K0002', 'K0002', 'session.idleMinutesAdmin', 'Session: idle minutes of administrators', '15', 'int', true, false),
  ('K0003', 'K0003', 'session.absoluteHours', 'Session: longest life in hours', '12', 'int', true, false),
  ('K0004', 'K0004', 'session.renewMinutes', 'Session: token renewed after minutes', '10', 'int', true, false),
  ('K0005', 'K0005', 'session.max', 'Session: parallel sessions of one account', '2', 'int', true, false),
  ('K0006', 'K0006', 'login.maxFails', 'Sign-in: failures before the lock', '5', 'int', true, false),
  ('K0007', 'K0007', 'login.freezeMinutes', 'Sign-in: lock in minutes', '30', 'int', true, false),
  ('K0008', 'K0008', 'review.idleMinutes', 'Review: claim ends without input after minutes', '10', 'int', true, false),
  ('K0009', 'K0009', 'review.liveSeconds', 'Review: claim ends without heartbeat after seconds', '120', 'int', true, false),
  ('K0010', 'K0010', 'review.maxClaimed', 'Review: items one reviewer may hold', '3', 'int', true, true),
  ('K0011', 'K0011', 'review.handoverMinutes', 'Review: an undecided hand-over expires after minutes', '15', 'int', true, false),
  ('K0012', 'K0012', 'review.dataHours', 'Review: hours the customer has to send data', '72', 'int', true, false),
  ('K0013', 'K0013', 'review.nameSimilarity', 'Review: lowest name similarity in basis points', '8000', 'int', true, true),
  ('K0014', 'K0014', 'review.targetSeconds', 'Review: target seconds for one decision', '180', 'int', true, true),
  ('K0015', 'K0015', 'quality.appealHours', 'Quality check: hours for the one appeal', '48', 'int', true, false),
  ('K0016', 'K0016', 'marketing.callFrom', 'Telemarketing and verification calls from (IST)', '10:00', 'time', true, true),
  ('K0017', 'K0017', 'marketing.callTo', 'Telemarketing and verification calls to (IST)', '21:00', 'time', true, true),
  ('K0018', 'K0018', 'order.offerHours', 'Order: hours an offer stands before disbursement', '72', 'int', true, false),
  ('K0019', 'K0019', 'payout.checkAbove', 'Payout: re-disbursement above this amount (paise) needs approval', '5000000', 'int', true, false),
  ('K0020', 'K0020', 'payout.maxAttempts', 'Payout: attempts without a re-bound card', '3', 'int', true, false),
  ('K0021', 'K0021', 'payout.vendor', 'Payout: vendor of new transfers', 'sandbox', 'text', true, false),
  ('K0022', 'K0022', 'bulk.syncMax', 'Bulk: rows done in the call', '50', 'int', true, true),
  ('K0023', 'K0023', 'bulk.max', 'Bulk: most rows at once', '5000', 'int', true, true),
  ('K0024', 'K0024', 'country', 'Country of clock, title and business day', 'IN', 'text', true, true);
