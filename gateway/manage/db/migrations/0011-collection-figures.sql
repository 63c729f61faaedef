-- What the figures of collection count: which unit got a case and for how much, first contacts, outcomes of promises, money by who
-- held the case when it was paid, reductions.

alter table case_allocation
  add column to_department_id text,
  add column to_group_id text,
  -- paise the case owed when it moved
  add column outstanding bigint;
update case_allocation m set to_department_id = u.department_id, to_group_id = u.group_id from sys_user u where u.id = m.to_user_id;
update case_allocation m set outstanding = c.outstanding from collection_case c where c.id = m.case_id;
-- given to a person; a stage that changed in his hands is no gift
create index case_allocation_given on case_allocation (at) include (to_user_id, to_agency_id, to_department_id, to_group_id, to_stage, case_id, outstanding) where to_user_id is not null and to_user_id is distinct from from_user_id;

-- the unit the case stood in, and on the holder's first contact the seconds since he got it
alter table call_log
  add column agency_id text,
  add column department_id text,
  add column group_id text,
  add column stage_id text,
  add column first_contact_sec int;
update call_log l set agency_id = u.agency_id, department_id = u.department_id, group_id = u.group_id from sys_user u where u.id = l.user_id;
update call_log l set stage_id = c.stage_id from collection_case c where c.id = l.case_id;
create index call_log_figures on call_log (started_at) include (user_id, agency_id, department_id, group_id, stage_id, first_contact_sec) where kind = 'case';
alter table follow_up add column first_contact_sec int;
create index follow_up_figures on follow_up (created_at) include (operator_id, agency_id, department_id, group_id, stage_id, case_id, reachable, first_contact_sec);

-- One row for each promise. A case remembers only its last one, and eight places of the code settle promises: the trigger forgets none.
create table case_promise (
  id bigint generated always as identity primary key,
  case_id text not null references collection_case (id),
  -- who held the case when it was made, and his unit
  collector_id text,
  agency_id text,
  department_id text,
  group_id text,
  stage_id text not null,
  made_at timestamptz not null,
  due_at timestamptz not null,
  amount bigint not null check (amount > 0),
  state text not null check (state in ('open', 'kept', 'keptPart', 'broken', 'cancelled')),
  settled_at timestamptz,
  check ((state = 'open') = (settled_at is null))
);
create unique index case_promise_open on case_promise (case_id) where state = 'open';
create index case_promise_made on case_promise (made_at) include (collector_id, agency_id, department_id, group_id, stage_id);
create index case_promise_settled on case_promise (settled_at) include (collector_id, agency_id, department_id, group_id, stage_id, state) where state in ('kept', 'keptPart', 'broken');

create function log_promise() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.ptp_state = 'open' then
    update case_promise p set state = coalesce(new.ptp_state, 'cancelled'), settled_at = clock_timestamp() where p.case_id = new.id and p.state = 'open';
  end if;
  if new.ptp_state = 'open' or (tg_op = 'INSERT' and new.ptp_at is not null and new.ptp_amount is not null) then
    insert into case_promise (case_id, collector_id, agency_id, department_id, group_id, stage_id, made_at, due_at, amount, state, settled_at)
    values (new.id, new.collector_id, new.agency_id, new.department_id, new.group_id, new.stage_id, coalesce(new.ptp_made_at, clock_timestamp()), new.ptp_at, new.ptp_amount, new.ptp_state, case when new.ptp_state <> 'open' then new.updated_at end);
  end if;
  return null;
end $$;
create trigger collection_case_promised after update of ptp_state on collection_case for each row when (old.ptp_state is distinct from new.ptp_state) execute function log_promise();
create trigger collection_case_promise_kept after insert on collection_case for each row when (new.ptp_state is not null) execute function log_promise();
insert into case_promise (case_id, collector_id, agency_id, department_id, group_id, stage_id, made_at, due_at, amount, state, settled_at)
select c.id, c.collector_id, c.agency_id, c.department_id, c.group_id, c.stage_id, coalesce(c.ptp_made_at, c.updated_at), c.ptp_at, c.ptp_amount, c.ptp_state, case when c.ptp_state <> 'open' then c.updated_at end
from collection_case c where c.ptp_state is not null and c.ptp_at is not null and c.ptp_amount is not null;

