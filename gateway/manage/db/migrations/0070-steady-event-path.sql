-- The event path costs the same however long the server has been working. Two things grew:
-- statements planned while the tables were empty kept reading them whole, and each look for waiting
-- rows passed the entries of all rows published since the last vacuum.

-- Every position up to `floor_pos` is published. `sample_pos` becomes the floor when all
-- transactions older than `sample_xid` have ended and what they committed is published: younger ones
-- got higher positions.
alter table relay_state add column floor_pos bigint not null default 0;
alter table relay_state add column sample_pos bigint not null default 0;
alter table relay_state add column sample_xid xid8;

-- Numbers committed, waiting events in order and without a gap. The lock admits one relay at a
-- time. Inside a function each statement sees what was committed before it, so rows that the caller
-- before has numbered are not seen as waiting. The settings leave the planner nothing but indexes.
-- An empty look is repeated without the floor: a row may have taken its position an instant before
-- its transaction took its number.
create or replace function relay_publish(most int) returns setof outbox_event language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
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
  select r.* into relay from relay_state r;
  select s.last_value into newest_pos from outbox_event_pos_seq s;
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
      sample_pos = relay.sample_pos, sample_xid = relay.sample_xid;
    perform pg_notify('feed', (relay.last_seq + given)::text);
  end if;
end $$;

alter function operate_log_seal(int) set enable_seqscan = off;
alter function operate_log_seal(int) set enable_bitmapscan = off;

-- Tables that change all day are vacuumed by their number of changed rows, not by a share of what
-- they hold: a fifth of a million rows is a day of dead entries.
alter table relay_state set (fillfactor = 10, autovacuum_vacuum_threshold = 200,
  autovacuum_vacuum_scale_factor = 0);
alter table log_chain set (fillfactor = 10, autovacuum_vacuum_threshold = 200,
  autovacuum_vacuum_scale_factor = 0);
alter table outbox_event set (autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0.005,
  autovacuum_analyze_threshold = 5000, autovacuum_analyze_scale_factor = 0.02);
alter table operate_log set (autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0.005,
  autovacuum_analyze_threshold = 5000, autovacuum_analyze_scale_factor = 0.02);
alter table idempotency_key set (autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0.02);
alter table sys_session set (autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0.05);
alter table job set (autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0.02);
alter table collector set (autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0);
alter table review set (autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_analyze_threshold = 2000, autovacuum_analyze_scale_factor = 0.02);
alter table loan_order set (autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_analyze_threshold = 2000, autovacuum_analyze_scale_factor = 0.02);
alter table repay_plan set (autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_analyze_threshold = 2000, autovacuum_analyze_scale_factor = 0.02);
alter table repay_record set (autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_analyze_threshold = 2000, autovacuum_analyze_scale_factor = 0.02);
alter table collection_case set (autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_analyze_threshold = 2000, autovacuum_analyze_scale_factor = 0.02);
alter table recovery_bill set (autovacuum_analyze_threshold = 500, autovacuum_analyze_scale_factor = 0.02);
alter table payout_transfer set (autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_analyze_threshold = 2000, autovacuum_analyze_scale_factor = 0.02);
