-- What becomes of a transfer that failed, and the message that asks the customer for another account.
alter table payout_transfer
  add constraint payout_transfer_handling check (handling_method in ('retrySame', 'changeVendor', 'customerUpdatesAccount', 'manualTransfer', 'cancel')),
  add column ask_state text check (ask_state in ('due', 'sent', 'failed')),
  add column ask_tries int not null default 0,
  add column ask_at timestamptz,
  add column asked_by text references sys_user (id);
create index payout_transfer_ask on payout_transfer (id) where ask_state = 'due';
-- money that left once stands in the books once
create unique index payout_transfer_manual_utr on payout_transfer (utr) where vendor_code = 'manual' and utr is not null;
create index payout_transfer_utr on payout_transfer (utr) where utr is not null;
