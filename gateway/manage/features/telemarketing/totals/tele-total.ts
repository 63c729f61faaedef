/** Totals of telemarketing: how much of what `total-facts` lists happened, by group. */
import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { INVALID_FIELDS, Problem } from '#shared/kernel/problem.ts'
import { REPORT_DAYS } from '#shared/kernel/report.ts'
import { addDays, daysBetween } from '#shared/kernel/time.ts'
import {
  type teleTotal as totalCall,
  type TOTAL_GROUPS,
  TOTAL_MEASURES,
} from '#shared/telemarketing/total-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { allFacts, FACT_JOINS, isCounted, narrowed } from './total-facts.ts'

type Input = InputOf<typeof totalCall>
type Answer = DataOf<typeof totalCall>
type Row = Answer['rows'][number]
type Sums = Answer['sum']

/** Key and name of a group, over the facts `f` and their joins. */
const GROUPS: Record<(typeof TOTAL_GROUPS)[number], { key: string; name: string }> = {
  day: { key: 'ist_day(f.at)::text', name: 'null::text' },
  person: { key: 'f.user_id', name: 'u.user_name' },
  segment: { key: 'f.segment', name: 'f.segment' },
  node: { key: 'f.node_id', name: 'n.name' },
  group: { key: 'u.group_id', name: 'g.name' },
}

/** @throws Problem G-FIELD for a range that is reversed or too long */
export async function teleTotal(db: Db, actor: StaffActor, input: Input): Promise<Answer> {
  const { dateFrom, dateTo, groupBy = 'day' } = input
  const days = daysBetween(dateFrom, dateTo) + 1
  if (days < 1 || days > REPORT_DAYS)
    throw new Problem(INVALID_FIELDS, {}, { fields: { dateTo: 'maximum' } })
  const [rows, previous, asOf] = await Promise.all([
    sums(db, actor, input, dateFrom, dateTo),
    sums(db, actor, input, addDays(dateFrom, -days), addDays(dateFrom, -1)),
    sql<{ now: string }>`select clock_timestamp() as now`.execute(db),
  ])
  const place = (found: Found[], from: string): Row[] => {
    const groups = found.filter(({ isSum }) => !isSum).map((row) => rowOf(row, groupBy))
    return groupBy === 'day' ? everyDay(groups, from, days) : groups.toSorted(byWork)
  }
  return {
    rows: place(rows, dateFrom),
    previous: place(previous, addDays(dateFrom, -days)),
    sum: sumsOf(rows.find(({ isSum }) => isSum) ?? NOTHING),
    asOf: asOf.rows[0]?.now ?? '',
    isFilling: false,
  }
}

interface Found {
  isSum: boolean
  key: string | null
  name: string | null
  assigned: number
  followed: number
  connected: number
  agreed: number
  tasks: number
  converted: number
  certified: number
  applied: number
  disbursed: number
  disbursedAmount: number
  couponUsed: number
}
const NOTHING: Found = {
  isSum: true,
  key: null,
  name: null,
  assigned: 0,
  followed: 0,
  connected: 0,
  agreed: 0,
  tasks: 0,
  converted: 0,
  certified: 0,
  applied: 0,
  disbursed: 0,
  disbursedAmount: 0,
  couponUsed: 0,
}

const COUNTS = sql.join(
  TOTAL_MEASURES.map(
    (measure) => sql`
      count(*) filter (where ${isCounted(measure)})::int as ${sql.ref(measure)}`,
  ),
)

async function sums(
  db: Db,
  actor: StaffActor,
  input: Input,
  from: string,
  to: string,
): Promise<Found[]> {
  const { key, name } = GROUPS[input.groupBy ?? 'day']
  const { rows } = await sql<Found>`
    with f as (${allFacts(from, to)})
    select grouping(${sql.raw(key)}) = 1 as "isSum", ${sql.raw(key)} as key, max(${sql.raw(name)}) as name,
      ${COUNTS}, count(distinct f.task_id) filter (where f.kind = 'record')::int as tasks,
      coalesce(sum(f.amount), 0)::bigint as "disbursedAmount"
    from f ${FACT_JOINS}
    where ${narrowed(actor, input)}
    group by grouping sets ((${sql.raw(key)}), ())`.execute(db)
  return rows
}

function rowOf(found: Found, groupBy: string): Row {
  const { key, name } = found
  return {
    day: groupBy === 'day' ? key : null,
    key: groupBy === 'day' ? null : key,
    name: groupBy === 'day' ? null : name,
    ...sumsOf(found),
  }
}

function sumsOf(found: Found): Sums {
  const { assigned, followed, connected, agreed, certified, applied, disbursed } = found
  return {
    assigned,
    followed,
    connected,
    connectRate: share(connected, followed),
    agreed,
    certified,
    applied,
    disbursed,
    disbursedAmount: found.disbursedAmount,
    couponUsed: found.couponUsed,
    conversionRate: share(found.converted, found.tasks),
  }
}

/** Basis points; null without a whole. */
function share(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 10_000)
}

function everyDay(rows: readonly Row[], from: string, days: number): Row[] {
  const byDay = new Map(rows.map((row) => [row.day, row]))
  return Array.from({ length: days }, (_, n) => {
    const day = addDays(from, n)
    return byDay.get(day) ?? { day, key: null, name: null, ...sumsOf(NOTHING) }
  })
}

function byWork(a: Row, b: Row): number {
  return b.followed - a.followed || b.assigned - a.assigned
}
