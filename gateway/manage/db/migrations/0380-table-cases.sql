-- Test cases are kept beside decision tables as beside rules: facts, and what a row must give.
alter table rule_case
  alter column rule_id drop not null,
  add column table_id text references decision_table (id) on delete cascade,
  add column gives jsonb,
  add constraint rule_case_of_one check (num_nonnulls(rule_id, table_id) = 1);
create index rule_case_table on rule_case (table_id, id);

-- The tables that decided an application, in their order: version, row, and what was offered after it.
alter table machine_facts add column tables jsonb not null default '[]';

-- One graph for all limits and prices, from before there were tables.
drop table rule_set;
