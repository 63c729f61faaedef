-- kinds of requests that wait for a second person (roles.md 4); roleEdit can be added
insert into sys_config (id, number, code, name, value, value_type, built_in, public) values
  ('K1101', 'K1101', 'approval.kinds', 'Kinds that wait for a second person; roleEdit can be added', 'reversePayment,cure,redisburse,batchWriteOff,export', 'text', true, false);
