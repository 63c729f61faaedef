-- Coupons, and what customers hold of them.

create sequence coupon_id_seq start 1001;
create table coupon (
  id text primary key default 'CP' || nextval('coupon_id_seq'),
  name text not null,
  type text not null check (type in ('raiseLimit', 'reduction')),
  amount_type text not null check (amount_type in ('fixed', 'rate')),
  preferential_type text not null
    check (preferential_type in ('interest', 'serviceFee', 'overdueFine', 'limit')),
  -- paise; of a coupon by share the most it gives
  discount_amount bigint check (discount_amount > 0),
  -- basis points
  rate int check (rate > 0 and rate <= 10000),
  ratio int check (ratio > 0 and ratio <= 10000),
  min_amount bigint not null default 0 check (min_amount >= 0),
  valid_days int not null check (valid_days >= 1 and valid_days <= 365),
  -- products it may be used with; empty = all
  product_ids text[] not null default '{}',
  -- the most that may be granted, and what is granted and neither expired nor revoked; paise
  budget bigint check (budget > 0),
  committed bigint not null default 0 check (committed >= 0),
  granted int not null default 0,
  creator_id text references sys_user (id),
  creator_name text not null,
  state text not null default 'enabled' check (state in ('enabled', 'disabled')),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  version int not null default 1,
  check ((type = 'raiseLimit') = (preferential_type = 'limit')),
  check (case amount_type when 'fixed' then discount_amount is not null and rate is null
    else rate is not null and ratio is null end),
  check (budget is null or discount_amount is not null),
  check (budget is null or committed <= budget)
);
create unique index coupon_name on coupon (lower(name));
create index coupon_list on coupon (created_at desc, id);

create sequence coupon_grant_id_seq start 10000001;
create table coupon_grant (
  id text primary key default 'CG' || nextval('coupon_grant_id_seq'),
  coupon_id text not null references coupon (id),
  customer_id text not null references customer (id),
  -- what the coupon gave when it was granted (CouponTerms), and the products it is for
  preferential_type text not null,
  terms jsonb not null,
  product_ids text[] not null default '{}',
  -- paise it can come to at most, as the budget counts it; 0 for a share without a cap
  worth bigint not null default 0 check (worth >= 0),
  state text not null default 'unused' check (state in ('unused', 'used', 'expired', 'revoked')),
  source text not null check (source in ('manual', 'import', 'node', 'followUp')),
  source_id text,
  granted_on date not null,
  -- IST days: the last one it may be used on
  valid_until date not null,
  granted_at timestamptz not null default clock_timestamp(),
  granted_by text references sys_user (id),
  granted_by_name text not null,
  order_id text references loan_order (id),
  record_id text references repay_record (id),
  used_at timestamptz,
  -- paise it came to
  amount bigint not null default 0 check (amount >= 0),
  -- given back by a reversal: it does not count as the one unused of its kind
  returned_at timestamptz,
  ended_at timestamptz,
  revoke_reason text,
  updated_at timestamptz not null default clock_timestamp(),
  version int not null default 1,
  check ((state = 'used') = (used_at is not null)),
  check ((state = 'used') = (order_id is not null)),
  check (state = 'used' or (record_id is null and amount = 0)),
  check ((state = 'revoked') = (revoke_reason is not null)),
  check ((state in ('expired', 'revoked')) = (ended_at is not null))
);
create unique index coupon_grant_unused on coupon_grant (customer_id, preferential_type)
  where state = 'unused' and returned_at is null;
create unique index coupon_grant_record on coupon_grant (record_id) where record_id is not null;
create index coupon_grant_customer on coupon_grant (customer_id, granted_at desc);
create index coupon_grant_order on coupon_grant (order_id) where order_id is not null;
create index coupon_grant_coupon on coupon_grant (coupon_id, state) include (amount, worth);
create index coupon_grant_list on coupon_grant (granted_at desc, id);
create index coupon_grant_expiry on coupon_grant (valid_until) where state = 'unused';
