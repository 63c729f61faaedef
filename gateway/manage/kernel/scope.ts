/** Data scope (roles.md 3): every read and write adds the caller's predicate; a row outside it answers like a missing one. */
import { type RawBuilder, sql } from 'kysely'
import type { StaffActor } from './actor.ts'

/**
 * Orders the caller may see, as a predicate over `loan_order o`.
 * Agency, department, group and own scopes see orders through collection cases; where the product holds no cases yet they see none.
 */
export function ordersInScope(actor: StaffActor): RawBuilder<boolean> {
  switch (actor.rights.scope) {
    case 'all':
      return sql<boolean>`true`
    case 'queue':
      // as a set of ids, each part with its index: an `exists` per order would read the book
      return sql<boolean>`o.id in (select r.order_id from review r where r.id in (${reviewIdsInScope(actor)}))`
    default:
      return sql<boolean>`false`
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
  if (isInspector(actor)) return sql`select d.id from review d where d.state in ('audited', 'passed', 'failed')`
  return sql`
    select w.id from review w where w.state = 'unclaimed'
    union select m.id from review m where m.reviewer_id = ${actor.userId}
    union select f.id from review f where f.first_reviewer_id = ${actor.userId}
    union select h.review_id from review_handover h where h.state = 'pending' and h.to_user_id = ${actor.userId}`
}

function isInspector(actor: StaffActor): boolean {
  return actor.rights.permissions.has('review_list:quality') && !actor.rights.permissions.has('review_list:claim')
}
