-- Requests that say which of two contradictory results is true.
alter table approval drop constraint approval_kind_check;
alter table approval add constraint approval_kind_check check (kind in ('reversePayment', 'cure',
  'redisburse', 'transferPaid', 'transferNotPaid', 'paymentStands', 'batchWriteOff', 'roleEdit',
  'export'));
