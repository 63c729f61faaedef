-- Two-factor sign-in. A secret is sealed with the field key; of recovery codes and challenges only hashes are kept.
alter table sys_user
  add column two_factor boolean not null default false,
  add column totp_secret bytea,
  -- the newest 30 s step that opened: it and older ones never open again
  add column totp_last_step bigint,
  add column recovery_hashes text[] not null default '{}',
  -- shown once and not confirmed yet
  add column totp_pending bytea,
  add column recovery_pending text[],
  add column totp_pending_at timestamptz;

-- The password was right, the code is still to come.
create table login_challenge (
  id bytea primary key,
  user_id text not null references sys_user (id),
  -- asked for by a browser: its session gets a bind cookie
  bound boolean not null,
  fails int not null default 0,
  expires_at timestamptz not null
);
create index login_challenge_expiry on login_challenge (expires_at);

insert into sys_config (id, number, code, name, value, value_type, built_in, public) values
  ('K0025', 'K0025', 'login.twoFactorRequired', 'Sign-in: staff without two-factor set it up at the next sign-in', 'true', 'bool', true, false);
