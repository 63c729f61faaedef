-- a refusal by a rule says for how long (domain.md 3, AUTO_REJECT): the IST day from which the customer may apply again
alter table loan_order add column cool_down_until date;
update loan_order set cool_down_until = (coalesce(closed_at, updated_at) at time zone 'Asia/Kolkata')::date + 30, fail_reason = coalesce(fail_reason, refusal_code) where status = 21;
