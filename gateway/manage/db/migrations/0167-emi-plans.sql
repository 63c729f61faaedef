-- What is paid ahead of an EMI loan stands in its plan as rows of their own, and an instalment that is
-- no longer needed stays with nothing due. Money a person books says what a prepayment changes.
alter table repay_plan add column kind text not null default 'instalment'
  check (kind in ('instalment', 'prepayment', 'foreclosure'));
-- the rest was due at once because the loan became a bad debt
alter table repay_plan add column called_in boolean not null default false;
alter table repay_plan drop constraint repay_plan_payment_status_check;
alter table repay_plan add constraint repay_plan_payment_status_check check (payment_status in ('unpaid',
  'processing', 'partlyPaid', 'paid', 'overdue', 'writtenOff', 'rolledOver', 'dropped'));
alter table repay_record add column ahead text check (ahead in ('fewerInstalments', 'lowerInstalments'));
