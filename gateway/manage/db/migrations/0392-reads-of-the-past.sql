-- Reads whose cost grew with the past of the book, measured at 10,000 and 250,000 orders.

-- The vendor of the newest transfer: a filter of the loans, looked up for each of them before.
alter table loan_order add column payout_vendor text;
update loan_order o set payout_vendor = t.vendor_code
from (
  select distinct on (x.order_id) x.order_id, x.vendor_code from payout_transfer x
  order by x.order_id, x.attempt_no desc
) t
where t.order_id = o.id;
create index loan_order_payout_vendor on loan_order (payout_vendor, created_at desc, id desc)
  where payout_vendor is not null;

create function keep_payout_vendor() returns trigger language plpgsql as $$
begin
  update loan_order o set payout_vendor = new.vendor_code
  where o.id = new.order_id and o.payout_vendor is distinct from new.vendor_code;
  return null;
end $$;
create trigger payout_transfer_vendor_kept after insert on payout_transfer
  for each row execute function keep_payout_vendor();

-- The newest of those that are late, whatever became of the newest orders; loans by their status.
create index loan_order_late_newest on loan_order (created_at desc, id desc) where overdue_days > 0;
create index loan_order_paid_out_status on loan_order (status, id)
  where status not in (10, 20, 21, 22, 23, 26, 27, 70);

-- Lists of tasks are those at work, or those that are over; no list walks both.
create index tele_task_at_work on tele_task (segment, loss_at desc, id) where closed_at is null;
create index tele_task_at_work_id on tele_task (segment, id) where closed_at is null;
drop index tele_task_list;

-- Outcomes that are rare.
create index review_quality_rare on review (quality, id) where quality <> 'notChecked';
create index review_tele_call on review (tele_call_state, id) where tele_call_state <> 'notExecuted';
