/**
 * One agency against its weight, and its departments, groups, people and stages: their open cases,
 * and the results of the range.
 */
import { type RawBuilder, sql } from 'kysely'
import type {
  agencyDetail as call,
  listAgencyLines as linesCall,
} from '#shared/collection/figures-api.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { DEFAULT_PAGE_SIZE } from '#shared/kernel/page.ts'
import { INVALID_FIELDS, NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { casesInScope } from '../case-scope.ts'
import { isOnDuty, isOnline } from '../setup/duty.ts'
import { agenciesInScope, peopleInScope } from '../setup/unit-scope.ts'
import {
  BILL_PLACE,
  checkRange,
  factsInScope,
  inRange,
  inUnits,
  type PlaceColumns,
  rateOf,
} from './figure-parts.ts'

type Answer = DataOf<typeof call>
type Line = Answer['people'][number]
type Measures = Omit<Line, 'id' | 'name' | 'unitName'>

const CASE_PLACE: PlaceColumns = {
  agency: 'c.agency_id',
  department: 'c.department_id',
  group: 'c.group_id',
  collector: 'c.collector_id',
  stage: 'c.stage_id',
}
const GIVEN_PLACE: PlaceColumns = {
  agency: 'm.to_agency_id',
  department: 'm.to_department_id',
  group: 'm.to_group_id',
  collector: 'm.to_user_id',
  stage: 'm.to_stage',
}
const GIVEN = sql.raw('m.to_user_id is not null and m.to_user_id is distinct from m.from_user_id')
const LEVELS = ['department', 'group', 'collector', 'stage'] as const
type Level = (typeof LEVELS)[number]

/**
 * @throws Problem G404 for an agency outside the caller's scope, G-FIELD for an invalid range of days
 */
export async function agencyFigures(
  db: Db,
  actor: StaffActor,
  input: InputOf<typeof call>,
): Promise<Answer> {
  checkRange(input)
  const { rows: agencies } = await sql<{
    id: string
    name: string
    in_house: boolean
    status: string
    weight: number
    now: string
  }>`
    select a.id, a.name, a.in_house, a.status, a.weight, clock_timestamp() as now from agency a
      where a.id = ${input.agencyId} and ${agenciesInScope(actor)}`.execute(db)
  const agency = agencies[0]
  if (!agency) throw new Problem(NOT_FOUND)
  const sums = new Map(
    (await measuresOf(db, actor, input)).map((row) => [`${row.level} ${row.key}`, row]),
  )
  const people = await peopleOf(db, actor, input.agencyId)
  const names = await unitsOf(db, actor, input)
  const heads = headsOf(people)
  const measured = (level: string, key: string): Measures =>
    measuresFrom(sums.get(`${level} ${key}`), heads.get(`${level} ${key}`))
  const lines = (
    level: Level,
    list: readonly { id: string; name: string; unitName: string | null }[],
  ): Line[] =>
    list
      .map(({ id, name, unitName }) => ({ id, name, unitName, ...measured(level, id) }))
      .toSorted(
        (a, b) =>
          b.recovered - a.recovered || b.outstanding - a.outstanding || (a.name < b.name ? -1 : 1),
      )
  // money of a person who left stays with the agency
  const known = new Set(people.map(({ id }) => id))
  const left = await leftPeople(
    db,
    [...sums.values()].flatMap((row) =>
      row.level === 'collector' && row.key !== null && !known.has(row.key) ? [row.key] : [],
    ),
  )
  return {
    agency: {
      agencyId: agency.id,
      name: agency.name,
      inHouse: agency.in_house,
      status: agency.status,
      weight: agency.weight,
      ...measured('all', 'null'),
    },
    actualShare: await shareOf(db, actor, input),
    departments: lines(
      'department',
      names.filter(({ level }) => level === 'department'),
    ),
    groups: lines(
      'group',
      names.filter(({ level }) => level === 'group'),
    ),
    people: lines('collector', [
      ...people.map(({ id, name, group_name: unitName }) => ({ id, name, unitName })),
      ...left,
    ]),
    stages: names
      .filter(({ level }) => level === 'stage')
      .map(({ id, name }) => ({ id, name, unitName: null, ...measured('stage', id) })),
    asOf: agency.now,
  }
}

/**
 * One kind of parts, largest recovery first, for a file.
 * @throws Problem as above, G-FIELD for another order
 */
export async function agencyLines(
  db: Db,
  actor: StaffActor,
  { level, pageNum = 1, pageSize = DEFAULT_PAGE_SIZE, sort, ...input }: InputOf<typeof linesCall>,
): Promise<DataOf<typeof linesCall>> {
  if (sort !== undefined) throw new Problem(INVALID_FIELDS, {}, { fields: { sort: 'unknown' } })
  const answer = await agencyFigures(db, actor, input)
  return {
    rows: answer[level].slice((pageNum - 1) * pageSize, pageNum * pageSize),
    total: answer[level].length,
    asOf: answer.asOf,
  }
}

interface Sum {
  level: Level | 'all'
  key: string | null
  open_cases: number
  outstanding: number
  given: number
  given_amount: number
  recovered: number
  commission: number
}

/** All levels of the three kinds of facts in one statement. */
async function measuresOf(db: Db, actor: StaffActor, input: InputOf<typeof call>): Promise<Sum[]> {
  const sets = (place: PlaceColumns) =>
    sql.raw(LEVELS.map((level) => `(${place[level]})`).join(', '))
  const levelOf = (place: PlaceColumns) =>
    sql.raw(`
      case ${LEVELS.map((level) => `when grouping(${place[level]}) = 0 then '${level}'`).join(' ')}
        else 'all'
      end as level,
      coalesce(${LEVELS.map((level) => place[level]).join(', ')}) as key`)
  const units = (place: PlaceColumns) =>
    sql`
      ${inUnits(place, { agencyId: input.agencyId, stageId: input.stageId })}
        and ${factsInScope(actor, place)}`
  const { rows } = await sql<Sum>`
    with open as (
      select ${levelOf(CASE_PLACE)}, count(*)::int as n, sum(c.outstanding)::bigint as amount
        from collection_case c where c.state in ('unallocated', 'allocating', 'allocated', 'promised')
        and ${units(CASE_PLACE)} and ${casesInScope(actor)}
      group by grouping sets (${sets(CASE_PLACE)}, ())
    ), given as (
      select g.level, g.key, count(*)::int as n, sum(g.amount)::bigint as amount from (
        select ${levelOf(GIVEN_PLACE)}, m.case_id, max(coalesce(m.outstanding, 0)) as amount
          from case_allocation m where ${GIVEN} and ${inRange('m.at', input)} and ${units(GIVEN_PLACE)}
        group by grouping sets (
          ${sql.raw(LEVELS.map((level) => `(${GIVEN_PLACE[level]}, m.case_id)`).join(', '))}, (m.case_id)
        )
      ) g group by g.level, g.key
    ), paid as (
      select ${levelOf(BILL_PLACE)}, sum(b.amount)::bigint as amount,
        sum(b.commission)::bigint as commission from recovery_bill b where ${inRange('b.paid_at', input)}
        and ${units(BILL_PLACE)} group by grouping sets (${sets(BILL_PLACE)}, ())
    ), keys as (
      select level, key from open union select level, key from given union select level, key from paid
    )
    select k.level, k.key, coalesce(o.n, 0) as open_cases, coalesce(o.amount, 0) as outstanding,
      coalesce(g.n, 0) as given, coalesce(g.amount, 0) as given_amount, coalesce(p.amount, 0) as recovered,
      coalesce(p.commission, 0) as commission
    from keys k left join open o on o.level = k.level and o.key is not distinct from k.key left
      join given g on g.level = k.level and g.key is not distinct from k.key left
      join paid p on p.level = k.level and p.key is not distinct from k.key`.execute(db)
  return rows
}

interface Heads {
  collectors: number
  online: number
  onDuty: number
}
interface Person {
  id: string
  name: string
  department_id: string | null
  group_id: string | null
  group_name: string | null
  stage_ids: string[]
  online: boolean
  on_duty: boolean
}

async function peopleOf(db: Db, actor: StaffActor, agencyId: string): Promise<Person[]> {
  const { rows } = await sql<Person>`
    select u.id, u.user_name as name, u.department_id, u.group_id, g.name as group_name, k.stage_ids,
      ${isOnline('u.id')} as online, ${isOnDuty('u.id')} as on_duty
    from collector k join sys_user u on u.id = k.user_id left join team_group g on g.id = u.group_id
      where u.agency_id = ${agencyId} and ${peopleInScope(actor)}`.execute(db)
  return rows
}

/** People with facts here who belong elsewhere now: their names, no unit. */
async function leftPeople(
  db: Db,
  ids: readonly string[],
): Promise<{ id: string; name: string; unitName: null }[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{
    id: string
    name: string
  }>`select u.id, u.user_name as name from sys_user u where u.id = any(${[...ids]}::text[])`.execute(
    db,
  )
  return rows.map((row) => ({ ...row, unitName: null }))
}

function headsOf(people: readonly Person[]): Map<string, Heads> {
  const heads = new Map<string, Heads>()
  for (const person of people) {
    for (const key of [
      'all null',
      `department ${person.department_id}`,
      `group ${person.group_id}`,
      `collector ${person.id}`,
      ...person.stage_ids.map((stage) => `stage ${stage}`),
    ]) {
      const { collectors, online, onDuty } = heads.get(key) ?? {
        collectors: 0,
        online: 0,
        onDuty: 0,
      }
      heads.set(key, {
        collectors: collectors + 1,
        online: online + Number(person.online),
        onDuty: onDuty + Number(person.on_duty),
      })
    }
  }
  return heads
}

async function unitsOf(
  db: Db,
  actor: StaffActor,
  { agencyId, stageId }: InputOf<typeof call>,
): Promise<{ level: Level; id: string; name: string; unitName: string | null }[]> {
  const own = (
    column: string,
    value: string | null,
    scopes: readonly string[],
  ): RawBuilder<boolean> =>
    scopes.includes(actor.rights.scope)
      ? sql<boolean>`${sql.ref(column)} = ${value}`
      : sql<boolean>`true`
  const { rows } = await sql<{ level: Level; id: string; name: string; unitName: string | null }>`
    select 'department' as level, d.id, d.name, null as "unitName", 0 as n from department d
      where d.agency_id = ${agencyId} and ${own('d.id', actor.rights.departmentId, ['department', 'group'])}
    union all select 'group', g.id, g.name, d.name, 0 from team_group g
      join department d on d.id = g.department_id where g.agency_id = ${agencyId}
      and ${own('g.department_id', actor.rights.departmentId, ['department'])}
      and ${own('g.id', actor.rights.groupId, ['group'])}
    union all
    select 'stage', s.stage_id, s.stage_id, null, s.min_days
    from stage s
    where s.status = 'enabled'
      and ${stageId === undefined ? sql`true` : sql`s.stage_id = any(${stageId.split(',')}::text[])`}
    order by 1, 5, 3`.execute(db)
  return rows.map(({ level, id, name, unitName }) => ({ level, id, name, unitName }))
}

function measuresFrom(sum: Sum | undefined, heads: Heads | undefined): Measures {
  const { recovered = 0, given_amount: allocatedAmount = 0 } = sum ?? {}
  return {
    collectors: heads?.collectors ?? 0,
    online: heads?.online ?? 0,
    onDuty: heads?.onDuty ?? 0,
    openCases: sum?.open_cases ?? 0,
    outstanding: sum?.outstanding ?? 0,
    allocatedCases: sum?.given ?? 0,
    allocatedAmount,
    recovered,
    recoveryRate: recovered < 0 ? null : rateOf(recovered, allocatedAmount),
    commission: sum?.commission ?? 0,
  }
}

/**
 * A share of cases, without amounts of other agencies: what the agency should have by its weight.
 */
async function shareOf(
  db: Db,
  actor: StaffActor,
  input: InputOf<typeof call>,
): Promise<number | null> {
  if (actor.rights.scope !== 'all' && actor.rights.scope !== 'agency') return null
  const { rows } = await sql<{ own: number; all_of: number }>`
    select count(distinct m.case_id) filter (where m.to_agency_id = ${input.agencyId})::int as own,
      count(distinct (m.case_id, m.to_agency_id))::int as all_of
    from case_allocation m where ${GIVEN} and ${inRange('m.at', input)}
      and ${inUnits(GIVEN_PLACE, { stageId: input.stageId })}`.execute(db)
  const { own = 0, all_of: all = 0 } = rows[0] ?? {}
  return rateOf(own, all)
}
