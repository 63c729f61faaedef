-- Apps that lend in equated monthly instalments: what the app tells its installations, the terms of
-- its EMI product, and its third parties. The terms become a product of the app, so that orders,
-- reports and filters know it as any other; a product of before is repaid in even instalments.
create table emi_app (
  app_id text primary key references app (id),
  info jsonb,
  config jsonb,
  updated_at timestamptz not null default clock_timestamp(),
  version int not null default 1
);

alter table product add column kind text not null default 'even' check (kind in ('even', 'emi'));
create unique index product_emi on product (app_id) where kind = 'emi';
