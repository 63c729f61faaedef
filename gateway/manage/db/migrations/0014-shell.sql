-- What a person chose about his console, and faults of browsers.
create table sys_pref (
  user_id text primary key references sys_user (id),
  -- only what was chosen; the rest is the product's default
  prefs jsonb not null default '{}',
  updated_at timestamptz not null default clock_timestamp()
);

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
