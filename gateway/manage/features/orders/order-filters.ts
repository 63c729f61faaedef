import { type RawBuilder, sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { istDay } from '#shared/kernel/time.ts'
import { INVALID_FIELDS, Problem } from '#shared/kernel/problem.ts'
import { ORDER_OUTCOMES } from '#shared/orders/order-outcomes.ts'
import type { listOrders } from '#shared/orders/orders-api.ts'
import { anyOf } from '#gateway/manage/db/prepared.ts'
import type { Secrets } from '#gateway/manage/kernel/secrets.ts'
import { allOf, filterClauses, isOneOf } from '#gateway/manage/kernel/list-parts.ts'
import { customersNamed } from '#gateway/manage/features/customers/public.ts'

type Filters = InputOf<typeof listOrders>

/**
 * The list filters as a predicate over `loan_order o` alone, so that page and total read no other
 * table unless a filter names a customer. From and To are inclusive. Null: no filter.
 */
export function orderFilters(input: Filters, secrets: Secrets): RawBuilder<boolean> | null {
  const { all, add } = filterClauses()
  add(input.orderId, (id) => sql`o.id = ${id}`)
  add(input.userId, (id) => sql`o.customer_id = ${id}`)
  add(input.userName, (name) => sql`o.customer_id = ${customersNamed(name)}`)
  // one index lookup per app: the index starts with the app
  add(
    input.phone,
    (phone) =>
      sql`
        o.customer_id in (select c.id from app a join customer c on c.app_id = a.id
          where c.phone_h = ${secrets.blindIndex('phone', phone)})`,
  )
  add(input.status, (status) => isOneOf('o.status', status, 'int'))
  add(input.tags, (tags) => sql`o.tags && ${tags.split(',')}::text[]`)
  add(input.productId, (id) => sql`o.product_id = ${id}`)
  add(input.appId, (id) => sql`o.app_id = ${id}`)
  add(input.channelId, (id) => sql`o.channel_id = ${id}`)
  add(input.amountFrom, (amount) => sql`o.amount >= ${amount}`)
  add(input.amountTo, (amount) => sql`o.amount <= ${amount}`)
  add(input.createTimeFrom, (time) => sql`o.created_at >= ${time}::timestamptz`)
  add(input.createTimeTo, (time) => sql`o.created_at <= ${time}::timestamptz`)
  add(input.dueTimeFrom, (time) => sql`o.due_at >= ${istDay(time)}::date`)
  add(input.dueTimeTo, (time) => sql`o.due_at <= ${istDay(time)}::date`)
  add(input.closeTimeFrom, (time) => sql`o.closed_at >= ${time}::timestamptz`)
  add(input.closeTimeTo, (time) => sql`o.closed_at <= ${time}::timestamptz`)
  add(wasDecided(input) ?? undefined, (decided) => decided)
  add(input.refusalCode, refusedFor)
  add(input.againWithin, cameBack)
  add(input.closeType, (type) => sql`o.close_type = ${type}`)
  add(input.overdueFrom, (days) => sql`o.overdue_days >= ${days}`)
  add(input.overdueTo, (days) => sql`o.overdue_days <= ${days}`)
  return all.length === 0 ? null : sql<boolean>`${sql.join(all, sql` and `)}`
}

/** The code of a rule is kept by the order, that of a reviewer by the review. */
function refusedFor(code: string): RawBuilder<boolean> {
  return sql<boolean>`o.id in (
    select x.id from loan_order x where x.refusal_code = ${code}
    union all
    select r.order_id from review r where r.reject_code = ${code})`
}

/**
 * An order of an extension continues with the loan it extends, and is no new one. By `offset` it is asked for
 * each order: for some thousand of them the planner would read all loans there are.
 */
function cameBack(days: number): RawBuilder<boolean> {
  return sql<boolean>`(o.status in (40, 41) and exists (
    select from loan_order x
    join order_status_log l on l.order_id = x.id and l.from_status = 29 and l.to_status = 30
    where x.customer_id = o.customer_id and x.from_order_id is null and l.at >= o.closed_at
      and ist_day(l.at) <= ist_day(o.closed_at) + ${days}::int offset 0))`
}

/**
 * That machine or reviewers decided so, on these days; null when it is not asked for. An order is made before
 * it is decided: said aloud, its list begins there, and does not walk all newer orders (92,000 of a million).
 */
function wasDecided({
  outcome,
  outcomeTimeFrom: from,
  outcomeTimeTo: to,
}: Filters): RawBuilder<boolean> | null {
  if (outcome === undefined && from === undefined && to === undefined) return null
  const wanted = outcome?.split(',') ?? Object.keys(ORDER_OUTCOMES)
  const statuses = Object.entries(ORDER_OUTCOMES).flatMap(([name, status]) =>
    wanted.includes(name) ? [status] : [],
  )
  const step = filterClauses()
  step.add(statuses, (list) => sql`l.to_status = ${anyOf(list, 'int')}`)
  step.add(from, (time) => sql`l.at >= ${time}::timestamptz`)
  step.add(to, (time) => sql`l.at <= ${time}::timestamptz`)
  const made = to === undefined ? sql`true` : sql`o.created_at <= ${to}::timestamptz`
  return sql<boolean>`(${made} and o.id in (
    select l.order_id from order_status_log l where ${allOf(step.all)}))`
}

/**
 * Only what an index answers: by an amount or the days overdue each look would read all orders. The
 * outstanding amount changes with every payment, so it is in no index; the collection lists have it.
 */
const SORTS: ReadonlyMap<string, string> = new Map([
  ['createTime', 'o.created_at'],
  ['orderId', 'o.id'],
  ['status', 'o.status'],
  ['dueTime', 'o.due_at'],
  ['closeTime', 'o.closed_at'],
  ['disburseTime', 'o.disbursed_at'],
])
const MAY_BE_NULL = new Set(['dueTime', 'closeTime', 'disburseTime'])

/**
 * Sort keys with the id last and in the direction of the first key, so that one index serves
 * `created_at desc, id desc` and its reverse. Rows without a value come last in both directions.
 * @throws Problem G-FIELD for a field that is not a sort key
 */
export function orderSort(sort: string | undefined): RawBuilder<unknown> {
  const keys = (sort ?? 'createTime:desc')
    .split(',')
    .map((part) => part.split(':') as [string, string])
  const columns = keys.map(([field, direction]) => {
    const column = SORTS.get(field)
    if (column === undefined) throw new Problem(INVALID_FIELDS, {}, { fields: { sort: 'unknown' } })
    const nulls = MAY_BE_NULL.has(field) ? ' nulls last' : ''
    return sql`${sql.ref(column)} ${sql.raw(direction === 'asc' ? 'asc' : 'desc')}${sql.raw(nulls)}`
  })
  return sql.join([...columns, sql`o.id ${sql.raw(keys[0]?.[1] === 'asc' ? 'asc' : 'desc')}`])
}
