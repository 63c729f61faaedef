/** Data scope (roles.md 3): every read and write adds the caller's predicate; a row outside it answers like a missing one. */
import { type RawBuilder, sql } from 'kysely'
import type { StaffActor } from './actor.ts'

/**
 * Orders the caller may see, as a predicate over `loan_order o`: agency, department, group and own scopes those with a case of
 * theirs that is open, or was closed in their hands in the last 90 days.
 */
export function ordersInScope(actor: StaffActor): RawBuilder<boolean> {
  switch (actor.rights.scope) {
    case 'all':
      return sql<boolean>`true`
    case 'queue':
      // as a set of ids, each part with its index: an `exists` per order would read the book
      return sql<boolean>`o.id in (select r.order_id from review r where r.id in (${reviewIdsInScope(actor)}))`
    default:
      return sql<boolean>`o.id in (select x.order_id from collection_case x where ${caseInPlace(actor, 'x')} and (x.state <> 'closed' or x.ended_at > clock_timestamp() - interval '90 days'))`
  }
}

/** Collection cases, and with them their follow-ups and figures, as a predicate over `collection_case c`: by the place where a case stands now. */
export function casesInScope(actor: StaffActor): RawBuilder<boolean> {
  return actor.rights.scope === 'all' ? sql<boolean>`true` : caseInPlace(actor, 'c')
}

/** Where a caller's cases stand: the column of a case, and of the ends of a move, with his value in it. Null = he has no such place (scope `all`, or a unit he is not in). */
export function casePlaceOf({ userId, rights }: StaffActor): {
  column: 'agency_id' | 'department_id' | 'group_id' | 'collector_id'
  value: string
} | null {
  const [column, value] = placeOf(rights, userId)
  return column === null || value === null ? null : { column, value }
}

/** Customers of open cases of the caller's agency, department, group or own, as ids: for predicates over customers and what hangs on them. */
export function customerIdsOfCases(actor: StaffActor): RawBuilder<unknown> {
  return sql`select x.customer_id from collection_case x where ${caseInPlace(actor, 'x')} and x.state <> 'closed'`
}

/**
 * Rooms in which an order's open case is heard: its agency, department, group and holder (api.md 26, OR). An empty list without one.
 * @param orderId a column or value of ours; not of a table called open_case
 */
export function roomsOfOpenCase(orderId: RawBuilder<unknown>): RawBuilder<string[]> {
  return sql<string[]>`coalesce((
    select array_remove(array['scope:agency:' || open_case.agency_id, 'scope:dept:' || open_case.department_id, 'scope:group:' || open_case.group_id, 'user:' || open_case.collector_id], null)
    from collection_case open_case where open_case.order_id = ${orderId} and open_case.state <> 'closed'), '{}')`
}

/** A person without the unit his scope names sees nothing. */
function caseInPlace(actor: StaffActor, alias: 'c' | 'x'): RawBuilder<boolean> {
  const place = casePlaceOf(actor)
  return place === null
    ? sql<boolean>`false`
    : sql<boolean>`${sql.ref(`${alias}.${place.column}`)} = ${place.value}`
}

/** Names what a scope opens: people with the same name see the same rows; `all` opens everything. */
export function scopeName({ userId, rights }: StaffActor): string {
  const [column, value] = placeOf(rights, userId)
  return column === null ? rights.scope : `${column}:${value ?? `none:${userId}`}`
}

/** The same of `sys_user u` with the role `g`. */
export const SCOPE_NAME = sql<string>`case g.data_scope when 'agency' then 'agency_id:' || u.agency_id when 'department' then 'department_id:' || u.department_id when 'group' then 'group_id:' || u.group_id when 'own' then 'collector_id:' || u.id else g.data_scope end`

function placeOf(
  { scope, agencyId, departmentId, groupId }: StaffActor['rights'],
  userId: string,
): ['agency_id' | 'department_id' | 'group_id' | 'collector_id' | null, string | null] {
  switch (scope) {
    case 'agency':
      return ['agency_id', agencyId]
    case 'department':
      return ['department_id', departmentId]
    case 'group':
      return ['group_id', groupId]
    case 'own':
      return ['collector_id', userId]
    case 'all':
    case 'queue':
      return [null, null]
  }
}

