-- The review desk: applications that wait for a decision, their claims and hand-overs.

create sequence review_id_seq start 10000001;
create table review (
  id text primary key default 'R' || nextval('review_id_seq'),
  order_id text not null references loan_order (id),
  customer_id text not null references customer (id),
  -- copied so that the queue is read and sorted without joins; neither changes while the review
  -- waits
  customer_name text not null,
  amount bigint not null,
  customer_class text not null default 'new',
  state text not null default 'initial',
  machine_id text,
  machine_state text,
  machine_at timestamptz,
  machine_interval_sec int,
  need_manual boolean not null default false,
  -- {score, limit, rules: [{code, name, hit, output}]}
  machine_report jsonb,
  manual_id text,
  manual_result text check (manual_result in ('passed', 'failed')),
  -- the holder while claimed, afterwards the person who decided
  reviewer_id text references sys_user (id),
  reviewer_name text,
  first_reviewer_id text references sys_user (id),
  -- fencing token: grows by one at every change of holder
  token int not null default 0,
  idle_until timestamptz,
  live_until timestamptz,
  warned_at timestamptz,
  retry_count int not null default 0,
  reject_code text,
  remark text,
  checklist jsonb,
  pre_reject_code text,
  quota_reject boolean not null default false,
  bind_state text,
  name_similarity int,
  tele_call_state text not null default 'notExecuted',
  tele_answers jsonb,
  tele_attempts int not null default 0,
  tele_day date,
  data_items text[],
  data_message text,
  data_until timestamptz,
  quality text not null default 'notChecked',
  quality_code text,
  quality_class text,
  quality_remark text,
  quality_by text references sys_user (id),
  quality_by_name text,
  quality_at timestamptz,
  appeal_state text check (appeal_state in ('open', 'upheld', 'dismissed')),
  appeal_reason text,
  appeal_by text references sys_user (id),
  appeal_at timestamptz,
  appeal_decide_reason text,
  handover_state text,
  priority int not null default 0,
  queued_at timestamptz,
  claimed_at timestamptz,
  opened_at timestamptz,
  decided_at timestamptz,
  finished_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  version int not null default 1,
  -- a claim has a holder and both time limits, or neither
  check ((state in ('toAudit', 'underReview')) = (idle_until is not null)),
  check ((idle_until is null) = (live_until is null)),
  check (state not in ('toAudit', 'underReview') or reviewer_id is not null)
);
create index review_queue on review (priority desc, queued_at, id) where state = 'unclaimed';
create index review_state on review (state, priority desc, queued_at, id);
create index review_holder on review (reviewer_id, state);
create index review_lease on review (least(idle_until, live_until)) where idle_until is not null;
create index review_first_reviewer on review (first_reviewer_id) where first_reviewer_id is not null;
create index review_customer on review (customer_id);
create index review_finished on review (finished_at desc, id) where finished_at is not null;
create index review_queued on review (queued_at, id);
create index review_audited on review (state, decided_at) where state = 'audited';
create index review_data on review (data_until) where state = 'dataModifiable';
create index review_quality on review (quality, finished_at desc)
  where state in ('audited', 'passed', 'failed');
create index review_to_judge on review (created_at) where state = 'initial' and finished_at is null;
create index review_abnormal on review (updated_at) where state = 'abnormal';
create index review_order on review (order_id, created_at desc);

create table review_log (
  id bigint generated always as identity primary key,
  review_id text not null references review (id),
  event text not null,
  from_state text,
  to_state text not null,
  token int not null,
  by_user_id text,
  by_name text,
  -- the holder after the change; the checks of claims read it
  holder_id text,
  note text,
  at timestamptz not null default clock_timestamp()
);
create index review_log_review on review_log (review_id, at);

create sequence handover_id_seq start 10000001;
create table review_handover (
  id text primary key default 'H' || nextval('handover_id_seq'),
  review_id text not null references review (id),
  from_user_id text not null references sys_user (id),
  from_name text not null,
  to_user_id text not null references sys_user (id),
  to_name text not null,
  requested_by text not null references sys_user (id),
  state text not null default 'pending' check (state in ('pending', 'approved', 'rejected')),
  cause text,
  reason text not null,
  decide_reason text,
  item_token int not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default clock_timestamp(),
  decided_at timestamptz,
  decided_by text,
  version int not null default 1
);
create unique index review_handover_pending on review_handover (review_id) where state = 'pending';
create index review_handover_to on review_handover (to_user_id, state);
create index review_handover_expires on review_handover (expires_at) where state = 'pending';
