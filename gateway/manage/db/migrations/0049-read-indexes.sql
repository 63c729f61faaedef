-- Loans paid out today and on a day: figures of the home page and the loan list's range.
create index loan_order_disbursed on loan_order (disbursed_at) where disbursed_at is not null;
-- The range of due days, whatever the status.
drop index loan_order_due;
create index loan_order_due on loan_order (due_at) where due_at is not null;
-- No statement of the console reads these.
drop index loan_order_product;
drop index loan_order_tags;
