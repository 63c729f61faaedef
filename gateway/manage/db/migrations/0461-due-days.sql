-- Rollups of due days look up the first instalments of a day, and what was posted on an instalment. Both
-- indexes replace one that was there, so no command writes more of them.
create index repay_plan_due_serial on repay_plan (due_at, serial_no);
drop index repay_plan_due_day;
-- a loan of many instalments has as many times the postings of one
create index ledger_entry_plan on ledger_entry (order_id, plan_id);
drop index ledger_entry_order;
