/**
 * A pool to allocate and collectors with room for it, in addition to the book; the same for product
 * and baseline.
 */
import { sql } from 'kysely'
import type { Database } from '#gateway/manage/db/client.ts'
import { makeManyCases } from '#tests/factories/many-cases.ts'

export const POOL_CASES = 100_000
const PEOPLE = 250
const ROOM = 500

export interface Pool {
  stageId: string
  /** Prefix of the ids of its cases. */
  prefix: string
}

export async function makePool(database: Database, { stageId, prefix }: Pool): Promise<null> {
  const db = database.kysely
  // The bench allocates, not the schedule.
  await sql`update sys_config set value = '' where code = 'collection.allocationTimes'`.execute(db)
  await sql`update stage set capacity = ${ROOM} where stage_id = ${stageId}`.execute(db)
  await sql`
    with place as (
      select g.id, g.agency_id, g.department_id, row_number() over (order by g.id) - 1 as n,
        count(*) over () as all_of from team_group g join agency a on a.id = g.agency_id
        where a.status = 'enabled' and a.weight > 0
    ), made as (
      insert into sys_user (account, nickname, user_name, password_hash, role_id, agency_id, department_id,
        group_id, allocation_flag, status)
      select ${prefix} || 'collector' || k, 'Collector ' || k, 'Collector ' || k, 'none', r.id, p.agency_id,
        p.department_id, p.id, true, 'normal'
      from generate_series(1, ${PEOPLE}::int) k join place p on p.n = k % p.all_of
        join sys_role r on r.unique_mark = 'collector' returning id
    ), collectors as (
      insert into collector (user_id, stage_ids, capacity, cert_no, cert_expiry)
        select m.id, ${[stageId]}::text[], ${ROOM}, 'DRA-1', '2099-12-31' from made m
    )
    insert into duty_schedule (user_id, week_start, days)
      select m.id, date_trunc('week', (clock_timestamp() at time zone 'Asia/Kolkata'))::date + w * 7,
      array_fill('day'::text, array[7]) from made m cross join generate_series(0, 1) w`.execute(db)
  await makeManyCases({ database }, { count: POOL_CASES, stageIds: [stageId], prefix })
  // Work left over from writing the pool does not belong to the allocation.
  if (database.engine === 'pglite') await sql`checkpoint`.execute(db)
  return null
}

/** What leaders received about a run, as an event and as cases. */
export async function deliveredFor(
  database: Database,
  runId: string,
): Promise<{ events: number; most: number; cases: number }> {
  const { rows } = await sql<{ events: number; most: number; cases: number }>`
    select count(*)::int as events, max((e.data ->> 'count')::int) as most,
      sum((e.data ->> 'count')::int)::int as cases from outbox_event e where e.type = 'cases.allocated'
      and e.data ->> 'runId' = ${runId} and e.data ->> 'to' is null`.execute(database.kysely)
  return rows[0] as { events: number; most: number; cases: number }
}
