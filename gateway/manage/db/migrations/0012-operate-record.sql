-- Somebody who looks for what happened to one record knows its id, and often not its kind or day.
create index operate_log_target_id on operate_log (target_id, id);
