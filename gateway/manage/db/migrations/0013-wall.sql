-- Wall screens of collection: their pairing, their thresholds and their alerts.

create sequence board_id_seq start 1001;
create table board_device (
  id text primary key default 'WB' || nextval('board_id_seq'),
  name text not null default '',
  -- the unit whose figures it shows
  unit_kind text not null default 'all' check (unit_kind in ('all', 'agency', 'department')),
  unit_id text,
  stage_id text references stage (stage_id),
  -- {profile, scenes, rotateSec, theme, people, language}
  settings jsonb not null,
  state text not null default 'waiting' check (state in ('waiting', 'active', 'revoked')),
  -- keyed hash: six letters could be guessed from a plain one
  code_hash bytea,
  code_until timestamptz,
  -- SHA-256; the secret is void after the first use of the token it brought
  poll_hash bytea,
  token_hash bytea unique,
  -- the token before the last renewal, valid until the new one is used: a screen may lose power in
  -- the middle of a renewal
  previous_hash bytea unique,
  -- of the HttpOnly cookie that came with the token
  bind_hash bytea,
  rotated_at timestamptz,
  expires_at timestamptz,
  paired_by text references sys_user (id),
  paired_by_name text,
  paired_at timestamptz,
  last_seen_at timestamptz,
  app_version text not null,
  -- address that requested the code
  ip text,
  revoked_at timestamptz,
  revoke_reason text check (revoke_reason in ('revoked', 'expired')),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  version int not null default 1,
  check ((unit_kind = 'all') = (unit_id is null)),
  check ((state = 'waiting') <= (code_hash is not null and code_until is not null)),
  check ((state = 'active') <= (paired_by is not null and paired_at is not null and expires_at is not null))
);
create unique index board_device_code on board_device (code_hash) where state = 'waiting';
create unique index board_device_poll on board_device (poll_hash) where poll_hash is not null;
create index board_device_state on board_device (state, paired_at desc);
create index board_device_waiting on board_device (ip, created_at) where state = 'waiting';

-- Thresholds of a unit, by its key (`all`, `agency:A101`, …); without a row the parameters count.
create table board_threshold (
  unit_key text primary key,
  limits jsonb not null,
  updated_by text references sys_user (id),
  updated_at timestamptz not null default clock_timestamp()
);

create table board_alert (
  unit_key text not null,
  alert_key text not null check (alert_key in ('unallocatedAge', 'ptpKept', 'reviewAge', 'disburseFailed')),
  level text not null check (level in ('warning', 'critical')),
  value int not null,
  since timestamptz not null default clock_timestamp(),
  -- since when the figure is within its threshold again
  back_at timestamptz,
  acked_by text references sys_user (id),
  acked_by_name text,
  acked_at timestamptz,
  primary key (unit_key, alert_key)
);

-- Scopes that somebody watches; the figures of others are not computed.
create table board_scope (
  scope_key text primary key,
  asked_at timestamptz not null default clock_timestamp()
);
