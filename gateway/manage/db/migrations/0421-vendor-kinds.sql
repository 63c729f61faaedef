-- Payment pages and checks of applicants have vendors of their own.
alter table tp_vendor drop constraint tp_vendor_kind_check;
alter table tp_vendor add constraint tp_vendor_kind_check check (kind in ('payout', 'collect', 'kyc',
  'bureau', 'sms', 'whatsapp', 'aiCall'));

-- What the vendors of the app answer about the applicant of a review, before it is judged.
create table applicant_check (
  review_id text not null references review (id),
  kind text not null check (kind in ('kyc', 'bureau')),
  -- due: it is asked again; failed: no vendor answered, people look
  state text not null check (state in ('due', 'done', 'failed')),
  tries int not null default 1,
  answer jsonb,
  tp_cfg_id text references tp_cfg (id),
  vendor_code text,
  tried_at timestamptz not null default clock_timestamp(),
  primary key (review_id, kind),
  check ((state = 'done') = (answer is not null))
);

-- Where a payment link leads: a page of a vendor. Null: the vendor of messages makes the address.
alter table payment_link add column tp_cfg_id text references tp_cfg (id);
alter table payment_link add column page_url text;
