-- Which approval a change was carried out for. Entries without one are hashed without the column, as
-- they were before it existed.
alter table operate_log add column approval_id text;

create or replace function operate_log_content(l operate_log) returns text language sql immutable as $$
  select (to_jsonb(l) - array['chain_no', 'prev_hash', 'hash']
    - case when l.written_in is null then array['written_in'] else '{}'::text[] end
    - case when l.approval_id is null then array['approval_id'] else '{}'::text[] end)::text
$$;

drop index approval_of_target;
