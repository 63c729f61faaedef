-- The list of orders by what machine and reviewers decided, and when.
create index order_status_log_decided on order_status_log (to_status, at) include (order_id)
  where to_status in (20, 21, 22, 23, 26, 27);
