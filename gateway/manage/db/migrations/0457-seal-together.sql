-- The sealer writes the numbers of a slice with one statement for each month: one for each entry was planned
-- anew each time. And what guards the log compares rows as they are stored, instead of turning both into
-- JSON: together that was a tenth of what a claim or a payment costs the database.
create or replace function operate_log_seal(most int) returns int language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set jit = off
as $$
declare
  one record;
  month regclass;
  chain log_chain;
  sealed int := 0;
  digest bytea;
  parts regclass[] := '{}';
  ids bigint[] := '{}';
  numbers bigint[] := '{}';
  befores bytea[] := '{}';
  digests bytea[] := '{}';
begin
  perform pg_advisory_xact_lock(7002);
  select c.* into chain from log_chain c where c.only_row;
  for one in
    select operate_log_content(l) as content, l.id, l.tableoid::regclass as part from operate_log l
    where l.chain_no is null order by l.id limit most
  loop
    digest := sha256(chain.last_hash || convert_to(one.content, 'UTF8'));
    parts := parts || one.part;
    ids := ids || one.id;
    numbers := numbers || (chain.last_no + 1);
    befores := befores || chain.last_hash;
    digests := digests || digest;
    chain.last_no := chain.last_no + 1;
    chain.last_hash := digest;
    sealed := sealed + 1;
  end loop;
  if sealed = 0 then
    return 0;
  end if;
  for month in select distinct p.part from unnest(parts) p (part) loop
    execute format('update %s l set chain_no = s.chain_no, prev_hash = s.prev_hash, hash = s.hash
      from unnest($1, $2, $3, $4, $5) s (part, id, chain_no, prev_hash, hash)
      where s.part = $6 and l.id = s.id', month)
      using parts, ids, numbers, befores, digests, month;
  end loop;
  update log_chain set last_no = chain.last_no, last_hash = chain.last_hash where only_row;
  return sealed;
end $$;

create or replace function operate_log_guard() returns trigger language plpgsql as $$
declare
  unsealed record;
begin
  if tg_op = 'DELETE' then
    if old.chain_no is null or old.chain_no > (select c.cut_no from log_chain c) then
      raise exception 'operate_log is append-only' using errcode = 'integrity_constraint_violation';
    end if;
    return old;
  end if;
  unsealed := new;
  unsealed.chain_no := old.chain_no;
  unsealed.prev_hash := old.prev_hash;
  unsealed.hash := old.hash;
  if old.chain_no is not null or unsealed *<> old then
    raise exception 'operate_log is append-only' using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
