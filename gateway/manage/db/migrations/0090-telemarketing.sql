-- Telemarketing: a task for each customer who can be brought back, the follow-ups on it, and the
-- marks by which tasks come and go with what customers do.

create sequence tele_task_id_seq start 10000001;
create table tele_task (
  id text primary key default 'TM' || nextval('tele_task_id_seq'),
  customer_id text not null references customer (id),
  segment text not null check (segment in ('no_certified', 'unrequished', 'no_relented', 'loan_failed')),
  state text not null default 'waiting'
    check (state in ('waiting', 'claimed', 'assigned', 'converted', 'expired')),
  -- since when the customer stands in the segment
  loss_at timestamptz not null,
  -- the loan the segment is about: abandoned, settled or not paid out
  order_id text references loan_order (id),
  assignee_id text references sys_user (id),
  assignee_name text,
  -- grows by one whenever the assignee changes
  token int not null default 0,
  claimed_at timestamptz,
  idle_until timestamptz,
  live_until timestamptz,
  warned_at timestamptz,
  follow_count int not null default 0,
  last_result int,
  last_follow_at timestamptz,
  next_follow_at timestamptz,
  closed_at timestamptz,
  close_cause text check (close_cause in ('reached', 'returned', 'left', 'blacklisted', 'tooOld')),
  -- who gets the credit of a conversion
  credited_to text references sys_user (id),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  version int not null default 1,
  check ((state in ('converted', 'expired')) = (closed_at is not null)),
  check ((state = 'claimed') = (idle_until is not null)),
  check (state not in ('claimed', 'assigned') or assignee_id is not null)
);
create unique index tele_task_open on tele_task (customer_id) where closed_at is null;
create index tele_task_queue on tele_task (segment, loss_at desc, id) where state = 'waiting';
create index tele_task_list on tele_task (segment, loss_at desc, id);
create index tele_task_holder on tele_task (assignee_id, segment, state);
create index tele_task_customer on tele_task (customer_id, segment, loss_at);
create index tele_task_lease on tele_task (least(idle_until, live_until)) where idle_until is not null;
create index tele_task_next on tele_task (next_follow_at) where next_follow_at is not null and closed_at is null;
create index tele_task_age on tele_task (created_at) where closed_at is null;

create sequence tele_record_id_seq start 10000001;
create table tele_record (
  id text primary key default 'TR' || nextval('tele_record_id_seq'),
  task_id text not null references tele_task (id),
  customer_id text not null references customer (id),
  segment text not null,
  operator_id text not null references sys_user (id),
  operator_name text not null,
  result int not null,
  -- which follow-up of the task it is, and how many IST days after the loss
  count int not null,
  loss_days int not null,
  contact_way text not null check (contact_way in ('phone', 'whatsapp')),
  remark text,
  next_follow_at timestamptz,
  call_id text references call_log (id),
  created_at timestamptz not null default clock_timestamp()
);
create index tele_record_task on tele_record (task_id, created_at desc);
create index tele_record_operator on tele_record (operator_id, created_at desc);
create index tele_record_customer on tele_record (customer_id, created_at desc);

-- Customers to look at again. Without a unique key: two commands that mark one customer do not wait
-- for each other.
create table tele_mark (
  id bigint generated always as identity primary key,
  customer_id text not null
);
create index tele_mark_customer on tele_mark (customer_id);

create function mark_new_customers_for_tele() returns trigger language plpgsql as $$
begin
  insert into tele_mark (customer_id) select n.id from new_rows n;
  return null;
end $$;
create trigger customer_telemarketed after insert on customer
  referencing new table as new_rows for each statement execute function mark_new_customers_for_tele();

create function mark_changed_customer_for_tele() returns trigger language plpgsql as $$
begin
  insert into tele_mark (customer_id) values (new.id);
  return null;
end $$;
create trigger customer_telemarketed_again
  after update of certified, blacklisted, settlement_count on customer for each row
  when ((old.certified, old.blacklisted, old.settlement_count)
    is distinct from (new.certified, new.blacklisted, new.settlement_count))
  execute function mark_changed_customer_for_tele();

create function mark_owners_for_tele() returns trigger language plpgsql as $$
begin
  insert into tele_mark (customer_id) select distinct n.customer_id from new_rows n;
  return null;
end $$;
create trigger loan_order_telemarketed after insert on loan_order
  referencing new table as new_rows for each statement execute function mark_owners_for_tele();
create trigger credit_grant_telemarketed after insert on credit_grant
  referencing new table as new_rows for each statement execute function mark_owners_for_tele();

create function mark_owner_for_tele() returns trigger language plpgsql as $$
begin
  insert into tele_mark (customer_id) values (new.customer_id);
  return null;
end $$;
create trigger loan_order_telemarketed_again after update of status on loan_order for each row
  when (old.status <> new.status) execute function mark_owner_for_tele();

-- The customers of before.
insert into tele_mark (customer_id) select c.id from customer c;
