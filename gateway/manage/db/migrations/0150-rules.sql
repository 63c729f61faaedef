-- Rules of the machine review. What a rule says stands in its versions, which are never changed; the
-- rule knows which of them is in force. `content` is the decision graph (JDM) of zen-engine.
create sequence rule_action_id_seq start 1001;
create table rule_action (
  id text primary key default 'RA' || nextval('rule_action_id_seq'),
  name text not null,
  description text not null default '',
  kind text not null check (kind in ('reject', 'manual', 'pass', 'setOutput')),
  updated_by_name text not null default '',
  updated_at timestamptz not null default clock_timestamp(),
  version int not null default 1
);
create unique index rule_action_name on rule_action (lower(name));

create sequence rule_group_id_seq start 1001;
create table rule_group (
  id text primary key default 'RG' || nextval('rule_group_id_seq'),
  name text not null,
  mode text not null check (mode in ('serial', 'parallel')),
  sort int not null,
  updated_by_name text not null default '',
  updated_at timestamptz not null default clock_timestamp(),
  version int not null default 1
);
create unique index rule_group_name on rule_group (lower(name));

create sequence rule_id_seq start 1001;
create table rule (
  id text primary key default 'R' || nextval('rule_id_seq'),
  status text not null default 'draft' check (status in ('draft', 'enabled', 'disabled')),
  -- null: no version is in force
  enabled_no int,
  latest_no int not null default 1,
  updated_by_name text not null default '',
  updated_at timestamptz not null default clock_timestamp(),
  version int not null default 1,
  check ((status = 'enabled') = (enabled_no is not null))
);

create table rule_version (
  rule_id text not null references rule (id) on delete cascade,
  version_no int not null,
  name text not null,
  type text not null check (type in ('admission', 'antiFraud', 'credit', 'limit', 'pricing')),
  group_id text not null references rule_group (id),
  priority int not null check (priority >= 1 and priority <= 999),
  mode text not null check (mode in ('serial', 'parallel')),
  description text not null default '',
  content jsonb not null,
  action_id text not null references rule_action (id),
  output text,
  refusal_code text,
  state text not null default 'draft' check (state in ('draft', 'enabled', 'retired')),
  created_by_name text not null default '',
  created_at timestamptz not null default clock_timestamp(),
  -- who decided that it comes into force, and when it last did
  enabled_by_name text,
  enabled_at timestamptz,
  primary key (rule_id, version_no)
);
create unique index rule_version_one_enabled on rule_version (rule_id) where state = 'enabled';
create index rule_version_group on rule_version (group_id);
create index rule_version_action on rule_version (action_id);

-- Facts with the expected outcome, kept beside a rule.
create sequence rule_case_id_seq start 1001;
create table rule_case (
  id text primary key default 'RC' || nextval('rule_case_id_seq'),
  rule_id text not null references rule (id) on delete cascade,
  name text not null,
  facts jsonb not null,
  expects text not null check (expects in ('hit', 'noHit', 'notEvaluated')),
  updated_by_name text not null default '',
  updated_at timestamptz not null default clock_timestamp()
);
create index rule_case_rule on rule_case (rule_id, id);

-- What a judgement said: rules that were hit or could not be evaluated; all others were not hit.
create table rule_hit (
  id bigint generated always as identity primary key,
  review_id text not null references review (id),
  rule_id text not null,
  version_no int not null,
  outcome text not null check (outcome in ('hit', 'notEvaluated')),
  cause text,
  at timestamptz not null default clock_timestamp()
);
create index rule_hit_rule on rule_hit (rule_id, at);
create index rule_hit_review on rule_hit (review_id);

-- The facts of the last judgement of a review, numbers and codes only, and the versions that judged.
create table machine_facts (
  review_id text primary key references review (id),
  facts jsonb not null,
  versions jsonb not null,
  at timestamptz not null default clock_timestamp()
);

alter table approval drop constraint approval_kind_check;
alter table approval add constraint approval_kind_check check (kind in ('reversePayment', 'cure',
  'redisburse', 'transferPaid', 'transferNotPaid', 'paymentStands', 'batchWriteOff', 'roleEdit',
  'export', 'ruleEnable'));
