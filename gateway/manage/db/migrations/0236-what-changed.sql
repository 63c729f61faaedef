-- What may bend a curve of a report: changes of rules, products and parameters, and outages of
-- vendors, by time. The log is large; these are few.
create index operate_log_changes on operate_log (time)
  where target_kind in ('rule', 'product', 'config', 'configuration') and result = 'ok';
