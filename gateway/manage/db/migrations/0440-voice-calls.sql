-- Calls of people by telephone that the exchange of an app rings.
alter table tp_vendor drop constraint tp_vendor_kind_check;
alter table tp_vendor add constraint tp_vendor_kind_check check (kind in ('payout', 'collect', 'kyc',
  'bureau', 'sms', 'whatsapp', 'aiCall', 'voice', 'storage'));

-- Why the call ended, as the exchange said.
alter table call_log add column end_cause text;

create table voice_call (
  -- also the key of the exchange: it takes the same call once
  call_id text primary key references call_log (id) on delete cascade,
  app_id text not null references app (id),
  user_id text not null references sys_user (id),
  -- of a telemarketer's call; a collector's case stands in call_log
  task_id text references tele_task (id) on delete set null,
  extension text not null,
  -- what the borrower sees; null: the exchange has one line for the extension
  line_number text,
  state text not null default 'waiting' check (state in ('waiting', 'dialling', 'ringing', 'answered', 'ended',
    'failed')),
  -- who has it; null while it waits
  vendor_code text,
  tp_cfg_id text references tp_cfg (id),
  -- configurations that certainly did not take it
  passed text[] not null default '{}',
  vendor_call_id text,
  created_at timestamptz not null default clock_timestamp(),
  -- when the exchange is asked about it
  ask_at timestamptz not null default clock_timestamp(),
  answered_at timestamptz,
  ended_at timestamptz,
  check ((state in ('waiting', 'failed')) = (vendor_code is null))
);
create index voice_call_waiting on voice_call (created_at) where state = 'waiting';
create index voice_call_out on voice_call (ask_at) where state in ('dialling', 'ringing', 'answered');
create index voice_call_task on voice_call (task_id) where task_id is not null;
