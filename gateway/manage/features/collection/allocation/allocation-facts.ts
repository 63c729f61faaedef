/** Facts of an allocation: which cases wait, who could take them, and why a person gets nothing. */
import { type RawBuilder, sql } from 'kysely'
import type { AllocationMode, SkipReason } from '#shared/collection/collection-sets.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { Actor } from '#gateway/manage/kernel/actor.ts'
import type { CasePlace } from '../case-store.ts'
import { AGENCY_WORKS, IS_CERTIFIED, IS_ENABLED, isOnDuty, TODAY } from '../setup/duty.ts'
import { barredPeople } from '../upheld-complaints.ts'

/**
 * Whose cases and people an allocation covers. A run stores it, because its job acts without the
 * rights of the user who started it.
 */
export interface AllocationUnit {
  kind: 'all' | 'agency' | 'department' | 'group'
  /** Null for `all`; null otherwise = a person whose scope names a unit they lack: nothing. */
  id: string | null
}

/** Units of the caller; for the system all. */
export function unitOf({ rights }: Actor): AllocationUnit {
  switch (rights?.scope) {
    case undefined:
    case 'all':
      return { kind: 'all', id: null }
    case 'agency':
      return { kind: 'agency', id: rights?.agencyId ?? null }
    case 'department':
      return { kind: 'department', id: rights?.departmentId ?? null }
    case 'group':
      return { kind: 'group', id: rights?.groupId ?? null }
    case 'own':
    case 'queue':
      return { kind: 'group', id: null }
  }
}

/** Rows of a table (`c` cases, `u` people) inside the unit, as a predicate. */
export function isInUnit({ kind, id }: AllocationUnit, table: 'c' | 'u'): RawBuilder<boolean> {
  return kind === 'all'
    ? sql<boolean>`true`
    : sql<boolean>`${sql.ref(`${table}.${kind}_id`)} = ${id}`
}

/**
 * Plans and runs the caller may see and steer, as a predicate over `allocation_plan p` or
 * `allocation_run r`: all, or those of the own unit.
 */
export function isOfUnit(actor: Actor, table: 'p' | 'r'): RawBuilder<boolean> {
  const { kind, id } = unitOf(actor)
  return kind === 'all'
    ? sql<boolean>`true`
    : sql<boolean>`(${sql.ref(`${table}.unit_kind`)} = ${kind} and ${sql.ref(`${table}.unit_id`)} = ${id})`
}

/** Place of a case of the unit that has no holder. */
export async function placeOfUnit(db: Db, { kind, id }: AllocationUnit): Promise<CasePlace> {
  const { rows } = await sql<CasePlace>`
    select null::text as collector_id, coalesce(g.agency_id, d.agency_id, a.id) as agency_id,
      coalesce(g.department_id, d.id) as department_id, g.id as group_id
    from (select 1) x left join agency a on a.id = ${kind === 'agency' ? id : null} left
      join department d on d.id = ${kind === 'department' ? id : null} left
      join team_group g on g.id = ${kind === 'group' ? id : null}`.execute(db)
  return rows[0] as CasePlace
}

export interface CaseFilters {
  overdueFrom?: number
  overdueTo?: number
  amountFrom?: number
  amountTo?: number
}

export interface WaitingCase extends CasePlace {
  id: string
  /** Paise. */
  amount: number
  /** People it must not be given to. */
  barred: readonly string[]
}

const IS_STOPPED = sql<boolean>`
  exists (select 1 from stop_collection x where x.customer_id = c.customer_id and x.state = 'active')`
const IS_BLACKLISTED = sql<boolean>`
  exists (select 1 from blacklist b where b.customer_id = c.customer_id and b.ended_at is null)`
const IS_LOCKED_AWAY = sql<boolean>`
  exists (select 1 from agency a where a.id = c.agency_id and not ${AGENCY_WORKS})`
/** Closed for new cases: the holder keeps what they have. */
const IS_KEPT = sql<boolean>`
  exists (
    select 1
    from sys_user h
    where h.id = c.collector_id and not h.allocation_flag and h.status in ('enabled', 'normal')
  )`

/** Rows of one statement: a large stage must not block other statements. */
const PAGE = 5_000
const NOBODY: readonly string[] = []

