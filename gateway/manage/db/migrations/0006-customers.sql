create table channel (
  id text primary key,
 code text not null unique,
 name text not null,
 kind text not null,
 status text not null default 'enabled'
);

create table app (
  id text primary key,
 code text not null unique,
 name text not null,
 status text not null default 'enabled'
);

-- Customers. *_enc columns are AES-256-GCM by field, bound to key id and row id; *_h are keyed
-- hashes for exact search.
create sequence customer_id_seq start 10000001;
create table customer (
  id text primary key default 'C' || nextval('customer_id_seq'),
  name text not null,
  pan_name text,
  phone_enc bytea not null,
  phone_h bytea not null,
  phone_last4 text not null,
  aadhaar_h bytea,
  aadhaar_last4 text,
  pan_enc bytea,
  pan_h bytea,
  -- shown form `AB******4F`
  pan_masked text,
  birthday date,
  sex text,
  marital_status text,
  education text,
  children_count int,
  dwelling_state text,
  profession text,
  company_name text,
  company_address text,
  address_enc bytea,
  city text,
  postcode text,
  monthly_income bigint,
  email_enc bytea,
  email_masked text,
  language text not null default 'en',
  channel_id text not null references channel (id),
  app_id text not null references app (id),
  customer_class text not null default 'new',
  certified boolean not null default false,
  entry_count int not null default 0,
  order_count int not null default 0,
  settlement_count int not null default 0,
  blacklisted boolean not null default false,
  dnd boolean not null default false,
  registered_at timestamptz not null default clock_timestamp(),
  last_active_at timestamptz not null default clock_timestamp(),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  version int not null default 1,
  -- hours in which the borrower asked for no contact, IST:
  -- [{"days": [1..7, Monday first], "from": "HH:MM", "to": "HH:MM"}]
  no_contact jsonb not null default '[]'
);
create unique index customer_phone on customer (app_id, phone_h);
create index customer_pan on customer (pan_h);
create index customer_aadhaar on customer (aadhaar_h);
create index customer_registered on customer (registered_at);
create index customer_name on customer (lower(name) text_pattern_ops);
create index customer_newest on customer (registered_at desc, id desc);
create index customer_aadhaar_last4 on customer (aadhaar_last4) where aadhaar_last4 is not null;

create table customer_contact (
  id text primary key,
  customer_id text not null references customer (id),
  seq int not null check (seq in (1, 2, 3)),
  relation text not null,
  name text not null,
  phone_enc bytea not null,
  phone_last4 text not null,
  unique (customer_id, seq)
);

create table customer_kyc (
  customer_id text primary key references customer (id),
  verify_state text not null default 'pending',
  pan_state text not null default 'pending',
  -- what was read from the documents: {pan: {...}, aadhaar: {...}, bank: {...}}; numbers masked
  extracted jsonb not null default '{}',
  -- basis points
  face_pan int,
  face_aadhaar int,
  updated_at timestamptz not null default clock_timestamp(),
  constraint customer_kyc_states check (verify_state in ('pending', 'passed', 'failed')
    and pan_state in ('pending', 'passed', 'failed'))
);

create table bank_card (
  id text primary key,
  customer_id text not null references customer (id),
  holder text not null,
  bank_name text not null,
  account_enc bytea not null,
  account_h bytea not null,
  account_last4 text not null,
  ifsc text not null,
  bind_state text not null default 'notBound' check (bind_state in ('notBound', 'bound')),
  -- basis points
  name_similarity int,
  active boolean not null default true,
  created_at timestamptz not null default clock_timestamp()
);
create unique index bank_card_active on bank_card (customer_id) where active;
create index bank_card_account on bank_card (account_h);

create table customer_photo (
  id text primary key,
  customer_id text not null references customer (id),
  kind text not null check (kind in ('pan', 'aadhaarFront', 'aadhaarBack', 'liveFace')),
  file_id text not null references file_object (id),
  uploaded_at timestamptz not null default clock_timestamp()
);
create index customer_photo_customer on customer_photo (customer_id, kind, uploaded_at desc);

create table customer_device (
  id text primary key,
  customer_id text not null references customer (id),
  brand text,
 model text,
 os text,
 os_version text,
 language text,
 memory_mb int,
 operator text,
  seen_at timestamptz not null default clock_timestamp()
);
create index customer_device_customer on customer_device (customer_id, seen_at desc);

create sequence blacklist_id_seq start 10000001;
create table blacklist (
  id text primary key default 'B' || nextval('blacklist_id_seq'),
  customer_id text not null references customer (id),
  source text not null check (source in ('manual', 'operationalWriteOff', 'rule')),
  reason text not null,
  operator_id text,
  created_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  -- who ended an entry, and why
  ended_by text references sys_user (id),
  end_reason text
);
create unique index blacklist_current on blacklist (customer_id) where ended_at is null;
create index blacklist_newest on blacklist (created_at desc, id desc);
create index blacklist_customer on blacklist (customer_id, created_at desc);

-- every decided application writes one row; the sequence starts above ids that came with a book
create sequence credit_grant_id_seq start 500000001;
create table credit_grant (
  id text primary key,
  customer_id text not null references customer (id),
  state text not null check (state in ('toCredit', 'passed', 'failed', 'abnormal')),
  final_limit bigint not null,
  base_limit bigint not null,
  adjusted_limit bigint not null,
  tenure_days int not null,
  periods int not null,
  days_per_period int not null,
  -- basis points of the amount; basis points per day
  service_rate int not null,
  daily_rate int not null,
  valid_until date,
  created_at timestamptz not null default clock_timestamp()
);
create index credit_grant_customer on credit_grant (customer_id, created_at desc);
