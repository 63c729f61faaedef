-- What a run achieved so far, counted each hour until its days are over: lists of nodes and runs then
-- count no contacts.
alter table marketing_run add column effect_so_far jsonb;
alter table marketing_run add column effect_at timestamptz;
-- Customers whose newest grant has a state are among those who have a grant of it.
create index credit_grant_state on credit_grant (state, customer_id);