/**
 * Reviews the caller may see, as a predicate over `review r`: a reviewer what is claimable and what he holds, decided first or
 * is asked to take over; an inspector what is decided; `all` every row.
 */
export function reviewsInScope(actor: StaffActor): RawBuilder<boolean> {
  if (actor.rights.scope === 'all') return sql<boolean>`true`
  if (actor.rights.scope !== 'queue') return sql<boolean>`false`
  if (isInspector(actor)) return sql<boolean>`r.state in ('audited', 'passed', 'failed')`
  return sql<boolean>`(r.state = 'unclaimed' or r.reviewer_id = ${actor.userId} or r.first_reviewer_id = ${actor.userId}
    or exists (select 1 from review_handover h where h.review_id = r.id and h.state = 'pending' and h.to_user_id = ${actor.userId}))`
}

/** The same set as ids. */
function reviewIdsInScope(actor: StaffActor): RawBuilder<unknown> {
  if (isInspector(actor))
    return sql`select d.id from review d where d.state in ('audited', 'passed', 'failed')`
  return sql`
    select w.id from review w where w.state = 'unclaimed'
    union select m.id from review m where m.reviewer_id = ${actor.userId}
    union select f.id from review f where f.first_reviewer_id = ${actor.userId}
    union select h.review_id from review_handover h where h.state = 'pending' and h.to_user_id = ${actor.userId}`
}

function isInspector(actor: StaffActor): boolean {
  return (
    actor.rights.permissions.has('review_list:quality') &&
    !actor.rights.permissions.has('review_list:claim')
  )
}

const TICKET_MENUS = { operation: 'operation_ticket', loaned: 'loaned_ticket' } as const

/** Queues of tickets whose screen the caller has: intake (`user_feedback`) opens both. */
export function ticketQueues({ rights }: StaffActor): ('operation' | 'loaned')[] {
  return (['operation', 'loaned'] as const).filter(
    (queue) =>
      rights.permissions.has('user_feedback:view') ||
      rights.permissions.has(`${TICKET_MENUS[queue]}:view`),
  )
}

/**
 * Tickets the caller may see, as a predicate over `feedback t`: of the queues he has, and outside scope `all` the post-loan ones of
 * customers with an open case of his, those handed to his department, what he works on and what is offered to him. A complaint
 * about somebody is never shown to him, whoever he is (screens.md 7.7).
 */
export function ticketsInScope(actor: StaffActor): RawBuilder<boolean> {
  const queues = ticketQueues(actor)
  if (queues.length === 0) return sql<boolean>`false`
  const { userId, rights } = actor
  const own = sql<boolean>`(${queues.length === 2 ? sql`true` : sql`t.queue = any(${queues}::text[])`} and t.about_id is distinct from ${userId})`
  if (rights.scope === 'all') return own
  const department = rights.departmentId
  const offered =
    department === null
      ? sql`h.to_user_id = ${userId}`
      : sql`(h.to_user_id = ${userId} or h.to_department = ${department})`
  return sql<boolean>`(${own} and (
    t.processor_id = ${userId}
    or (t.queue = 'loaned' and (t.customer_id in (${customerIdsOfCases(actor)}) or ${ticketInPlace(actor)}))
    or t.id in (select h.feedback_id from feedback_handover h where h.state = 'pending' and ${offered})
  ))`
}

/** Handed to the caller's department, or to one of his agency. */
function ticketInPlace({
  rights: { scope, agencyId, departmentId },
}: StaffActor): RawBuilder<boolean> {
  if (scope === 'department') return sql<boolean>`t.department = ${departmentId}`
  return scope === 'agency'
    ? sql<boolean>`t.department in (select d.id from department d where d.agency_id = ${agencyId})`
    : sql<boolean>`false`
}
