-- What was paid, recovered, waived and written off, by the day it happened.
create table report_money_day (
  day date not null,
  app_id text not null,
  channel_id text not null,
  product_id text not null,
  tag text not null,
  -- successful payments that were not taken back, by the day the money was paid
  payments int not null,
  received bigint not null,
  -- credited to collection; a payment that was taken back has a bill of its own that is negative
  collected bigint not null,
  reductions int not null,
  waived bigint not null,
  write_offs int not null,
  written_off bigint not null,
  primary key (day, app_id, channel_id, product_id, tag)
);

-- Tickets by the day they came in, with the app and the channel of the customer.
create table report_ticket_day (
  day date not null,
  app_id text not null,
  channel_id text not null,
  queue text not null,
  tickets int not null,
  primary key (day, app_id, channel_id, queue)
);

-- Of what was due: paid by the end of the due day. The days that are there are filled again.
alter table report_due add column paid_by_due bigint not null default 0;
delete from report_rollup r where r.name = 'due';

create index recovery_bill_paid_at on recovery_bill (paid_at);
create index reduction_used_at on reduction (used_at) where used_at is not null;
create index write_off_done_at on write_off (done_at) where done_at is not null;

create function mark_paid_record() returns trigger language plpgsql as $$
begin
  if not report_marks_off() then
    insert into report_mark (rollup, day) values ('moneyDay', ist_day(new.paid_at));
    if tg_op = 'UPDATE' and ist_day(old.paid_at) <> ist_day(new.paid_at) then
      insert into report_mark (rollup, day) values ('moneyDay', ist_day(old.paid_at));
    end if;
  end if;
  return null;
end $$;
create trigger repay_record_reported after insert on repay_record for each row
  when (new.pay_state = 'success') execute function mark_paid_record();
create trigger repay_record_reported_again
  after update of pay_state, paid_at, amount, reversed_at, order_id on repay_record for each row
  when ((new.pay_state = 'success' or old.pay_state = 'success')
    and (old.pay_state, old.paid_at, old.amount, old.reversed_at, old.order_id)
      is distinct from (new.pay_state, new.paid_at, new.amount, new.reversed_at, new.order_id))
  execute function mark_paid_record();

create function mark_new_bills() returns trigger language plpgsql as $$
begin
  if not report_marks_off() then
    insert into report_mark (rollup, day)
    select distinct 'moneyDay', ist_day(n.paid_at) from new_rows n;
  end if;
  return null;
end $$;
create trigger recovery_bill_reported after insert on recovery_bill
  referencing new table as new_rows for each statement execute function mark_new_bills();

create function mark_used_reduction() returns trigger language plpgsql as $$
begin
  if not report_marks_off() then
    insert into report_mark (rollup, day)
    select 'moneyDay', ist_day(t.at)
    from (values (new.used_at), (case when tg_op = 'UPDATE' then old.used_at end)) t (at)
    where t.at is not null;
  end if;
  return null;
end $$;
create trigger reduction_reported after insert on reduction for each row
  when (new.used_at is not null) execute function mark_used_reduction();
create trigger reduction_reported_again after update of used_at, used_amount on reduction for each row
  when ((old.used_at, old.used_amount) is distinct from (new.used_at, new.used_amount))
  execute function mark_used_reduction();

create function mark_done_write_off() returns trigger language plpgsql as $$
begin
  if not report_marks_off() then
    insert into report_mark (rollup, day) values ('moneyDay', ist_day(new.done_at));
  end if;
  return null;
end $$;
create trigger write_off_reported after insert on write_off for each row
  when (new.done_at is not null) execute function mark_done_write_off();
create trigger write_off_reported_again after update of state, done_at on write_off for each row
  when (new.done_at is not null and old.done_at is null) execute function mark_done_write_off();

create function mark_new_tickets() returns trigger language plpgsql as $$
begin
  if not report_marks_off() then
    insert into report_mark (rollup, day)
    select distinct 'ticketDay', ist_day(n.created_at) from new_rows n;
  end if;
  return null;
end $$;
create trigger feedback_reported after insert on feedback
  referencing new table as new_rows for each statement execute function mark_new_tickets();

create function mark_ticket_days_of_queue() returns trigger language plpgsql as $$
begin
  insert into report_mark (rollup, day) values ('ticketDay', ist_day(new.created_at));
  return null;
end $$;
create trigger feedback_queue_reported after update of queue on feedback for each row
  when (old.queue is distinct from new.queue) execute function mark_ticket_days_of_queue();

create function mark_tickets_of_customer() returns trigger language plpgsql as $$
begin
  insert into report_mark (rollup, day)
  select distinct 'ticketDay', ist_day(f.created_at) from feedback f where f.customer_id = new.id;
  return null;
end $$;
create trigger customer_tickets_again after update of channel_id, app_id on customer for each row
  when ((old.channel_id, old.app_id) is distinct from (new.channel_id, new.app_id))
  execute function mark_tickets_of_customer();