/**
 * Cases of a stage that an allocation deals: those of the pool, with `all` also the allocated ones.
 * Promised cases and cases of stopped or blacklisted customers or locked agencies are left alone.
 */
export async function waitingCases(
  db: Db,
  unit: AllocationUnit,
  stageId: string,
  {
    scope,
    filters,
    caseIds,
  }: { scope: 'unallocated' | 'all'; filters: CaseFilters; caseIds?: readonly string[] },
): Promise<WaitingCase[]> {
  const all: RawBuilder<unknown>[] = [
    sql`c.stage_id = ${stageId}`,
    isInUnit(unit, 'c'),
    scope === 'all'
      ? sql`(c.state = 'unallocated' or (c.state = 'allocated' and not ${IS_KEPT}))`
      : sql`c.state = 'unallocated'`,
    sql`not ${IS_STOPPED}`,
    sql`not ${IS_BLACKLISTED}`,
    sql`(c.state = 'allocated' or not ${IS_LOCKED_AWAY})`,
  ]
  if (filters.overdueFrom !== undefined) all.push(sql`c.overdue_days >= ${filters.overdueFrom}`)
  if (filters.overdueTo !== undefined) all.push(sql`c.overdue_days <= ${filters.overdueTo}`)
  if (filters.amountFrom !== undefined) all.push(sql`c.outstanding >= ${filters.amountFrom}`)
  if (filters.amountTo !== undefined) all.push(sql`c.outstanding <= ${filters.amountTo}`)
  if (caseIds !== undefined) all.push(sql`c.id = any(${[...caseIds]}::text[])`)
  const where = sql.join(all, sql` and `)
  const barred = await barredPeople(
    db,
    sql<boolean>`c.stage_id = ${stageId} and c.state in ('unallocated', 'allocated')`,
  )
  const cases: WaitingCase[] = []
  for (let last = ''; ;) {
    const { rows } = await sql<Omit<WaitingCase, 'barred'>>`
      select c.id, c.outstanding as amount, c.agency_id, c.department_id, c.group_id, c.collector_id
        from collection_case c where ${where} and c.id > ${last} order by c.id limit ${PAGE}`.execute(
      db,
    )
    for (const row of rows) cases.push({ ...row, barred: barred.get(row.id) ?? NOBODY })
    if (rows.length < PAGE) return cases
    last = rows.at(-1)?.id ?? ''
  }
}

export interface Excluded {
  lockedAgency: number
  held: number
  blacklisted: number
  promisedKept: number
}

/** Cases an allocation leaves alone, by reason. */
export async function excludedCases(
  db: Db,
  unit: AllocationUnit,
  stageIds: readonly string[],
  scope: 'unallocated' | 'all',
): Promise<Excluded> {
  // each part uses its own index: one condition would read every case of the stages
  const inStages = sql`c.stage_id = any(${[...stageIds]}::text[]) and ${isInUnit(unit, 'c')}`
  const { rows } = await sql<Excluded>`
    select (select count(*)::int from agency a join collection_case c on c.agency_id = a.id
      and c.state = 'unallocated' where not ${AGENCY_WORKS} and ${inStages}) as "lockedAgency",
      (select count(*)::int from collection_case c where c.state = 'held' and c.end_reason is null
        and ${inStages}) as held,
      (select count(*)::int from blacklist b join collection_case c on c.customer_id = b.customer_id
        and c.state = 'unallocated' where b.ended_at is null and ${inStages}) as blacklisted,
      (select count(*)::int from collection_case c where ${scope === 'all'} and c.state = 'promised'
        and ${inStages}) as "promisedKept"`.execute(db)
  return rows[0] as Excluded
}

export interface Candidate {
  agencyId: string
  agencyName: string
  agencyStatus: string
  departmentId: string | null
  departmentName: string | null
  groupId: string | null
  groupName: string | null
  collectorId: string
  collectorName: string
  stageIds: string[]
  weight: number
  /** Recovery of the last seven days relative to that of all, 1 = the same. */
  recovery: number
  capacity: number
  now: number
  nowAmount: number
  /** Open cases by stage. */
  nowByStage: Record<string, number>
  onDuty: boolean
  /** Why the person gets nothing; empty = may be given cases. */
  flags: SkipReason[]
}

