-- The IST day an EMI loan was called in on: an event of its history, which stays when a payment that
-- is told late makes the row due on an earlier day.
alter table repay_plan add column called_in_on date;
update repay_plan set called_in_on = due_at where called_in and principal > 0;
alter table repay_plan drop column called_in;
