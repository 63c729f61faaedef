-- Decision tables that give limits and prices, one after the other. What a table says stands in its
-- versions, which are never changed; `content` is the decision graph (JDM) of zen-engine.
-- `rule_set`, which held one graph for all of them, is read by older code only; a later file drops it.
create sequence decision_table_id_seq start 1001;
create table decision_table (
  id text primary key default 'RT' || nextval('decision_table_id_seq'),
  status text not null default 'draft' check (status in ('draft', 'enabled', 'disabled')),
  -- null: no version is in force
  enabled_no int,
  latest_no int not null default 1,
  updated_by_name text not null default '',
  updated_at timestamptz not null default clock_timestamp(),
  version int not null default 1,
  check ((status = 'enabled') = (enabled_no is not null))
);

create table decision_table_version (
  table_id text not null references decision_table (id) on delete cascade,
  version_no int not null,
  name text not null,
  -- tables are judged in this order
  sort int not null check (sort >= 1 and sort <= 999),
  description text not null default '',
  content jsonb not null,
  state text not null default 'draft' check (state in ('draft', 'enabled', 'retired')),
  created_by_name text not null default '',
  created_at timestamptz not null default clock_timestamp(),
  enabled_by_name text,
  enabled_at timestamptz,
  primary key (table_id, version_no)
);
create unique index decision_table_version_one_enabled on decision_table_version (table_id)
  where state = 'enabled';

alter table approval drop constraint approval_kind_check;
alter table approval add constraint approval_kind_check check (kind in ('reversePayment', 'cure',
  'redisburse', 'transferPaid', 'transferNotPaid', 'paymentStands', 'batchWriteOff', 'roleEdit',
  'export', 'ruleEnable', 'tableEnable', 'strayReturned'));
