-- What every command writes beside its own rows: events, the operate log, idempotency answers and
-- notifications.

-- An event is written in the command's transaction. `pos` follows the row locks, so the order per
-- entity is the order of its versions. The one relay gives `seq` after the commit, without gaps.
create table outbox_event (
  pos bigint generated always as identity primary key,
  id text not null default gen_random_uuid()::text,
  type text not null,
  subject text not null,
  rooms text[] not null,
  data jsonb not null,
  actor_id text,
  actor_name text,
  client_id text,
  entity_version int,
  recheck boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  seq bigint,
  published_at timestamptz,
  written_in xid8 default pg_current_xact_id()
);
create unique index outbox_event_seq on outbox_event (seq) where seq is not null;
create index outbox_event_waiting on outbox_event (pos) where seq is null;
create index outbox_event_published on outbox_event (published_at) where seq is not null;

create table relay_state (
  only_row boolean primary key default true check (only_row),
  last_seq bigint not null default 0
);
insert into relay_state default values;

-- Numbers committed, waiting events in order and without a gap. The lock admits one relay at a
-- time. Inside a function each statement sees what was committed before it, so rows that the caller
-- before has numbered are not seen as waiting.
create function relay_publish(most int) returns setof outbox_event language plpgsql as $$
declare
  first_seq bigint;
  given int;
begin
  perform pg_advisory_xact_lock(7001);
  select r.last_seq into first_seq from relay_state r;
  return query
    with waiting as (
      select e.pos from outbox_event e where e.seq is null order by e.pos limit most
    ), numbered as (
      select w.pos, row_number() over (order by w.pos) as n from waiting w
    ), published as (
      update outbox_event e set seq = first_seq + n.n, published_at = clock_timestamp() from numbered n
        where e.pos = n.pos returning e.*
    )
    select p.* from published p order by p.seq;
  get diagnostics given = row_count;
  if given > 0 then
    update relay_state set last_seq = first_seq + given;
    perform pg_notify('feed', (first_seq + given)::text);
  end if;
end $$;

create table idempotency_key (
  user_id text not null,
  route text not null,
  key text not null,
  request_hash bytea not null,
  -- the answer as text, so that a repeated request gets it byte for byte
  response text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (user_id, route, key)
);
create index idempotency_key_created on idempotency_key (created_at);

-- Commands write rows without a chain; the sealer numbers and chains committed rows in order, so
-- that writers never queue for one tail. A sealed row never changes again, and the product deletes
-- no row.
create table operate_log (
  id bigint generated always as identity primary key,
  time timestamptz not null default clock_timestamp(),
  user_id text,
  user_name text,
  role_mark text,
  menu text,
  action text not null,
  target_kind text,
  target_id text,
  before jsonb,
  after jsonb,
  result text not null,
  ip text,
  agent text,
  request_id text,
  chain_no bigint,
  prev_hash bytea,
  hash bytea,
  written_in xid8 default pg_current_xact_id()
);
create unique index operate_log_chain_no on operate_log (chain_no) where chain_no is not null;
create index operate_log_time on operate_log using brin (time);
create index operate_log_user on operate_log (user_id, time);
create index operate_log_target on operate_log (target_kind, target_id);
create index operate_log_unsealed on operate_log (id) where chain_no is null;
-- A search for the history of one record knows its id, and often neither its kind nor its day.
create index operate_log_target_id on operate_log (target_id, id);

create function operate_log_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.chain_no is not null
     or (to_jsonb(new) - 'chain_no' - 'prev_hash' - 'hash') is distinct
       from (to_jsonb(old) - 'chain_no' - 'prev_hash' - 'hash') then
    raise exception 'operate_log is append-only' using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
create trigger operate_log_append_only before update
  or delete on operate_log for each row execute function operate_log_guard();

create table log_chain (
  only_row boolean primary key default true check (only_row),
  last_no bigint not null default 0,
  last_hash bytea not null default '\x00'
);
insert into log_chain default values;

-- What the chain hashes of a record. Rows without a transaction id are hashed without that column.
create function operate_log_content(l operate_log) returns text language sql immutable as $$
  select (to_jsonb(l) - case
      when l.written_in is null then array['chain_no', 'prev_hash', 'hash', 'written_in']
      else array['chain_no', 'prev_hash', 'hash']
    end)::text
$$;

-- Chains committed log rows: hash = sha256(previous hash, row without its chain columns as
-- canonical jsonb text).
create function operate_log_seal(most int) returns int language plpgsql as $$
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
    update operate_log set chain_no = chain.last_no + 1, prev_hash = chain.last_hash, hash = digest
      where id = row_to_seal.id;
    chain.last_no := chain.last_no + 1;
    chain.last_hash := digest;
    sealed := sealed + 1;
  end loop;
  if sealed > 0 then
    update log_chain set last_no = chain.last_no, last_hash = chain.last_hash;
  end if;
  return sealed;
end $$;

-- The first number at which the chain is broken (a row edited, removed, moved or inserted), or null
-- when it is whole.
create function operate_log_broken_at() returns bigint language sql stable as $$
  with chained as (
    select l.chain_no, l.prev_hash, l.hash,
      lag(l.hash, 1, '\x00'::bytea) over (order by l.chain_no) as expected_prev,
      lag(l.chain_no, 1, 0::bigint) over (order by l.chain_no) as last_no,
      sha256(l.prev_hash || convert_to(operate_log_content(l), 'UTF8')) as digest
    from operate_log l where l.chain_no is not null
  ), broken as (
    select min(c.chain_no) as at
    from chained c
    where c.prev_hash <> c.expected_prev or c.hash <> c.digest or c.chain_no <> c.last_no + 1
  ), ended as (
    select coalesce(max(c.chain_no), 0) as no
    from chained c
  )
  select coalesce(b.at, case when k.last_no <> e.no then k.last_no end)
  from broken b, log_chain k, ended e
$$;

create sequence notification_id_seq start 10000001;
create table notification (
  id text primary key default 'N' || nextval('notification_id_seq'),
  user_id text not null references sys_user (id),
  kind text not null,
  title_key text not null,
  params jsonb not null default '{}',
  route text,
  at timestamptz not null default clock_timestamp(),
  read_at timestamptz
);
create index notification_user on notification (user_id, at desc);
create index notification_unread on notification (user_id) where read_at is null;

create table machine_key (
  id text primary key,
  name text not null unique,
  secret_enc bytea not null,
  scopes text[] not null,
  status text not null default 'enabled' check (status in ('enabled', 'disabled')),
  created_at timestamptz not null default clock_timestamp()
);

create table inbound_event (
  source text not null,
  event_id text not null,
  received_at timestamptz not null default clock_timestamp(),
  request_hash bytea not null,
  result jsonb not null,
  primary key (source, event_id)
);
create index inbound_event_received on inbound_event (received_at);
