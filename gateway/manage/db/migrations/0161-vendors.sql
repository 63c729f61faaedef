-- Third parties, their configurations, and which of them serve an app. An app without a service of a
-- kind uses the vendor of the installation, as every app did before.
create sequence tp_vendor_id_seq start 1001;
create table tp_vendor (
  id text primary key default 'TP' || nextval('tp_vendor_id_seq'),
  code text not null unique,
  name text not null,
  kind text not null check (kind in ('payout', 'collect', 'kyc', 'sms', 'whatsapp', 'voice', 'aiCall',
    'bureau', 'storage')),
  site text,
  -- a sandbox plays the vendor inside the console: demo data only
  sandbox boolean not null default false,
  created_at timestamptz not null default clock_timestamp()
);
create unique index tp_vendor_name on tp_vendor (lower(name));

-- Address and keys never change: a transfer on its way is asked about where it was sent. New keys are a new
-- configuration.
create sequence tp_cfg_id_seq start 1001;
create table tp_cfg (
  id text primary key default 'TC' || nextval('tp_cfg_id_seq'),
  vendor_id text not null references tp_vendor (id),
  name text not null,
  base_url text not null,
  values_enc bytea not null,
  -- names of the keys that are set
  keys text[] not null default '{}',
  timeout_ms int not null default 10000 check (timeout_ms between 500 and 30000),
  -- disabled: no service may choose it; what is on its way there is still asked about
  status text not null default 'enabled' check (status in ('enabled', 'disabled')),
  created_at timestamptz not null default clock_timestamp(),
  version int not null default 1
);
create unique index tp_cfg_name on tp_cfg (vendor_id, lower(name));

create sequence tp_app_cfg_id_seq start 1001;
create table tp_app_cfg (
  id text primary key default 'TS' || nextval('tp_app_cfg_id_seq'),
  app_id text not null references app (id),
  vendor_id text not null references tp_vendor (id),
  cfg_id text not null references tp_cfg (id),
  -- of the vendor, whose kind never changes
  kind text not null,
  priority int not null check (priority between 1 and 99),
  share int not null default 0 check (share between 0 and 100),
  status text not null default 'enabled' check (status in ('enabled', 'disabled')),
  remark text not null default '',
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  version int not null default 1,
  unique (app_id, vendor_id, cfg_id)
);
create index tp_app_cfg_kind on tp_app_cfg (app_id, kind, priority, id);
create index tp_app_cfg_cfg on tp_app_cfg (cfg_id);

-- The breaker of a configuration. `closed`: it is called. `open`: not before retry_at. `trying`: one
-- call at a time, until enough of them succeeded.
create table tp_health (
  cfg_id text primary key references tp_cfg (id),
  state text not null default 'closed' check (state in ('closed', 'open', 'trying')),
  -- how often it opened since it was closed last: each time for longer
  trips int not null default 0,
  retry_at timestamptz,
  -- the trial under way; it ends by itself when its process dies
  trial_at timestamptz,
  trial_oks int not null default 0,
  closed_at timestamptz not null default clock_timestamp(),
  last_error text,
  last_error_at timestamptz,
  version int not null default 1
);

-- Every call to a configuration, for its figures and its breaker.
create table tp_attempt (
  id bigint generated always as identity primary key,
  cfg_id text not null references tp_cfg (id),
  -- ok: it took the work; refused: it answered that this piece cannot be done; failed, timeout: no
  -- usable answer
  outcome text not null check (outcome in ('ok', 'refused', 'failed', 'timeout')),
  ms int not null,
  error text,
  at timestamptz not null default clock_timestamp()
);
create index tp_attempt_cfg on tp_attempt (cfg_id, id desc);
create index tp_attempt_at on tp_attempt (at);

-- Null: the vendor of the installation.
alter table payout_transfer add column tp_cfg_id text references tp_cfg (id);
-- Sendings that the vendor certainly did not take. While it equals send_attempts no vendor has the
-- transfer, and another one may be asked.
alter table payout_transfer add column sends_not_taken int not null default 0;
-- Why a transfer under way waits.
alter table payout_transfer add column wait_reason text
  check (wait_reason in ('noAnswer', 'unreachable', 'declined', 'vendorOut'));
-- Ended because no sending was taken; another transfer went to another vendor in its place.
alter table payout_transfer add column not_taken boolean not null default false;
create index payout_transfer_cfg on payout_transfer (tp_cfg_id) where pay_state = 'inProgress';