/** Every collector of the unit, with their load and what prevents further cases. */
export async function candidates(db: Db, unit: AllocationUnit): Promise<Candidate[]> {
  const { rows } = await sql<
    Omit<Candidate, 'flags' | 'recovery'> & {
      enabled: boolean
      open: boolean
      certified: boolean
      recovered: number
      isAway: boolean
    }
  >`
    with held as (
      select h.collector_id, sum(h.amount)::bigint as amount, json_object_agg(h.stage_id, h.n) as by_stage
      from (select c.collector_id, c.stage_id, count(*)::int as n, sum(c.outstanding) as amount
        from collection_case c where c.state in ('allocated', 'promised')
        group by c.collector_id, c.stage_id) h group by h.collector_id
    ), paid as (
      select c.collector_id, sum(c.recovered)::bigint as recovered from collection_case c
        where c.paid_on > ${TODAY} - 7 and c.collector_id is not null group by c.collector_id
    )
    select u.agency_id as "agencyId", a.name as "agencyName", a.status as "agencyStatus",
      not ${AGENCY_WORKS} as "isAway", u.department_id as "departmentId", d.name as "departmentName",
      u.group_id as "groupId", t.name as "groupName", u.id as "collectorId", u.user_name as "collectorName",
      k.stage_ids as "stageIds", k.weight, k.capacity, k.open_cases as now, coalesce(h.amount,
        0)::bigint as "nowAmount", coalesce(h.by_stage, '{}') as "nowByStage",
        ${isOnDuty('u.id')} as "onDuty", ${IS_ENABLED} as enabled, u.allocation_flag as open,
      ${IS_CERTIFIED} is true as certified, coalesce(r.recovered, 0)::bigint as recovered
    from collector k join sys_user u on u.id = k.user_id join agency a on a.id = u.agency_id left
      join department d on d.id = u.department_id left join team_group t on t.id = u.group_id left
      join held h on h.collector_id = u.id left join paid r on r.collector_id = u.id
    where ${isInUnit(unit, 'u')} order by a.name, d.name nulls last, t.name nulls last, u.user_name, u.id`.execute(
    db,
  )
  const recovered = rows.reduce((sum, row) => sum + row.recovered, 0)
  const worked = rows.reduce((sum, row) => sum + row.recovered + row.nowAmount, 0)
  const mean = worked === 0 ? 0 : recovered / worked
  return rows.map(({ enabled, open, certified, recovered: own, isAway, ...person }) => ({
    ...person,
    recovery:
      mean === 0 || own + person.nowAmount === 0 ? 1 : own / (own + person.nowAmount) / mean,
    flags: [
      ...(enabled ? [] : ['disabled' as const]),
      ...(open ? [] : ['closed' as const]),
      ...(person.onDuty ? [] : ['offDuty' as const]),
      ...(certified ? [] : ['certExpired' as const]),
      ...(isAway
        ? [person.agencyStatus === 'enabled' ? ('termEnded' as const) : ('locked' as const)]
        : []),
      ...(person.now < person.capacity ? [] : ['atCap' as const]),
    ],
  }))
}

export interface StageTerms {
  id: string
  mode: AllocationMode
  /** Most cases of the stage one person may have. */
  capacity: number
}

/** The enabled stages among those named, in the order in which a borrower passes them. */
export async function stagesOf(db: Db, stageIds: readonly string[]): Promise<StageTerms[]> {
  const { rows } = await sql<StageTerms>`
      select s.stage_id as id, s.mode, s.capacity from stage s
        where s.stage_id = any(${[...stageIds]}::text[]) and s.status = 'enabled' order by s.min_days`.execute(
    db,
  )
  return rows
}

/**
 * Agencies whose weights total 100. One whose term is over is included; its part goes to the
 * agencies that can take it.
 */
export async function enabledAgencies(
  db: Db,
): Promise<{ id: string; name: string; weight: number }[]> {
  const { rows } = await sql<{
    id: string
    name: string
    weight: number
  }>`select a.id, a.name, a.weight from agency a where a.status = 'enabled' order by a.name, a.id`.execute(
    db,
  )
  return rows
}
