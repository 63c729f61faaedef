/**
 * Results per person, unit, stage or day: each fact counts for the holder of the case when it
 * happened. One statement reads the facts of the range; the lines are few, so they are ranked and
 * paged here.
 */
import { sql } from 'kysely'
import type { listPerformance as call } from '#shared/collection/figures-api.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { DEFAULT_PAGE_SIZE } from '#shared/kernel/page.ts'
import { INVALID_FIELDS, Problem } from '#shared/kernel/problem.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { checkRange, inRange, inUnits, rateOf } from './figure-parts.ts'
import { type Input, type Group, RECOVERED, type Line, linesOf } from './performance-lines.ts'

type Answer = DataOf<typeof call>

type Row = Answer['rows'][number]

/** @throws Problem G-FIELD for an invalid range of days or an unknown sort */
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

export interface Ranks {
  of: ReadonlyMap<string, number>
  count: number
}

/** Equal amounts share a rank, and the next one leaves a gap. */
function ranksOf(lines: readonly Pick<Line, 'key' | 'isSum' | 'paid'>[]): Ranks {
  const ranked = lines
    .filter((line) => !line.isSum && line.key !== null)
    .toSorted((a, b) => b.paid - a.paid)
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

/**
 * A viewer of scope own gets their rank within the group, and nothing else of its people. Who
 * recovered nothing has none.
 */
export async function ownRank(
  db: Db,
  { userId, rights }: StaffActor,
  input: Pick<Input, 'dateFrom' | 'dateTo' | 'stageId'>,
): Promise<Ranks> {
  const { rows } = await sql<{ ahead: number; ranked: boolean; count: number }>`
    with people as (
      select u.id, coalesce((select sum(b.amount) from recovery_bill b where b.collector_id = u.id
        and b.group_id = ${rights.groupId} and ${inRange('b.paid_at', input)}
        and ${inUnits(RECOVERED.place, { stageId: input.stageId })}), 0) as paid
      from collector k join sys_user u on u.id = k.user_id where u.group_id = ${rights.groupId}
    )
    select (select count(*)::int from people p where p.paid > me.paid) as ahead, me.paid > 0 as ranked,
      (select count(*)::int from people) as count
    from people me where me.id = ${userId}`.execute(db)
  const row = rows[0]
  return row
    ? { of: new Map(row.ranked ? [[userId, row.ahead + 1]] : []), count: row.count }
    : { of: new Map(), count: 0 }
}

async function namesOf(
  db: Db,
  group: Group,
  keys: readonly string[],
): Promise<Map<string, { name: string; unit: string | null }>> {
  if (group === 'stage' || group === 'day' || keys.length === 0) return new Map()
  const named = {
    collector: sql`
      select u.id, u.user_name as name, g.name as unit from sys_user u left
        join team_group g on g.id = u.group_id`,
    group: sql`
      select u.id, u.name, d.name as unit from team_group u join department d on d.id = u.department_id`,
    department: sql`
      select u.id, u.name, a.name as unit from department u join agency a on a.id = u.agency_id`,
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

/** Largest recovery first; days newest first; stages in their order. Missing values are last. */
function sortRows(rows: Row[], { sort, groupBy }: Input): Row[] {
  const requested =
    sort ??
    (groupBy === 'day' ? 'key:desc' : groupBy === 'stage' ? 'key:asc' : 'recoveredAmount:desc')
  const keys = requested.split(',').map((part) => part.split(':') as [string, 'asc' | 'desc'])
  for (const [field] of keys)
    if (field !== 'key' && field !== 'name' && !(NUMBERS as readonly string[]).includes(field))
      throw new Problem(INVALID_FIELDS, {}, { fields: { sort: 'unknown' } })
  return rows.toSorted((a, b) => {
    for (const [field, direction] of keys) {
      const by = compare(a[field as keyof Row], b[field as keyof Row], direction)
      if (by !== 0) return by
    }
    return STAGES.indexOf(a.key) - STAGES.indexOf(b.key) || (a.key < b.key ? -1 : 1)
  })
}

/** Stages are ordered by overdue days, not by name. */
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
