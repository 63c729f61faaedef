-- A debit that the bank returned costs the bounce charge of the loan's terms. It is a part of the
-- instalment it was presented for.
-- Paise, of the failed payment: kept while it stays failed.
alter table repay_record add column bounce_charge bigint not null default 0 check (bounce_charge >= 0);
-- Paise, contained in service_fee.
alter table repay_plan add column bounce_charges bigint not null default 0
  check (bounce_charges >= 0 and bounce_charges <= service_fee);
