-- The newest calls to a configuration within a time: one that rests for weeks reads none of the old.
create index tp_attempt_cfg_at on tp_attempt (cfg_id, at desc);
drop index tp_attempt_cfg;
