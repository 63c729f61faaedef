-- The operate log by months. Its chain is over all of them: the sealer gives the numbers one after the
-- other under its lock, each month holds them once, and the proof of the chain says that none is there
-- twice and none is missing.
drop function operate_log_content(operate_log);
select divide_by_month('operate_log', 'time');

create function operate_log_content(l operate_log) returns text language sql immutable as $$
  select (to_jsonb(l) - array['chain_no', 'prev_hash', 'hash']
    - case when l.written_in is null then array['written_in'] else '{}'::text[] end
    - case when l.approval_id is null then array['approval_id'] else '{}'::text[] end)::text
$$;

-- As before; an entry is written in its month, for a statement over the whole log opens every month.
create or replace function operate_log_seal(most int) returns int language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set jit = off
as $$
declare
  one record;
  chain log_chain;
  sealed int := 0;
  digest bytea;
begin
  perform pg_advisory_xact_lock(7002);
  select c.* into chain from log_chain c where c.only_row;
  for one in
    select l as entry, l.id, l.tableoid::regclass as part from operate_log l
    where l.chain_no is null order by l.id limit most
  loop
    digest := sha256(chain.last_hash || convert_to(operate_log_content(one.entry), 'UTF8'));
    execute format('update %s set chain_no = $1, prev_hash = $2, hash = $3 where id = $4', one.part)
      using chain.last_no + 1, chain.last_hash, digest, one.id;
    chain.last_no := chain.last_no + 1;
    chain.last_hash := digest;
    sealed := sealed + 1;
  end loop;
  if sealed > 0 then
    update log_chain set last_no = chain.last_no, last_hash = chain.last_hash where only_row;
  end if;
  return sealed;
end $$;

select make_months();
