/** Collection per person, unit, stage or day: each fact counts for who had the case when it happened. One statement over the facts of the range; lines are few, so they are ranked and paged here. */
import { type RawBuilder, sql } from 'kysely'
import type { listPerformance as call } from '#shared/collection/figures-api.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { DEFAULT_PAGE_SIZE } from '#shared/kernel/page.ts'
import { INVALID_FIELDS, Problem } from '#shared/kernel/problem.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import {
  checkRange,
  factsInScope,
  inRange,
  inUnits,
  type PlaceColumns,
  rateOf,
} from './figure-parts.ts'

type Input = InputOf<typeof call>
type Answer = DataOf<typeof call>
type Row = Answer['rows'][number]
type Group = Input['groupBy']

/** A kind of fact: where it stands and when it counts. */
interface Fact {
  from: string
  at: string
  place: PlaceColumns
  where: string
}

const place = (alias: string, collector: string): PlaceColumns => ({
  agency: `${alias}.agency_id`,
  department: `${alias}.department_id`,
  group: `${alias}.group_id`,
  collector: `${alias}.${collector}`,
  stage: `${alias}.stage_id`,
})
const GIVEN: Fact = {
  from: 'case_allocation m',
  at: 'm.at',
  where: 'm.to_user_id is not null and m.to_user_id is distinct from m.from_user_id',
  place: {
    agency: 'm.to_agency_id',
    department: 'm.to_department_id',
    group: 'm.to_group_id',
    collector: 'm.to_user_id',
    stage: 'm.to_stage',
  },
}
const FOLLOWED: Fact = {
  from: 'follow_up f',
  at: 'f.created_at',
  where: 'true',
  place: place('f', 'operator_id'),
}
const CALLED: Fact = {
  from: 'call_log l',
  at: 'l.started_at',
  where: `l.kind = 'case'`,
  place: place('l', 'user_id'),
}
const PROMISED: Fact = {
  from: 'case_promise p',
  at: 'p.made_at',
  where: 'true',
  place: place('p', 'collector_id'),
}
const SETTLED: Fact = {
  from: 'case_promise p',
  at: 'p.settled_at',
  where: `p.state in ('kept', 'keptPart', 'broken')`,
  place: place('p', 'collector_id'),
}
const RECOVERED: Fact = {
  from: 'recovery_bill b',
  at: 'b.paid_at',
  where: 'true',
  place: place('b', 'collector_id'),
}
const REDUCED: Fact = {
  from: 'reduction d',
  at: 'd.used_at',
  where: 'd.used_at is not null',
  place: place('d', 'collector_id'),
}

interface Line {
  /** null = the sum of all. */
  key: string | null
  isSum: boolean
  given: number
  givenAmount: number
  contacted: number
  calls: number
  reached: number
  follows: number
  promises: number
  settled: number
  kept: number
  paidCases: number
  paid: number
  reduced: number
  firstSec: number
  firsts: number
}

/** @throws Problem G422 for days that cannot be asked for or a sort the list does not know */
export async function performance(db: Db, actor: StaffActor, input: Input): Promise<Answer> {
  checkRange(input)
  const { rows: lines } = await sql<Line & { now: string }>`${linesOf(actor, input)}`.execute(db)
  const sum = lines.find((line) => line.isSum)
  const names = await namesOf(
    db,
    input.groupBy,
    lines.flatMap((line) => (line.isSum || line.key === null ? [] : [line.key])),
  )
  const ranks =
    input.groupBy === 'collector' && actor.rights.scope === 'own'
      ? await ownRank(db, actor, input)
      : ranksOf(lines)
  const rows = lines.flatMap((line): Row[] =>
    line.isSum || line.key === null
      ? []
      : [
          {
            key: line.key,
            name: names.get(line.key)?.name ?? line.key,
            unitName: names.get(line.key)?.unit ?? null,
            ...countsOf(line),
            rank: ranks.of.get(line.key) ?? null,
          },
        ],
  )
  const sorted = sortRows(rows, input)
  const size = input.pageSize ?? DEFAULT_PAGE_SIZE
  const skip = ((input.pageNum ?? 1) - 1) * size
  return {
    rows: sorted.slice(skip, skip + size),
    total: rows.length,
    asOf: sum?.now ?? new Date().toISOString(),
    sum: countsOf(sum ?? EMPTY),
    ranked: ranks.count,
  }
}

const EMPTY: Line = {
  key: null,
  isSum: true,
  given: 0,
  givenAmount: 0,
  contacted: 0,
  calls: 0,
  reached: 0,
  follows: 0,
  promises: 0,
  settled: 0,
  kept: 0,
  paidCases: 0,
  paid: 0,
  reduced: 0,
  firstSec: 0,
  firsts: 0,
}

