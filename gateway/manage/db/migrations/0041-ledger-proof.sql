-- each proof of the books: which rules held, what the accounts stood at
create table ledger_proof (
  id text primary key,
  state text not null default 'running' check (state in ('running', 'done', 'cancelled', 'failed')),
  asked_by text references sys_user (id),
  started_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  entries bigint not null default 0,
  postings bigint not null default 0,
  accounts jsonb not null default '[]',
  check ((state = 'running') = (finished_at is null))
);
create index ledger_proof_newest on ledger_proof (started_at desc);

create table ledger_proof_rule (
  proof_id text not null references ledger_proof (id) on delete cascade,
  code text not null,
  violations int not null,
  sample text[] not null default '{}',
  primary key (proof_id, code)
);
