-- A posting, its row of the operate log and its events are written in one transaction; now each says in which, so that the
-- proof of the books can join them (trust.md C3, 10). The database fills it in: no statement more. Null = from before, or
-- brought along by a book that was made elsewhere. The default comes second: given with the column it would be this migration's
-- own number on every row there is.
alter table ledger_entry add column written_in xid8;
alter table ledger_entry alter column written_in set default pg_current_xact_id();
alter table operate_log add column written_in xid8;
alter table operate_log alter column written_in set default pg_current_xact_id();
alter table outbox_event add column written_in xid8;
alter table outbox_event alter column written_in set default pg_current_xact_id();

-- What the chain hashes of a record. Those from before were hashed without the column.
create function operate_log_content(l operate_log) returns text language sql immutable as $$
  select (to_jsonb(l) - case when l.written_in is null then array['chain_no', 'prev_hash', 'hash', 'written_in'] else array['chain_no', 'prev_hash', 'hash'] end)::text
$$;

create or replace function operate_log_seal(most int) returns int language plpgsql as $$
declare
  row_to_seal operate_log;
  chain log_chain;
  sealed int := 0;
  digest bytea;
begin
  perform pg_advisory_xact_lock(7002);
  select c.* into chain from log_chain c;
  for row_to_seal in select l.* from operate_log l where l.chain_no is null order by l.id limit most loop
    digest := sha256(chain.last_hash || convert_to(operate_log_content(row_to_seal), 'UTF8'));
    update operate_log set chain_no = chain.last_no + 1, prev_hash = chain.last_hash, hash = digest where id = row_to_seal.id;
    chain.last_no := chain.last_no + 1;
    chain.last_hash := digest;
    sealed := sealed + 1;
  end loop;
  if sealed > 0 then
    update log_chain set last_no = chain.last_no, last_hash = chain.last_hash;
  end if;
  return sealed;
end $$;

create or replace function operate_log_broken_at() returns bigint language sql stable as $$
  with chained as (
    select l.chain_no, l.prev_hash, l.hash,
      lag(l.hash, 1, '\x00'::bytea) over (order by l.chain_no) as expected_prev,
      lag(l.chain_no, 1, 0::bigint) over (order by l.chain_no) as last_no,
      sha256(l.prev_hash || convert_to(operate_log_content(l), 'UTF8')) as digest
    from operate_log l where l.chain_no is not null
  ), broken as (
    select min(c.chain_no) as at from chained c where c.prev_hash <> c.expected_prev or c.hash <> c.digest or c.chain_no <> c.last_no + 1
  )
  select coalesce(b.at, case when k.last_no <> coalesce((select max(c.chain_no) from chained c), 0) then k.last_no end)
  from broken b, log_chain k
$$;

-- What the demo of older books counted otherwise: the bill of an extension names the commission it owes (C08), and a case
-- recovered what its bills say (C09), neither all its order ever paid nor nothing while it is open.
update recovery_bill b set extension = true, commission = x.commission from extension x where x.record_id = b.record_id and b.amount > 0 and not b.extension;
update collection_case c set recovered = b.amount
from (select x.id, coalesce((select sum(n.amount) from recovery_bill n where n.order_id = x.order_id and n.case_id = x.id), 0)::bigint as amount from collection_case x) b
where b.id = c.id and c.recovered <> b.amount and not exists (select 1 from repay_record r where r.order_id = c.order_id and r.reversed_at is not null);
