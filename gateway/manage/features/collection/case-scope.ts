import { type RawBuilder, sql } from 'kysely'
import { CASE_STATES } from '#shared/collection/case-lifecycle.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { placeOf } from '#gateway/manage/kernel/scope.ts'

/**
 * Collection cases, and with them their follow-ups and figures, as a predicate over
 * `collection_case c`: by the place where a case is now.
 */
export function casesInScope(actor: StaffActor): RawBuilder<boolean> {
  return actor.rights.scope === 'all' ? sql<boolean>`true` : caseInPlace(actor, 'c')
}

/**
 * Cases as a predicate over `collection_case` under an alias. A person without the unit their scope
 * names sees none.
 */
export function caseInPlace(actor: StaffActor, alias: 'c' | 'x'): RawBuilder<boolean> {
  const place = placeOf(actor)
  return place === null
    ? sql<boolean>`false`
    : sql<boolean>`${sql.ref(`${alias}.${place.column}`)} = ${place.value}`
}

/** Named one by one, they are a range of the index by place; `<> 'closed'` would read the past. */
const OPEN_STATES = sql.raw(
  CASE_STATES.filter((state) => state !== 'closed')
    .map((state) => `'${state}'`)
    .join(', '),
)

/**
 * Customers of open cases of the caller's agency, department, group or own, as ids: for predicates
 * over customers and what belongs to them.
 */
export function customerIdsOfCases(actor: StaffActor): RawBuilder<unknown> {
  return sql`
    select x.customer_id
    from collection_case x
    where ${caseInPlace(actor, 'x')} and x.state in (${OPEN_STATES})`
}

/**
 * Orders with a case of the caller's place that is open or was closed there in the last 90 days, as
 * ids.
 */
export function orderIdsOfCases(actor: StaffActor): RawBuilder<unknown> {
  return sql`
    select x.order_id
    from collection_case x
    where ${caseInPlace(actor, 'x')} and x.state in (${OPEN_STATES})
    union all
    select x.order_id
    from collection_case x
    where ${caseInPlace(actor, 'x')} and x.state = 'closed'
      and x.ended_at > clock_timestamp() - interval '90 days'`
}

/**
 * Rooms that receive the events of an order's open case: its agency, department, group and holder.
 * An empty list without a case.
 * @param orderId a column or value of ours; not of a table called open_case
 */
export function roomsOfOpenCase(orderId: RawBuilder<unknown>): RawBuilder<string[]> {
  return sql<string[]>`coalesce((
    select array_remove(array['scope:agency:' || open_case.agency_id,
      'scope:dept:' || open_case.department_id, 'scope:group:' || open_case.group_id,
      'user:' || open_case.collector_id], null)
    from collection_case open_case where open_case.order_id = ${orderId}
      and open_case.state <> 'closed'), '{}')`
}
