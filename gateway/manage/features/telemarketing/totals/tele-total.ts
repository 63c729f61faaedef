/**
 * Totals of telemarketing. What is counted stands where it happened: a task with the person it was
 * given to, a follow-up with whoever wrote it, a conversion with whoever is credited. A coupon that a node
 * granted belongs to nobody when the customer was left in the pool; leaders of all see it.
 */
import { type RawBuilder, sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { INVALID_FIELDS, Problem } from '#shared/kernel/problem.ts'
import { REPORT_DAYS } from '#shared/kernel/report.ts'
import { addDays, daysBetween, istDayEnd, istMidnight } from '#shared/kernel/time.ts'
import type { teleTotal as totalCall, TOTAL_GROUPS } from '#shared/telemarketing/total-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { peopleOfTeam } from '../tele-scope.ts'

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

async function sums(
  db: Db,
  actor: StaffActor,
  { groupBy = 'day', segment, nodeId, assigneeId }: Input,
  from: string,
  to: string,
): Promise<Found[]> {
  const { key, name } = GROUPS[groupBy]
  const inRange = (column: string): RawBuilder<boolean> => sql<boolean>`
    ${sql.raw(column)} >= ${istMidnight(from).toISOString()}::timestamptz
      and ${sql.raw(column)} < ${istDayEnd(to).toISOString()}::timestamptz`
  const { rows } = await sql<Found>`
    with f as (
      select 'given' as kind, v.at, v.user_id, v.segment, v.node_id, v.task_id, null::int as result,
        null::text as order_id, null::bigint as amount
      from tele_given v where ${inRange('v.at')}
      union all
      select 'record', w.created_at, w.operator_id, w.segment, t.node_id, w.task_id, w.result, null, null
      from tele_record w join tele_task t on t.id = w.task_id where ${inRange('w.created_at')}
      union all
      select 'converted', t.closed_at, t.credited_to, t.segment, t.node_id, t.id, null, o.id, o.amount
      from tele_task t
      left join lateral (
        -- the loan that came of it
        select l.id, l.amount from loan_order l
        where l.customer_id = t.customer_id and l.disbursed_at >= t.loss_at
        order by l.disbursed_at limit 1) o on true
      where t.state = 'converted' and ${inRange('t.closed_at')}
      union all
      select 'coupon', q.used_at, q.granted_by, t.segment, t.node_id, t.id, null, null, null
      from coupon_grant q join tele_task t on t.id = q.source_id
      where q.source = 'followUp' and q.state = 'used' and ${inRange('q.used_at')}
      union all
      -- of a node: with whoever was given the customer by it
      select 'coupon', q.used_at, m.assignee_id, m.segment, m.node_id, m.task_id, null, null, null
      from coupon_grant q
      join lateral (select x.assignee_id, x.segment, x.node_id, x.task_id from marketing_contact x
        where x.customer_id = q.customer_id and x.node_id = q.source_id and x.coupon = 'given'
          and x.at <= q.used_at order by x.at desc limit 1) m on true
      where q.source = 'node' and q.state = 'used' and ${inRange('q.used_at')}
    )
    select grouping(${sql.raw(key)}) = 1 as "isSum", ${sql.raw(key)} as key, max(${sql.raw(name)}) as name,
      count(*) filter (where f.kind = 'given')::int as assigned,
      count(*) filter (where f.kind = 'record')::int as followed,
      count(*) filter (where f.result >= 20)::int as connected,
      count(*) filter (where f.result = 21)::int as agreed,
      count(distinct f.task_id) filter (where f.kind = 'record')::int as tasks,
      count(*) filter (where f.kind = 'converted')::int as converted,
      count(*) filter (where f.kind = 'converted' and f.segment = 'no_certified')::int as certified,
      count(*) filter (where f.kind = 'converted'
        and f.segment in ('unrequished', 'no_relented'))::int as applied,
      count(f.order_id)::int as disbursed, coalesce(sum(f.amount), 0)::bigint as "disbursedAmount",
      count(*) filter (where f.kind = 'coupon')::int as "couponUsed"
    from f left join sys_user u on u.id = f.user_id
    left join team_group g on g.id = u.group_id left join marketing_node n on n.id = f.node_id
    where ${peopleOfTeam(actor)}
      and (${segment ?? null}::text is null or f.segment = ${segment ?? null})
      and (${nodeId ?? null}::text is null or f.node_id = ${nodeId ?? null})
      and (${assigneeId ?? null}::text is null or f.user_id = ${assigneeId ?? null})
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

/** Basis points; null without a whole. A conversion may follow from an earlier day. */
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
