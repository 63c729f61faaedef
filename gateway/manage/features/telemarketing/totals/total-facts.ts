/**
 * What telemarketing counts, in one place, so that a figure and the rows behind it are the same. What
 * is counted stands where it happened: a task with the person it was given to, a follow-up with its
 * author. A conversion is with the follow-up that earned it, on its day and with its author, so
 * that of the customers followed up in any group at most all are converted. A coupon that
 * a node granted belongs to nobody when the customer was left in the pool; leaders of all see it.
 */
import { type RawBuilder, sql } from 'kysely'
import { addDays } from '#shared/kernel/time.ts'
import { CREDIT_DAYS } from '#shared/telemarketing/tele-sets.ts'
import type { TotalMeasure, WITHOUT } from '#shared/telemarketing/total-api.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { onDays } from '#gateway/manage/kernel/ist-days.ts'
import { peopleOfTeam } from '../tele-scope.ts'

type Kind = 'given' | 'record' | 'converted' | 'coupon'
/** @param later days after the range that count, too */
type InRange = (column: string, later?: number) => RawBuilder<boolean>

/** `kind, id, at, user_id, segment, node_id, task_id, result, order_id, amount`. */
const FACTS: Record<Kind, (inRange: InRange) => RawBuilder<unknown>> = {
  given: (inRange) => sql`
    select 'given' as kind, v.id::text as id, v.at, v.user_id, v.segment, v.node_id, v.task_id,
      null::int as result, null::text as order_id, null::bigint as amount
    from tele_given v where ${inRange('v.at')}`,
  // the node is looked up row by row: joined, all tasks there ever were would be read for it
  record: (inRange) => sql`
    select 'record' as kind, w.id, w.created_at as at, w.operator_id as user_id, w.segment,
      (select t.node_id from tele_task t where t.id = w.task_id) as node_id, w.task_id, w.result,
      null::text as order_id, null::bigint as amount
    from tele_record w where ${inRange('w.created_at')}`,
  converted: (inRange) => sql`
    select 'converted' as kind, t.id, e.at, t.credited_to as user_id, t.segment, t.node_id,
      t.id as task_id, null::int as result, o.id as order_id, o.amount
    from tele_task t
    join lateral (
      -- the follow-up that earned it
      select w.created_at as at from tele_record w where w.task_id = t.id
      order by w.created_at desc limit 1) e on true
    left join lateral (
      -- the loan that came of it
      select l.id, l.amount from loan_order l
      where l.customer_id = t.customer_id and l.disbursed_at >= t.loss_at
      order by l.disbursed_at limit 1) o on true
    where t.state = 'converted' and ${inRange('t.closed_at', CREDIT_DAYS)} and ${inRange('e.at')}`,
  coupon: (inRange) => sql`
    select 'coupon' as kind, q.id, q.used_at as at, q.granted_by as user_id, t.segment, t.node_id,
      t.id as task_id, null::int as result, null::text as order_id, null::bigint as amount
    from coupon_grant q join tele_task t on t.id = q.source_id
    where q.source = 'followUp' and q.state = 'used' and ${inRange('q.used_at')}
    union all
    -- of a node: with the person to whom the node gave the customer
    select 'coupon', q.id, q.used_at, m.assignee_id, m.segment, m.node_id, m.task_id, null, null, null
    from coupon_grant q
    join lateral (select x.assignee_id, x.segment, x.node_id, x.task_id from marketing_contact x
      where x.customer_id = q.customer_id and x.node_id = q.source_id and x.coupon = 'given'
        and x.at <= q.used_at order by x.at desc limit 1) m on true
    where q.source = 'node' and q.state = 'used' and ${inRange('q.used_at')}`,
}

const KIND_OF = {
  assigned: 'given',
  followed: 'record',
  connected: 'record',
  agreed: 'record',
  converted: 'converted',
  certified: 'converted',
  applied: 'converted',
  disbursed: 'converted',
  couponUsed: 'coupon',
} as const satisfies Record<TotalMeasure, Kind>

/** Results from 20 on are talks; 21 is an agreement. */
const ONLY: Partial<Record<TotalMeasure, string>> = {
  connected: 'f.result >= 20',
  agreed: 'f.result = 21',
  certified: "f.segment = 'no_certified'",
  applied: "f.segment in ('unrequished', 'no_relented')",
  disbursed: 'f.order_id is not null',
}

/** Whether a fact `f` counts. */
export function isCounted(measure: TotalMeasure): RawBuilder<boolean> {
  return sql.raw(`(f.kind = '${KIND_OF[measure]}' and ${ONLY[measure] ?? 'true'})`)
}

/** Of all kinds. @param from @param to IST days, both included */
export function allFacts(from: string, to: string): RawBuilder<unknown> {
  return sql.join(
    Object.values(FACTS).map((facts) => facts(rangeOf(from, to))),
    sql` union all `,
  )
}

/** Of the kind a measure counts. */
export function factsOf(measure: TotalMeasure, from: string, to: string): RawBuilder<unknown> {
  return FACTS[KIND_OF[measure]](rangeOf(from, to))
}

function rangeOf(from: string, to: string): InRange {
  return (column, later = 0) => onDays(column, { from, to: addDays(to, later) })
}

/** Person `u`, group `g` and node `n` of a fact `f`. */
export const FACT_JOINS = sql.raw(`
  left join sys_user u on u.id = f.user_id
  left join team_group g on g.id = u.group_id
  left join marketing_node n on n.id = f.node_id`)

export interface Narrowing {
  segment?: string
  nodeId?: string
  assigneeId?: string
  groupId?: string
  without?: (typeof WITHOUT)[number]
}

/** What the caller may see of the facts `f`, and asks for. */
export function narrowed(
  actor: StaffActor,
  { segment, nodeId, assigneeId, groupId, without }: Narrowing,
): RawBuilder<boolean> {
  const all = [peopleOfTeam(actor)]
  if (segment !== undefined) all.push(sql<boolean>`f.segment = ${segment}`)
  if (nodeId !== undefined) all.push(sql<boolean>`f.node_id = ${nodeId}`)
  if (assigneeId !== undefined) all.push(sql<boolean>`f.user_id = ${assigneeId}`)
  if (groupId !== undefined) all.push(sql<boolean>`u.group_id = ${groupId}`)
  if (without === 'person') all.push(sql<boolean>`f.user_id is null`)
  if (without === 'node') all.push(sql<boolean>`f.node_id is null`)
  if (without === 'group') all.push(sql<boolean>`u.group_id is null`)
  return sql<boolean>`(${sql.join(all, sql` and `)})`
}
