-- payment links sent to borrowers (api.md 10); a payment names its link by `vendor_order_no`
create sequence payment_link_id_seq start 10000001;
create table payment_link (
  id text primary key default 'PL' || nextval('payment_link_id_seq'),
  order_id text not null references loan_order (id),
  plan_id text not null references repay_plan (id),
  customer_id text not null references customer (id),
  case_id text references collection_case (id),
  amount bigint not null check (amount > 0),
  way text not null check (way in ('sms', 'whatsapp')),
  state text not null default 'due' check (state in ('due', 'sent', 'failed')),
  tries int not null default 0,
  tried_at timestamptz,
  sent_by text not null references sys_user (id),
  sent_by_name text not null,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null
);
create index payment_link_order on payment_link (order_id, created_at desc);
create index payment_link_due on payment_link (created_at) where state = 'due';
create index payment_link_customer on payment_link (customer_id);
