-- Personal data that is erased after its term. The customer is told two days before; what they do in
-- that time, or anything that is still open with them, keeps the data.
create table customer_erasure (
  customer_id text primary key references customer (id),
  state text not null default 'due' check (state in ('due', 'told', 'done')),
  -- days of the term that is over, and since when it ran
  term_days int not null,
  since timestamptz not null,
  -- when the customer was told, and from when on the data may go
  tries int not null default 0,
  tried_at timestamptz,
  erase_after timestamptz,
  erased_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  check ((state = 'due') = (erase_after is null)),
  check ((state = 'done') = (erased_at is not null))
);
create index customer_erasure_open on customer_erasure (state, created_at) where state <> 'done';
-- who was active last longest ago is asked each night
create index customer_last_active on customer (last_active_at);
