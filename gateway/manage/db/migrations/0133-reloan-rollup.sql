-- Loans that were paid off, by the day they were, and how soon their customers borrowed again.
create table report_settled (
  day date not null,
  app_id text not null,
  channel_id text not null,
  product_id text not null,
  -- number of the loan among those of the customer; 5 = the fifth or a later one
  loan_no int not null,
  settled int not null,
  within_1 int not null,
  within_3 int not null,
  within_7 int not null,
  within_15 int not null,
  within_30 int not null,
  -- of the loans taken within thirty days
  amount bigint not null,
  limit_before bigint not null,
  limit_after bigint not null,
  primary key (day, app_id, channel_id, product_id, loan_no)
);

-- First instalments of re-loans, and those not paid seven days after.
alter table report_due add column re_due int not null default 0;
alter table report_due add column re_unpaid int not null default 0;
delete from report_rollup r where r.name = 'due';

create function mark_settled_order() returns trigger language plpgsql as $$
begin
  if not report_marks_off() then
    insert into report_mark (rollup, day)
    select distinct 'reloan', ist_day(t.at)
    from (values (new.closed_at), (case when tg_op = 'UPDATE' then old.closed_at end)) t (at)
    where t.at is not null;
  end if;
  return null;
end $$;
create trigger loan_order_settled after insert on loan_order for each row
  when (new.status in (40, 41)) execute function mark_settled_order();
create trigger loan_order_settled_again after update of status, closed_at on loan_order for each row
  when ((new.status in (40, 41) or old.status in (40, 41))
    and (old.status, old.closed_at) is distinct from (new.status, new.closed_at))
  execute function mark_settled_order();

create function mark_borrowed_again() returns trigger language plpgsql as $$
begin
  if not report_marks_off() then
    insert into report_mark (rollup, day)
    select distinct 'reloan', ist_day(p.closed_at)
    from new_rows n
    join loan_order o on o.id = n.order_id
    join loan_order p on p.customer_id = o.customer_id and p.status in (40, 41)
      and p.closed_at <= n.at and p.closed_at > n.at - interval '32 days'
    where n.to_status = 30 and n.from_status = 29;
  end if;
  return null;
end $$;
create trigger order_status_log_reloan after insert on order_status_log
  referencing new table as new_rows for each statement execute function mark_borrowed_again();
