-- When the vendor first said that it does not know a transfer it had accepted.
alter table payout_transfer add column lost_at timestamptz;
