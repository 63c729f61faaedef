-- What is kept for a term may go: entries of the operate log once they are exported, calls and
-- messages of cases that are closed.

-- The last entry that was exported, and is or will be removed: the chain goes on from its hash. The
-- signature is made with a key that is not in the database, so nobody else can move it.
alter table log_chain
  add column cut_no bigint not null default 0,
  add column cut_hash bytea not null default '\x00',
  add column cut_signature text,
  -- when the newest of the removed entries was written
  add column cut_time timestamptz;

create or replace function operate_log_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.chain_no is null or old.chain_no > (select c.cut_no from log_chain c) then
      raise exception 'operate_log is append-only' using errcode = 'integrity_constraint_violation';
    end if;
    return old;
  end if;
  if old.chain_no is not null
     or (to_jsonb(new) - 'chain_no' - 'prev_hash' - 'hash') is distinct
       from (to_jsonb(old) - 'chain_no' - 'prev_hash' - 'hash') then
    raise exception 'operate_log is append-only' using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;

-- As before, from the last entry that was exported on.
create or replace function operate_log_broken_at() returns bigint language sql stable as $$
  with chained as (
    select l.chain_no, l.prev_hash, l.hash,
      lag(l.hash, 1, k.cut_hash) over (order by l.chain_no) as expected_prev,
      lag(l.chain_no, 1, k.cut_no) over (order by l.chain_no) as last_no,
      sha256(l.prev_hash || convert_to(operate_log_content(l), 'UTF8')) as digest
    from operate_log l, log_chain k where l.chain_no > k.cut_no
  ), broken as (
    select min(c.chain_no) as at
    from chained c
    where c.prev_hash <> c.expected_prev or c.hash <> c.digest or c.chain_no <> c.last_no + 1
  ), ended as (
    select max(c.chain_no) as no
    from chained c
  )
  select coalesce(b.at, case when k.last_no <> coalesce(e.no, k.cut_no) then k.last_no end)
  from broken b, log_chain k, ended e
$$;

-- What was noted of a call outlives it.
alter table follow_up drop constraint follow_up_call_id_fkey;
alter table follow_up add constraint follow_up_call_id_fkey
  foreign key (call_id) references call_log (id) on delete set null;
alter table tele_record drop constraint tele_record_call_id_fkey;
alter table tele_record add constraint tele_record_call_id_fkey
  foreign key (call_id) references call_log (id) on delete set null;
create index tele_record_call on tele_record (call_id) where call_id is not null;

-- The oldest are asked for each day.
create index call_log_started on call_log (started_at);
create index message_log_at on message_log (at);
create index order_status_log_noted on order_status_log (at) where note is not null;