function countsOf(line: Line): Answer['sum'] {
  return {
    allocatedCases: line.given,
    allocatedAmount: line.givenAmount,
    contacted: line.contacted,
    calls: line.calls,
    reachRate: rateOf(line.reached, line.follows),
    followCount: line.follows,
    ptpCount: line.promises,
    ptpKeptRate: rateOf(line.kept, line.settled),
    recoveredCases: line.paidCases,
    recoveredAmount: line.paid,
    recoveryRate: line.paid < 0 ? null : rateOf(line.paid, line.givenAmount),
    reducedAmount: line.reduced,
    avgFirstContactSec: line.firsts > 0 ? Math.round(line.firstSec / line.firsts) : null,
  }
}

const KEY: Record<Exclude<Group, 'day'>, keyof PlaceColumns> = {
  collector: 'collector',
  group: 'group',
  department: 'department',
  agency: 'agency',
  stage: 'stage',
}

function keyOf(group: Group, fact: Fact): RawBuilder<string | null> {
  return group === 'day'
    ? sql.raw(`(${fact.at} at time zone 'Asia/Kolkata')::date::text`)
    : sql.ref(fact.place[KEY[group]])
}

/** Lines by key, and their sum over distinct cases. */
function linesOf(actor: StaffActor, input: Input): RawBuilder<unknown> {
  const part = (fact: Fact, measures: RawBuilder<unknown>) => sql`
    select ${keyOf(input.groupBy, fact)} as key, ${measures} from ${sql.raw(fact.from)} where ${sql.raw(fact.where)} and ${inRange(fact.at, input)} and ${factsInScope(actor, fact.place)} and ${inUnits(fact.place, input)}`
  const bySum = (inner: RawBuilder<unknown>, measures: RawBuilder<unknown>) =>
    sql`select x.key, grouping(x.key) = 1 as is_sum, ${measures} from (${inner}) x group by grouping sets ((x.key), ())`
  return sql`
    with given as (
      select g.key, g.is_sum, count(*)::int as cases, sum(g.amount)::bigint as amount
      from (select x.key, grouping(x.key) = 1 as is_sum, max(x.outstanding) as amount from (${part(GIVEN, sql`m.case_id, coalesce(m.outstanding, 0) as outstanding`)}) x group by grouping sets ((x.key, x.case_id), (x.case_id))) g group by g.key, g.is_sum
    ), followed as (
      ${bySum(part(FOLLOWED, sql`f.case_id, f.reachable, f.first_contact_sec`), sql`count(distinct x.case_id)::int as cases, count(*)::int as n, count(*) filter (where x.reachable)::int as reached, coalesce(sum(x.first_contact_sec), 0)::bigint as sec, count(x.first_contact_sec)::int as firsts`)}
    ), called as (
      ${bySum(part(CALLED, sql`l.first_contact_sec`), sql`count(*)::int as n, coalesce(sum(x.first_contact_sec), 0)::bigint as sec, count(x.first_contact_sec)::int as firsts`)}
    ), promised as (
      ${bySum(part(PROMISED, sql`1 as one`), sql`count(*)::int as n`)}
    ), settled as (
      ${bySum(part(SETTLED, sql`p.state`), sql`count(*)::int as n, count(*) filter (where x.state <> 'broken')::int as kept`)}
    ), recovered as (
      ${bySum(part(RECOVERED, sql`b.case_id, b.amount`), sql`count(distinct x.case_id)::int as cases, coalesce(sum(x.amount), 0)::bigint as amount`)}
    ), reduced as (
      ${bySum(part(REDUCED, sql`d.used_amount`), sql`coalesce(sum(x.used_amount), 0)::bigint as amount`)}
    ), keys as (
      select key, is_sum from given union select key, is_sum from followed union select key, is_sum from called union select key, is_sum from promised union select key, is_sum from settled union select key, is_sum from recovered
      union select key, is_sum from reduced
    )
    select k.key, k.is_sum as "isSum", coalesce(g.cases, 0) as given, coalesce(g.amount, 0) as "givenAmount", coalesce(f.cases, 0) as contacted, coalesce(c.n, 0) as calls, coalesce(f.reached, 0) as reached, coalesce(f.n, 0) as follows,
      coalesce(p.n, 0) as promises, coalesce(s.n, 0) as settled, coalesce(s.kept, 0) as kept, coalesce(r.cases, 0) as "paidCases", coalesce(r.amount, 0) as paid, coalesce(d.amount, 0) as reduced,
      coalesce(f.sec, 0) + coalesce(c.sec, 0) as "firstSec", coalesce(f.firsts, 0) + coalesce(c.firsts, 0) as firsts, clock_timestamp() as now
    from keys k
    ${sql.join(
      [
        'given g',
        'followed f',
        'called c',
        'promised p',
        'settled s',
        'recovered r',
        'reduced d',
      ].map((cte) => {
        const alias = cte.split(' ')[1] as string
        return sql.raw(
          `left join ${cte} on ${alias}.key is not distinct from k.key and ${alias}.is_sum = k.is_sum`,
        )
      }),
      sql` `,
    )}`
}

