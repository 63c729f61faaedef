-- A result that contradicts the first one: somebody must find out where the money is. The mark stays
-- with its end and its outcome.
alter table payout_transfer
  -- what was told after the first result, and when
  add column conflict text check (conflict in ('success', 'fail')),
  add column conflict_at timestamptz,
  add column conflict_utr text,
  add column conflict_outcome text check (conflict_outcome in ('paid', 'notPaid')),
  add column conflict_ended_at timestamptz,
  add check ((conflict is null) = (conflict_at is null)),
  add check ((conflict_outcome is null) = (conflict_ended_at is null));
create index payout_transfer_conflict on payout_transfer (order_id)
  where conflict is not null and conflict_ended_at is null;

update payout_transfer t
set conflict = case t.pay_state when 'fail' then 'success' else 'fail' end, conflict_at = l.time
from (select g.target_id, max(g.time) as time from operate_log g
  where g.target_kind = 'transfer' and g.action = 'payout.conflict' group by g.target_id) l
where l.target_id = t.id and t.pay_state <> 'inProgress';

alter table repay_record
  -- when the channel said that a payment it had confirmed failed, and when that was looked at
  add column conflict_at timestamptz,
  add column conflict_reason text,
  add column conflict_ended_at timestamptz;
create index repay_record_conflict on repay_record (conflict_at desc)
  where conflict_at is not null and conflict_ended_at is null;

update repay_record r
set conflict_at = l.time, conflict_ended_at = r.reversed_at
from (select g.target_id, max(g.time) as time from operate_log g
  where g.target_kind = 'record' and g.action = 'payment.conflict' group by g.target_id) l
where l.target_id = r.id;
