-- How far the customers of a registration day came by now: one row per furthest step.
create table report_process_day (
  day date not null,
  app_id text not null,
  channel_id text not null,
  customer_class text not null,
  -- place of the furthest step, 0 = registered only
  step int not null,
  customers int not null,
  primary key (day, app_id, channel_id, customer_class, step)
);

create or replace function mark_new_customers() returns trigger language plpgsql as $$
begin
  if not report_marks_off() then
    insert into report_mark (rollup, day)
    select r.name, d.day
    from (select distinct ist_day(n.registered_at) as day from new_rows n) d
    cross join (values ('customerDay'), ('process')) r (name);
  end if;
  return null;
end $$;

create function mark_process_of_customer() returns trigger language plpgsql as $$
begin
  insert into report_mark (rollup, day)
  values ('process', ist_day(old.registered_at)), ('process', ist_day(new.registered_at));
  return null;
end $$;
create trigger customer_process_again
  after update of customer_class, channel_id, app_id, registered_at on customer for each row
  when ((old.customer_class, old.channel_id, old.app_id, old.registered_at)
    is distinct from (new.customer_class, new.channel_id, new.app_id, new.registered_at))
  execute function mark_process_of_customer();

-- What a customer completes marks the day of the registration.
create function mark_completed_steps() returns trigger language plpgsql as $$
begin
  if not report_marks_off() then
    insert into report_mark (rollup, day)
    select distinct 'process', ist_day(c.registered_at)
    from new_rows n
    join customer c on c.id = n.customer_id;
  end if;
  return null;
end $$;
create trigger customer_kyc_process after insert on customer_kyc
  referencing new table as new_rows for each statement execute function mark_completed_steps();
create trigger customer_kyc_process_again after update on customer_kyc
  referencing new table as new_rows for each statement execute function mark_completed_steps();
create trigger customer_photo_process after insert on customer_photo
  referencing new table as new_rows for each statement execute function mark_completed_steps();
create trigger customer_contact_process after insert on customer_contact
  referencing new table as new_rows for each statement execute function mark_completed_steps();
create trigger bank_card_process after insert on bank_card
  referencing new table as new_rows for each statement execute function mark_completed_steps();
create trigger bank_card_process_again after update on bank_card
  referencing new table as new_rows for each statement execute function mark_completed_steps();
create trigger credit_grant_process after insert on credit_grant
  referencing new table as new_rows for each statement execute function mark_completed_steps();
create trigger loan_order_process after insert on loan_order
  referencing new table as new_rows for each statement execute function mark_completed_steps();

create or replace function mark_order_outcomes() returns trigger language plpgsql as $$
begin
  if not report_marks_off() then
    insert into report_mark (rollup, day)
    select distinct 'orderDay', ist_day(n.at) from new_rows n
    where n.to_status in (20, 21, 22, 23, 26, 27, 30)
    union all
    select distinct 'process', ist_day(c.registered_at)
    from new_rows n
    join loan_order o on o.id = n.order_id
    join customer c on c.id = o.customer_id
    where n.to_status in (20, 26) or (n.to_status = 30 and n.from_status = 29);
  end if;
  return null;
end $$;
