-- Reads that grew with the book, measured at 1,000,000 orders.

-- a common first name is that of 13,000 in a million: found without reading their rows. The expression
-- is answered from an index only when the index has its column too
drop index customer_name;
create index customer_name on customer (lower(name) text_pattern_ops) include (id, name);

-- the newest reduction of an order, whatever the planner thinks of how many it has
drop index reduction_order;
create index reduction_order on reduction (order_id, launched_at desc, id desc);

-- what few payments are: each of these filters read all of them
create index repay_record_reversed on repay_record (paid_at desc, id desc) where reversed_at is not null;
create index repay_record_rare_source on repay_record (source, paid_at desc, id desc)
  where source <> 'callback';
create index repay_record_rare_type on repay_record (repayment_type, paid_at desc, id desc)
  where repayment_type <> 'full' and repayment_type <> 'partial';

-- the tasks of a campaign, and what was said on them
create index tele_task_node on tele_task (node_id) where node_id is not null;
