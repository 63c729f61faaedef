import { type RawBuilder, sql } from 'kysely'
import { customerIdsOfCases } from '#gateway/manage/features/collection/case-scope.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'

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
 * Tickets the caller may see, as a predicate over `feedback t`: those of their queues. Outside scope
 * `all` the post-loan ones of customers with an open case of theirs, those handed to their
 * department, those they work on and those offered to them. A complaint about a person is never
 * shown to that person.
 */
export function ticketsInScope(actor: StaffActor): RawBuilder<boolean> {
  const queues = ticketQueues(actor)
  if (queues.length === 0) return sql<boolean>`false`
  const { userId, rights } = actor
  const ofQueues = queues.length === 2 ? sql`true` : sql`t.queue = any(${queues}::text[])`
  const own = sql<boolean>`(${ofQueues} and t.about_id is distinct from ${userId})`
  if (rights.scope === 'all') return own
  const department = rights.departmentId
  const offered =
    department === null
      ? sql`h.to_user_id = ${userId}`
      : sql`(h.to_user_id = ${userId} or h.to_department = ${department})`
  return sql<boolean>`(${own} and (
    t.processor_id = ${userId}
    or (t.queue = 'loaned'
      and (t.customer_id = any(array(${customerIdsOfCases(actor)})) or ${ticketInPlace(actor)}))
    or t.id = any(array(select h.feedback_id from feedback_handover h where h.state = 'pending' and ${offered}))
  ))`
}

/** Handed to the caller's department, or to one of their agency. */
function ticketInPlace({
  rights: { scope, agencyId, departmentId },
}: StaffActor): RawBuilder<boolean> {
  if (scope === 'department') return sql<boolean>`t.department = ${departmentId}`
  return scope === 'agency'
    ? sql<boolean>`t.department = any(array(select d.id from department d where d.agency_id = ${agencyId}))`
    : sql<boolean>`false`
}
