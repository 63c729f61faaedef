-- The list of orders by the code they were refused under, and that of instalments by when they were settled.
create index loan_order_refusal on loan_order (refusal_code) where refusal_code is not null;
create index repay_plan_settled on repay_plan (
  (case when ist_day(actual_repayment_at) < due_at then 'early'
    when ist_day(actual_repayment_at) = due_at then 'onTime' else 'late' end),
  (outstanding = 0), due_at, id)
  where payment_status = 'paid';
