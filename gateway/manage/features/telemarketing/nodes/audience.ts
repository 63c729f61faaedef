/**
 * Whom a node takes. One statement finds the customers and why others are left out; the count while
 * a node is edited and the run use the same one, so that the number seen is the number worked off.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Catalogue } from '#shared/conditions/catalogue.ts'
import type { Condition } from '#shared/conditions/condition.ts'
import { conditionFaults } from '#shared/conditions/condition-faults.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { nodeAudience as audienceCall } from '#shared/telemarketing/node-api.ts'
import {
  NODE_EXCLUSIONS,
  type NodeAction,
  type NodeExclusion,
} from '#shared/telemarketing/node-sets.ts'
import { CONDITION_WRONG } from '#shared/telemarketing/tele-problems.ts'
import type { Segment } from '#shared/telemarketing/tele-sets.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { findCoupon } from '#gateway/manage/features/coupons/public.ts'
import { conditionSql } from './condition-sql.ts'
import { outlookOf, withoutCoupon } from './coupon-outlook.ts'
import { NODE_COLUMNS, readNodeCatalogue } from './node-columns.ts'

export interface Audience {
  /** Null = not saved yet: nobody was contacted by it. */
  nodeId: string | null
  type: 'batchRun' | 'package'
  segment: Segment
  condition: Condition | null
  dateDays: number | null
  timeHours: number | null
  againDays: number | null
  action: NodeAction
  holdout: number
}

/** @throws Problem X-COND naming the nodes of the tree */
export function requireCondition(condition: Condition | null, catalogue: Catalogue): void {
  const faults = condition === null ? [] : conditionFaults(condition, catalogue)
  if (faults.length > 0)
    throw new Problem(
      CONDITION_WRONG,
      {},
      { faults, fields: { condition: 'conditions:fault.tree' } },
    )
}

/**
 * `task_id, customer_id, why`: everybody who matches; `why` is null for those who are taken, else
 * the first exclusion that holds.
 */
export function candidates(audience: Audience, catalogue: Catalogue): RawBuilder<unknown> {
  const { nodeId, type, segment } = audience
  const matches = sql`${matchOf(audience, catalogue)}`
  const contacted = contactedBy(nodeId, audience.againDays)
  const why = sql`
    when c.dnd then 'dnd'
    when exists (select 1 from stop_collection x where x.customer_id = c.id and x.state = 'active')
      then 'stopped'
    ${nodeId === null ? sql`` : sql`when ${contacted} then 'contacted'`}
    when t.held_until > clock_timestamp() then 'heldOut'
    ${audience.action === 'messages' ? sql`` : sql`when t.assignee_id is not null then 'busy'`}`
  if (type === 'batchRun')
    return sql`
      select t.id as task_id, c.id as customer_id, case ${why} end as why
      from tele_task t join customer c on c.id = t.customer_id
      where t.closed_at is null and t.segment = ${segment} and ${matches}`
  return sql`
    select t.id as task_id, c.id as customer_id, case
      when t.id is null then 'left' when not coalesce(${matches}, false) then 'unmatched' ${why} end as why
    from marketing_package p join customer c on c.id = p.customer_id
    left join tele_task t on t.customer_id = c.id and t.closed_at is null and t.segment = ${segment}
    where p.node_id = ${nodeId}`
}

/** The node contacted the customer before; again after some days, where it is set so. */
function contactedBy(nodeId: string | null, againDays: number | null): RawBuilder<boolean> {
  const found = (which: RawBuilder<boolean>) => sql<boolean>`
    exists (select 1 from marketing_contact m where m.node_id = ${nodeId} and m.customer_id = c.id
      and ${which})`
  // each way has an index of its own
  if (againDays === null)
    return sql<boolean>`(${found(sql<boolean>`m.once`)} or ${found(sql<boolean>`not m.once`)})`
  const recent = sql<boolean>`m.at > clock_timestamp() - make_interval(days => ${againDays}::int)`
  return sql<boolean>`
    (${found(sql<boolean>`m.once and ${recent}`)} or ${found(sql<boolean>`not m.once and ${recent}`)})`
}

function matchOf(
  { condition, dateDays, timeHours }: Audience,
  catalogue: Catalogue,
): RawBuilder<boolean> {
  const all: RawBuilder<boolean>[] = [sql<boolean>`true`]
  if (dateDays !== null)
    all.push(sql<boolean>`ist_day(t.loss_at) <= ist_day(clock_timestamp()) - ${dateDays}::int`)
  if (timeHours !== null)
    all.push(
      sql<boolean>`t.loss_at <= clock_timestamp() - make_interval(hours => ${timeHours}::int)`,
    )
  if (condition !== null) all.push(conditionSql(condition, catalogue, NODE_COLUMNS))
  return sql<boolean>`(${sql.join(all, sql` and `)})`
}

/** How many of those taken are held out. */
export function heldOutOf(taken: number, holdout: number): number {
  return Math.floor((taken * holdout) / 100)
}

export function exclusionsOf(
  excluded: Readonly<Partial<Record<string, number>>>,
): { why: NodeExclusion; n: number }[] {
  return NODE_EXCLUSIONS.flatMap((why) => {
    const n = excluded[why] ?? 0
    return n === 0 ? [] : [{ why, n }]
  })
}

/** @throws Problem X-COND, G404 for an unknown coupon */
export async function countAudience(
  db: Db,
  audience: Audience,
  couponId: string | null = null,
): Promise<DataOf<typeof audienceCall>> {
  const catalogue = await readNodeCatalogue(db)
  requireCondition(audience.condition, catalogue)
  const coupon = couponId === null ? null : await findCoupon(db, couponId)
  if (couponId !== null && coupon === null) throw new Problem(NOT_FOUND)
  const { rows } = await sql<{
    matched: number
    taken: number
    excluded: Record<string, number> | null
    blacklisted: number
    has_unused: number
    asOf: string
  }>`
    with counted as (
      select f.why, count(*)::int as n, ${withoutCoupon(coupon)}
      from (${candidates(audience, catalogue)}) f group by f.why
    )
    select coalesce(sum(k.n), 0)::int as matched,
      coalesce(sum(k.n) filter (where k.why is null), 0)::int as taken,
      coalesce(sum(k.blacklisted) filter (where k.why is null), 0)::int as blacklisted,
      coalesce(sum(k.has_unused) filter (where k.why is null), 0)::int as has_unused,
      jsonb_object_agg(k.why, k.n) filter (where k.why is not null) as excluded,
      clock_timestamp() as "asOf"
    from counted k`.execute(db)
  // an aggregate without groups has one row
  const [{ matched, taken, excluded, blacklisted, has_unused: holding, asOf }] = rows as [
    (typeof rows)[0],
  ]
  const heldOut = heldOutOf(taken, audience.holdout)
  return {
    matched,
    taken,
    heldOut,
    excluded: exclusionsOf(excluded ?? {}),
    coupon: coupon === null ? null : outlookOf(coupon, { taken, heldOut, blacklisted, holding }),
    asOf,
  }
}
