-- Since when people may end a transfer because no result came.
alter table payout_transfer add column late_at timestamptz;
create index payout_transfer_late on payout_transfer (created_at desc, id desc)
  where pay_state = 'inProgress' and late_at is not null;
create index payout_transfer_lost on payout_transfer (created_at desc, id desc)
  where pay_state = 'inProgress' and lost_at is not null;
-- the few under way, oldest first
create index payout_transfer_going on payout_transfer (created_at) where pay_state = 'inProgress';

alter table approval drop constraint approval_kind_check;
alter table approval add constraint approval_kind_check check (kind in ('reversePayment', 'cure',
  'redisburse', 'transferPaid', 'transferNotPaid', 'paymentStands', 'batchWriteOff', 'roleEdit',
  'export', 'ruleEnable', 'tableEnable', 'strayReturned', 'transferEndedPaid', 'transferEndedFailed'));