-- A payment credited to who held the case when it was paid; a reversal stands as a row of its own with negative amounts.
create sequence recovery_bill_id_seq start 10000001;
create table recovery_bill (
  id text primary key default 'RB' || nextval('recovery_bill_id_seq'),
  record_id text not null references repay_record (id),
  case_id text not null references collection_case (id),
  order_id text not null references loan_order (id),
  customer_id text not null references customer (id),
  stage_id text not null,
  overdue_days int not null check (overdue_days >= 0),
  -- null = the case waited in the pool
  agency_id text,
  department_id text,
  group_id text,
  collector_id text,
  -- paise that were counted; fees = interest, service fee and fine
  amount bigint not null check (amount <> 0),
  principal bigint not null,
  fees bigint not null,
  channel int not null check (channel between 1 and 4),
  paid_at timestamptz not null,
  extension boolean not null default false,
  commission bigint not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  check (principal + fees = amount)
);
create unique index recovery_bill_record on recovery_bill (record_id) where amount > 0;
create unique index recovery_bill_reversal on recovery_bill (record_id) where amount < 0;
create index recovery_bill_paid on recovery_bill (paid_at desc, id desc) include (collector_id, agency_id, department_id, group_id, stage_id, case_id, amount, commission);
create index recovery_bill_agency on recovery_bill (agency_id, paid_at desc, id desc);
create index recovery_bill_department on recovery_bill (department_id, paid_at desc, id desc);
create index recovery_bill_group on recovery_bill (group_id, paid_at desc, id desc);
create index recovery_bill_collector on recovery_bill (collector_id, paid_at desc, id desc);
create index recovery_bill_order on recovery_bill (order_id);
insert into recovery_bill (record_id, case_id, order_id, customer_id, stage_id, overdue_days, agency_id, department_id, group_id, collector_id, amount, principal, fees, channel, paid_at)
select r.id, c.id, c.order_id, c.customer_id, c.stage_id, c.overdue_days, h.agency_id, h.department_id, h.group_id, h.collector_id, r.amount - r.surplus, b.principal, r.amount - r.surplus - b.principal, r.channel, r.paid_at
from repay_record r
join lateral (select x.* from collection_case x where x.order_id = r.order_id and x.created_at <= r.paid_at and (x.ended_at is null or x.ended_at >= r.paid_at) order by x.created_at desc limit 1) c on true
left join lateral (select c.agency_id, c.department_id, c.group_id, c.collector_id where c.allocated_at <= r.paid_at) h on true
cross join lateral (select coalesce(sum(e.credit - e.debit), 0)::bigint as principal from ledger_entry e where e.ref_id = r.id and e.kind = 'repayment' and e.account in ('principalReceivable', 'doubtfulPrincipal')) b
where r.pay_state = 'success' and r.reversed_at is null and r.amount > r.surplus;

create sequence reduction_id_seq start 10000001;
create table reduction (
  id text primary key default 'RD' || nextval('reduction_id_seq'),
  order_id text not null references loan_order (id),
  plan_id text references repay_plan (id),
  customer_id text not null references customer (id),
  -- {interest, serviceFee, overdueFine}, paise; principal is never reduced
  items jsonb not null,
  amount_due bigint not null check (amount_due > 0),
  reduce_amount bigint not null check (reduce_amount > 0),
  pay_amount bigint not null check (pay_amount >= 0),
  -- the most the launcher's role could have asked for
  cap_amount bigint not null check (cap_amount > 0),
  -- last IST day
  valid_until date,
  state text not null default 'pending' check (state in ('pending', 'approved', 'rejected', 'used', 'lapsed')),
  cause text check (cause in ('withdrawn', 'expired', 'revoked')),
  reason text not null,
  launched_by text references sys_user (id),
  launched_by_name text not null,
  launched_at timestamptz not null default clock_timestamp(),
  decided_by text references sys_user (id),
  decided_by_name text,
  decided_at timestamptz,
  decide_reason text,
  -- where the case stood when it was launched
  case_id text references collection_case (id),
  stage_id text,
  agency_id text,
  department_id text,
  group_id text,
  collector_id text,
  used_at timestamptz,
  -- paise given up, and paid for it, when it was used
  used_amount bigint not null default 0 check (used_amount >= 0),
  recovered_amount bigint not null default 0 check (recovered_amount >= 0),
  void_at timestamptz,
  version int not null default 1,
  check (used_amount <= reduce_amount),
  check ((state = 'used') <= (used_at is not null))
);
create unique index reduction_one_open on reduction (order_id) where state in ('pending', 'approved');
create index reduction_launched on reduction (launched_at desc, id desc);
create index reduction_state on reduction (state, launched_at desc, id desc);
create index reduction_agency on reduction (agency_id, launched_at desc, id desc);
create index reduction_department on reduction (department_id, launched_at desc, id desc);
create index reduction_group on reduction (group_id, launched_at desc, id desc);
create index reduction_collector on reduction (collector_id, launched_at desc, id desc);
create index reduction_used on reduction (used_at) include (collector_id, agency_id, department_id, group_id, stage_id, used_amount) where used_at is not null;
