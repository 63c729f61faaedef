-- An export that waits for a second person, by its request: what was asked for, sealed, because filters may name a customer. Gone when the request ends.
create table export_request (
  id text primary key references approval (id),
  input_enc bytea not null
);

insert into sys_config (id, number, code, name, value, value_type, built_in, public) values
  ('K1003', 'K1003', 'export.max', 'Export: most rows of a file', '200000', 'int', true, true),
  ('K1004', 'K1004', 'export.syncMax', 'Export: rows that come at once, more by a job', '5000', 'int', true, true);
