/** What the allocation desk shows: the pool, everyone who could work, and the runs. */
import { sql } from 'kysely'
import type {
  allocationDesk as deskCall,
  listRuns as runsCall,
} from '#shared/collection/allocation-api.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { DEFAULT_PAGE_SIZE, TOTAL_CAP } from '#shared/kernel/page.ts'
import { addDays, istClock, istDay } from '#shared/kernel/time.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import type { Parameters } from '#gateway/manage/kernel/parameters.ts'
import { isoTime, sortOf } from '#gateway/manage/kernel/list-parts.ts'
import { IST_MIDNIGHT } from '../cases/case-row.ts'
import { agenciesInScope } from '../setup/unit-scope.ts'
import {
  type AllocationUnit,
  candidates,
  excludedCases,
  isInUnit,
  isOfUnit,
  unitOf,
} from './allocation-facts.ts'
import { slotAfter } from './allocation-slots.ts'
import { slotsOfDay } from './auto-allocate-job.ts'
import { lineOf } from './preview.ts'
import { RUN_COLUMNS, type RunRow } from './run-store.ts'

type Desk = DataOf<typeof deskCall>

/** The desk now: pool by stage, and every collector with load and flags. */
export async function allocationDesk(
  db: Db,
  actor: StaffActor,
  parameters: Parameters,
): Promise<Desk> {
  const unit = unitOf(actor)
  const { rows: pool } = await sql<Desk['pool'][number]>`
    select s.stage_id as "stageId", coalesce(p.cases, 0) as cases, coalesce(p.amount, 0)::bigint as amount,
      p.oldest as "oldestTime", s.allocation_state as "allocationState", s.mode,
      (select r.started_by_name from allocation_run r where r.state in ('running', 'paused')
        and s.stage_id = any(r.stage_ids) limit 1) as "runBy"
    from stage s left join (select c.stage_id, count(*)::int as cases, sum(c.outstanding) as amount,
      min(c.waiting_since) as oldest from collection_case c where c.state = 'unallocated'
      and ${isInUnit(unit, 'c')} group by c.stage_id) p on p.stage_id = s.stage_id
    where s.status = 'enabled' order by s.min_days`.execute(db)
  const { rows: agencies } = await sql<Desk['agencies'][number]>`
    select a.id as "agencyId", a.name, a.weight, a.status, a.in_house as "inHouse", a.version,
      (select count(*)::int from collection_case c where c.agency_id = a.id
      and c.state in ('allocated', 'promised')) as cases
    from agency a where ${agenciesInScope(actor)} order by a.name, a.id`.execute(db)
  const { rows: plans } = await sql<NonNullable<Desk['plan']>>`
    select p.id as "planId", p.version, p.created_by_name as "createdByName", p.expires_at as "expireTime"
      from allocation_plan p
    where p.expires_at > clock_timestamp() and ${isOfUnit(actor, 'p')}
      and not exists (select 1 from allocation_run r where r.plan_id = p.id) order by p.updated_at desc
      limit 1`.execute(db)
  const { rows: clock } = await sql<{ now: string }>`select clock_timestamp() as now`.execute(db)
  const { now } = clock[0] as { now: string }
  const { lockedAgency, held, blacklisted } = await excludedCases(
    db,
    unit,
    pool.map((one) => one.stageId),
    'unallocated',
  )
  return {
    pool,
    excluded: { lockedAgency, held, blacklisted },
    agencies,
    lines: (await candidates(db, unit)).map((person) => lineOf(person)),
    work: await workOf(db, unit),
    nextRunTime: nextRun(await slotsOfDay(parameters), now),
    plan: plans[0] ?? null,
    asOf: now,
  }
}

/** Days over which promises are counted, today included; the same window as a person's recovery. */
const WEEK_DAYS = 7

async function workOf(db: Db, unit: AllocationUnit): Promise<Desk['work']> {
  const { rows } = await sql<Desk['work'][number]>`
    select u.id as "collectorId", coalesce(c.n, 0) as contacted, coalesce(p.kept, 0) as kept,
      coalesce(p.judged, 0) as judged, ${isoTime('greatest(f.at, l.at)')} as "lastTime"
    from collector k join sys_user u on u.id = k.user_id
      left join (select c.collector_id, count(*)::int as n from collection_case c
        where c.state in ('allocated', 'promised') and c.last_follow_at >= ${IST_MIDNIGHT}
        group by c.collector_id) c on c.collector_id = u.id
      left join (
        select p.collector_id, count(*)::int as judged,
          count(*) filter (where p.state <> 'broken')::int as kept
        from case_promise p where p.state in ('kept', 'keptPart', 'broken')
          and p.settled_at >= ${IST_MIDNIGHT} - make_interval(days => ${WEEK_DAYS - 1})
          group by p.collector_id
      ) p on p.collector_id = u.id
      left join (select f.operator_id, max(f.created_at) as at from follow_up f
        where f.created_at >= ${IST_MIDNIGHT} group by f.operator_id) f on f.operator_id = u.id
      left join (select l.user_id, max(l.started_at) as at from call_log l where l.kind = 'case'
        and l.started_at >= ${IST_MIDNIGHT} group by l.user_id) l on l.user_id = u.id
    where ${isInUnit(unit, 'u')}`.execute(db)
  return rows
}

/** When the scheduled allocation reads the pool next; null when it is switched off. */
function nextRun(slots: readonly string[], now: string): string | null {
  const clock = istClock(now).slice(0, 5)
  const today = slotAfter(slots, clock)
  const slot = today ?? slots[0]
  return slot === undefined
    ? null
    : new Date(
        `${today === null ? addDays(istDay(now), 1) : istDay(now)}T${slot}:00+05:30`,
      ).toISOString()
}

const SORTS = {
  startTime: 'r.started_at',
  finishTime: 'r.finished_at',
  total: 'r.total',
  state: 'r.state',
}

export async function listRuns(
  db: Db,
  actor: StaffActor,
  input: InputOf<typeof runsCall>,
): Promise<DataOf<typeof runsCall>> {
  const size = input.pageSize ?? DEFAULT_PAGE_SIZE
  const where = sql`
    ${isOfUnit(actor, 'r')} and (${input.stageId ?? null}::text is null
      or ${input.stageId ?? null}::text = any(r.stage_ids))
      and (${input.state ?? null}::text is null or r.state = ${input.state ?? null})
    and (${input.timeFrom ?? null}::timestamptz is null
      or r.started_at >= ${input.timeFrom ?? null}::timestamptz)
      and (${input.timeTo ?? null}::timestamptz is null
      or r.started_at <= ${input.timeTo ?? null}::timestamptz)`
  const { rows } = await sql<RunRow>`
      select ${RUN_COLUMNS} from allocation_run r where ${where}
        order by ${sortOf(input.sort, SORTS, 'startTime:desc', 'r.id desc')}
        limit ${size} offset ${((input.pageNum ?? 1) - 1) * size}`.execute(db)
  const { rows: counted } = await sql<{
    n: number
    now: string
  }>`
    select count(*)::int as n, clock_timestamp() as now
    from (select from allocation_run r where ${where} limit ${TOTAL_CAP + 1}) t`.execute(db)
  const { n, now } = counted[0] as { n: number; now: string }
  return {
    rows,
    total: Math.min(n, TOTAL_CAP),
    ...(n > TOTAL_CAP ? { totalCapped: true } : {}),
    asOf: now,
  }
}
