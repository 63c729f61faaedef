-- identity and PAN count as checked once an application was passed with them, not from the day they were sent
alter table customer_kyc alter column verify_state set default 'pending', alter column pan_state set default 'pending';
alter table customer_kyc add constraint customer_kyc_states check (verify_state in ('pending', 'passed', 'failed') and pan_state in ('pending', 'passed', 'failed'));
update customer_kyc y set verify_state = 'pending', pan_state = 'pending'
where not exists (select 1 from loan_order o where o.customer_id = y.customer_id and o.status in (20, 26, 29, 30, 31, 40, 41, 43, 50, 80, 90, 100, 110));
