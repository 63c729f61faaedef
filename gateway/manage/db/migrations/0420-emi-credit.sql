-- An EMI product lends at a rate a year, with instalments on a day of the month; `service_rate` and
-- `daily_rate` say nothing of it. Null: a product of even instalments.
alter table credit_grant add column emi jsonb;
-- each entry was left by an application decided at that moment: the customer's latest one before it
update credit_grant g set emi = jsonb_build_object('annualRate', o.emi -> 'annualRate',
  'dueDay', o.emi -> 'dueDay')
from (select distinct on (q.id) q.id, n.product_snapshot -> 'emi' as emi
  from credit_grant q join loan_order n on n.customer_id = q.customer_id and n.created_at <= q.created_at
  order by q.id, n.created_at desc, n.id desc) o
where o.id = g.id and jsonb_typeof(o.emi) = 'object';
