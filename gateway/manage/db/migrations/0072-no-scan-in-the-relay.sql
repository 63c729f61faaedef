-- A table of one row has no index to be read by, and where scans are forbidden the planner believes
-- that reading it is very expensive: a server that compiles expensive statements then compiled each
-- call of the relay (80 ms). Its row is named by its key, and nothing is compiled.
create or replace function relay_publish(most int) returns setof outbox_event language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set jit = off
as $$
declare
  relay relay_state;
  horizon xid8;
  newest_pos bigint;
  may_sample boolean := pg_current_xact_id_if_assigned() is null;
  first_pos bigint;
  given int;
begin
  perform pg_advisory_xact_lock(7001);
  select r.* into relay from relay_state r where r.only_row;
  newest_pos := coalesce(pg_sequence_last_value('outbox_event_pos_seq'), 0);
  horizon := pg_snapshot_xmin(pg_current_snapshot());
  first_pos := relay.floor_pos;
  loop
    return query
      with waiting as materialized (
        select e.pos from outbox_event e where e.seq is null and e.pos > first_pos order by e.pos limit most
      ), numbered as (
        select w.pos, row_number() over (order by w.pos) as n from waiting w
      ), published as (
        update outbox_event e set seq = relay.last_seq + n.n, published_at = clock_timestamp()
        from numbered n
        where e.pos = n.pos returning e.*
      )
      select p.* from published p order by p.seq;
    get diagnostics given = row_count;
    exit when given > 0 or first_pos = 0;
    first_pos := 0;
  end loop;
  if given > 0 then
    if given < most and relay.sample_xid <= horizon then
      relay.floor_pos := relay.sample_pos;
      relay.sample_xid := null;
    end if;
    if relay.sample_xid is null and may_sample then
      relay.sample_pos := newest_pos;
      relay.sample_xid := pg_current_xact_id();
    end if;
    update relay_state set last_seq = relay.last_seq + given, floor_pos = relay.floor_pos,
      sample_pos = relay.sample_pos, sample_xid = relay.sample_xid where only_row;
    perform pg_notify('feed', (relay.last_seq + given)::text);
  end if;
end $$;

alter function operate_log_seal(int) set jit = off;
