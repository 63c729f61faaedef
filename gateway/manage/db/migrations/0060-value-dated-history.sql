-- When an approved reduction ended: fines stood still up to then. Null while it may be used; of one
-- that ended before this column was there, the instant is not known.
alter table reduction add column ended_at timestamptz;

-- A reduction that lapsed may be found used by money of its time that is told later.
create index reduction_of_order on reduction (order_id) where decided_at is not null;

-- Money that came when its order had ended and was not counted: it is the customer's, whatever
-- becomes of the order.
alter table repay_record add column is_credit boolean not null default false;