export interface Ranks {
  of: ReadonlyMap<string, number>
  count: number
}

/** Equal amounts share a rank, and the next one leaves a gap. */
function ranksOf(lines: readonly Pick<Line, 'key' | 'isSum' | 'paid'>[]): Ranks {
  const ranked = lines
    .filter((line) => !line.isSum && line.key !== null)
    .sort((a, b) => b.paid - a.paid)
  const of = new Map<string, number>()
  ranked.forEach((line, at) =>
    of.set(
      line.key as string,
      at > 0 && ranked[at - 1]?.paid === line.paid
        ? (of.get(ranked[at - 1]?.key as string) as number)
        : at + 1,
    ),
  )
  return { of, count: ranked.length }
}

/** Who sees only himself learns his place among his group's people, and nothing else of them (roles.md 3). */
export async function ownRank(
  db: Db,
  { userId, rights }: StaffActor,
  input: Pick<Input, 'dateFrom' | 'dateTo' | 'stageId'>,
): Promise<Ranks> {
  const { rows } = await sql<{ ahead: number; count: number }>`
    with people as (
      select u.id, coalesce((select sum(b.amount) from recovery_bill b where b.collector_id = u.id and b.group_id = ${rights.groupId} and ${inRange('b.paid_at', input)} and ${inUnits(RECOVERED.place, { stageId: input.stageId })}), 0) as paid
      from collector k join sys_user u on u.id = k.user_id where u.group_id = ${rights.groupId}
    )
    select (select count(*)::int from people p where p.paid > me.paid) as ahead, (select count(*)::int from people) as count from people me where me.id = ${userId}`.execute(
    db,
  )
  const row = rows[0]
  return row
    ? { of: new Map([[userId, row.ahead + 1]]), count: row.count }
    : { of: new Map(), count: 0 }
}

async function namesOf(
  db: Db,
  group: Group,
  keys: readonly string[],
): Promise<Map<string, { name: string; unit: string | null }>> {
  if (group === 'stage' || group === 'day' || keys.length === 0) return new Map()
  const named = {
    collector: sql`select u.id, u.user_name as name, g.name as unit from sys_user u left join team_group g on g.id = u.group_id`,
    group: sql`select u.id, u.name, d.name as unit from team_group u join department d on d.id = u.department_id`,
    department: sql`select u.id, u.name, a.name as unit from department u join agency a on a.id = u.agency_id`,
    agency: sql`select u.id, u.name, null as unit from agency u`,
  }[group]
  const { rows } = await sql<{
    id: string
    name: string
    unit: string | null
  }>`${named} where u.id = any(${[...keys]}::text[])`.execute(db)
  return new Map(rows.map(({ id, name, unit }) => [id, { name, unit }]))
}

const NUMBERS = [
  'allocatedCases',
  'allocatedAmount',
  'contacted',
  'calls',
  'reachRate',
  'followCount',
  'ptpCount',
  'ptpKeptRate',
  'recoveredCases',
  'recoveredAmount',
  'recoveryRate',
  'reducedAmount',
  'avgFirstContactSec',
  'rank',
] as const

/** Largest recovered amount first; days newest first; stages in their order. What is missing comes last. */
function sortRows(rows: Row[], { sort, groupBy }: Input): Row[] {
  const asked =
    sort ??
    (groupBy === 'day' ? 'key:desc' : groupBy === 'stage' ? 'key:asc' : 'recoveredAmount:desc')
  const keys = asked.split(',').map((part) => part.split(':') as [string, 'asc' | 'desc'])
  for (const [field] of keys)
    if (field !== 'key' && field !== 'name' && !(NUMBERS as readonly string[]).includes(field))
      throw new Problem(INVALID_FIELDS, {}, { fields: { sort: 'unknown' } })
  return rows.sort((a, b) => {
    for (const [field, direction] of keys) {
      const by = compare(a[field as keyof Row], b[field as keyof Row], direction)
      if (by !== 0) return by
    }
    return STAGES.indexOf(a.key) - STAGES.indexOf(b.key) || (a.key < b.key ? -1 : 1)
  })
}

/** Stages follow the days, not the alphabet. */
const STAGES = ['T0', 'T1', 'T2', 'S1', 'S2', 'M1', 'M2', 'M3']

function compare(
  a: string | number | null,
  b: string | number | null,
  direction: 'asc' | 'desc',
): number {
  if (a === b) return 0
  if (a === null) return 1
  if (b === null) return -1
  const [x, y] = [rankOfStage(a), rankOfStage(b)]
  return (x < y ? -1 : 1) * (direction === 'asc' ? 1 : -1)
}
function rankOfStage(value: string | number): string | number {
  return typeof value === 'string' && STAGES.includes(value) ? STAGES.indexOf(value) : value
}
