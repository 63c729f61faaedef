import { type RawBuilder, sql } from 'kysely'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'

/**
 * Reviews the caller may see, as a predicate over `review r`: a reviewer those that are claimable
 * and those they hold, decided first or are asked to take over; an inspector the decided ones; scope
 * `all` every row.
 */
export function reviewsInScope(actor: StaffActor): RawBuilder<boolean> {
  if (actor.rights.scope === 'all') return sql<boolean>`true`
  if (actor.rights.scope !== 'queue') return sql<boolean>`false`
  if (isInspector(actor)) return sql<boolean>`r.state in ('audited', 'passed', 'failed')`
  return sql<boolean>`
    (r.state = 'unclaimed' or r.reviewer_id = ${actor.userId} or r.first_reviewer_id = ${actor.userId}
    or exists (select 1 from review_handover h where h.review_id = r.id and h.state = 'pending'
      and h.to_user_id = ${actor.userId}))`
}

/** The reviews of a caller with scope `queue`, as ids. */
export function reviewIdsInScope(actor: StaffActor): RawBuilder<unknown> {
  if (isInspector(actor))
    return sql`select d.id from review d where d.state in ('audited', 'passed', 'failed')`
  return sql`
    select w.id from review w where w.state = 'unclaimed'
    union select m.id from review m where m.reviewer_id = ${actor.userId}
    union select f.id from review f where f.first_reviewer_id = ${actor.userId}
    union select h.review_id from review_handover h where h.state = 'pending'
      and h.to_user_id = ${actor.userId}`
}

function isInspector(actor: StaffActor): boolean {
  return (
    actor.rights.permissions.has('review_list:quality') &&
    !actor.rights.permissions.has('review_list:claim')
  )
}
