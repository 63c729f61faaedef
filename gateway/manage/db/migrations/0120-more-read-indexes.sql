-- Figures above the review lists: since when the oldest waits, hand-overs that wait, decisions of people.
create index review_waiting_since on review (queued_at) where state = 'unclaimed';
create index review_handed on review (id) where handover_state = 'pending';
create index review_judged on review (id) where manual_result is not null
  and state in ('audited', 'passed', 'failed');
-- Read backwards, an index gives rows without a value first; lists show them last in both directions.
drop index review_finished;
create index review_finished on review (finished_at desc nulls last, id);
drop index loan_order_due;
create index loan_order_due on loan_order (due_at, id);
create index loan_order_due_last on loan_order (due_at desc nulls last, id desc);
drop index loan_order_disbursed;
create index loan_order_disbursed on loan_order (disbursed_at, id);
create index loan_order_disbursed_last on loan_order (disbursed_at desc nulls last, id desc);
drop index loan_order_closed;
create index loan_order_closed on loan_order (closed_at, id);
create index loan_order_closed_last on loan_order (closed_at desc nulls last, id desc);
-- Few of the book: ways to close but the usual two, and loans that are late.
create index loan_order_close_type on loan_order (close_type, created_at desc, id desc)
  where close_type <> 'notClosed';
create index loan_order_late on loan_order (overdue_days, id) where overdue_days > 0;
create index review_reject on review (reject_code, id) where reject_code is not null;
create index customer_uncertified on customer (registered_at desc, id desc) where not certified;
create index customer_blacklisted on customer (registered_at desc, id desc) where blacklisted;
create index repay_plan_late on repay_plan (overdue_days, id) where overdue_days > 0;
create index repay_record_unusual on repay_record (pay_state, paid_at desc, id desc)
  where pay_state <> 'success';
create index write_off_state on write_off (state, created_at desc, id desc) where state <> 'done';
create index write_off_customer on write_off (customer_id);
create index reduction_customer on reduction (customer_id);
