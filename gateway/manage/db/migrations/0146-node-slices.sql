-- A run of a node writes down whom it takes as slices of task ids, and a row for each customer only
-- when the customer is contacted, as it then stays: a hundred thousand rows are written once. Nodes
-- grant coupons.

-- Tasks of one transaction, in the order of the run's shuffle: the held out are the first. They go
-- when the run ends.
create table marketing_slice (
  run_id text not null references marketing_run (id),
  slice int not null,
  task_ids text[] not null,
  primary key (run_id, slice)
);

-- Runs that are under way go on as slices.
insert into marketing_slice (run_id, slice, task_ids)
  select m.run_id, m.chunk, array_agg(m.task_id order by m.held_out desc, m.id)
  from marketing_contact m join marketing_run r on r.id = m.run_id
  where m.outcome is null and r.state = 'running' group by m.run_id, m.chunk;
delete from marketing_contact m where m.outcome is null;

drop index marketing_contact_chunk;
-- nothing looks for contacts by task
drop index marketing_contact_task;
-- each row is in one of two: once per node, or again after some days
drop index marketing_contact_node;
create index marketing_contact_again on marketing_contact (node_id, customer_id, at desc) where not once;
-- the run has the node, and the task the customer: each key is checked once for each row
alter table marketing_contact drop constraint marketing_contact_node_id_fkey;
alter table marketing_contact drop constraint marketing_contact_customer_id_fkey;
alter table marketing_contact alter column chunk drop not null;
-- what became of the coupon the node grants; null = it grants none, or the customer is held out
alter table marketing_contact add column coupon text
  check (coupon in ('given', 'hasUnused', 'blacklisted', 'budget', 'off'));
-- room for the next version of a row beside it, so that its indexes are not written again
alter table tele_task set (fillfactor = 80);

alter table marketing_node add constraint marketing_node_coupon_id_fkey
  foreign key (coupon_id) references coupon (id);
alter table marketing_run add column coupons int not null default 0;
-- {contacted, contactedReached, heldOut, heldOutReached}: what the run achieved, once its days are over
alter table marketing_run add column effect jsonb;
create index coupon_grant_source on coupon_grant (source_id, used_at) where source_id is not null;
