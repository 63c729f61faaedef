-- Accounts, roles, menus and sessions; what belongs to a person: preferences, views, announcements.
-- Ids are short text in order of time: a letter and a sequence of fixed width.

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
  -- full codes of buttons of other menus that its page shows
  also_shows text[] not null default '{}'
);
create index sys_menu_parent on sys_menu (parent_id);

create table sys_role_menu (
  role_id text not null references sys_role (id),
  menu_id text not null references sys_menu (id),
  buttons text[] not null default '{}',
  primary key (role_id, menu_id)
);

create sequence user_id_seq start 1001;
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
  -- takes new work (reviews, tickets, cases); closed = is skipped
  allocation_flag boolean not null default true,
  must_change boolean not null default false,
  fail_count int not null default 0,
  frozen_until timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  version int not null default 1,
  -- Two-factor sign-in. The secret is sealed with the field key; of recovery codes and challenges
  -- only hashes are kept.
  two_factor boolean not null default false,
  totp_secret bytea,
  -- the newest 30 s step that was accepted: it and older ones are refused from then on
  totp_last_step bigint,
  recovery_hashes text[] not null default '{}',
  -- shown once and not confirmed yet
  totp_pending bytea,
  recovery_pending text[],
  totp_pending_at timestamptz
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
  -- the token before the last renewal: accepted for a short grace, so that parallel calls never log
  -- out
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

-- Failed sign-ins by account text and by address: an unknown account is throttled like a known one.
create table login_failure (
  id bigint generated always as identity primary key,
  account_hash bytea not null,
  ip text not null,
  at timestamptz not null default clock_timestamp()
);
create index login_failure_account on login_failure (account_hash, at);
create index login_failure_ip on login_failure (ip, at);

-- The password was right and the code is still missing.
create table login_challenge (
  id bytea primary key,
  user_id text not null references sys_user (id),
  -- started by a browser: its session gets a bind cookie
  bound boolean not null,
  fails int not null default 0,
  expires_at timestamptz not null
);
create index login_challenge_expiry on login_challenge (expires_at);

-- What people chose about their console, and errors of their browsers.
create table sys_pref (
  user_id text primary key references sys_user (id),
  -- only what was chosen; everything else follows the product's default
  prefs jsonb not null default '{}',
  updated_at timestamptz not null default clock_timestamp()
);

-- Filters, sort and columns of a list under a name.
create sequence list_view_id_seq start 100001;
create table list_view (
  id text primary key default 'LV' || nextval('list_view_id_seq'),
  -- the name under which the list keeps its columns
  menu text not null,
  name text not null,
  owner_id text not null references sys_user (id),
  -- the role whose holders see it; null = its owner alone
  role_id text references sys_role (id),
  filters jsonb not null,
  columns jsonb,
  sort text,
  -- opened when its owner opens the list without a filter
  is_default boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  version int not null default 1
);
create unique index list_view_name on list_view (owner_id, menu, lower(name));
create unique index list_view_default on list_view (owner_id, menu) where is_default;
create index list_view_shared on list_view (role_id, menu) where role_id is not null;

create table client_error (
  id bigint generated always as identity primary key,
  user_id text not null references sys_user (id),
  session_id text not null,
  message text not null,
  stack text,
  url text not null,
  version text not null,
  agent text,
  at timestamptz not null default clock_timestamp()
);
create index client_error_session on client_error (session_id, at);
create index client_error_at on client_error (at desc);

-- Announcements to staff, and to whom each was shown.
create sequence notice_id_seq start 100001;
create table notice (
  id text primary key default 'N' || nextval('notice_id_seq'),
  title text not null,
  content text not null,
  status text not null check (status in ('draft', 'published', 'withdrawn')),
  pop_condition text not null check (pop_condition in ('none', 'everyLogin', 'oncePerDay', 'once')),
  -- unique marks; empty = everybody
  roles text[] not null default '{}',
  -- accounts it was shown to
  exposure_count int not null default 0,
  -- readers from before a new publication are shown it again
  published_at timestamptz,
  updated_by text references sys_user (id),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  version int not null default 1
);
create index notice_status on notice (status, updated_at desc);
create index notice_updated on notice (updated_at desc, id);

create table notice_read (
  notice_id text not null references notice (id) on delete cascade,
  user_id text not null references sys_user (id),
  shown_at timestamptz not null,
  primary key (notice_id, user_id)
);
