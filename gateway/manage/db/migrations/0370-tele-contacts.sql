-- The number a follow-up was made with: the customer's own changes.
alter table tele_record add column contact_last4 text;

-- Totals count coupons by the day they were used.
create index coupon_grant_promised on coupon_grant (used_at)
  where state = 'used' and source in ('node', 'followUp');
