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

/**
 * The same for the list of all of them: a reviewer's are found first, where a test of each row would
 * read the book.
 */
export function listedReviews(actor: StaffActor): RawBuilder<boolean> {
  return actor.rights.scope === 'queue' && !isInspector(actor)
    ? sql<boolean>`r.id in (${idsOfReviews(actor, 'id')})`
    : reviewsInScope(actor)
}

/**
 * Of the reviews of a caller with scope `queue` their own id, that of the order or of the customer.
 * Each part is read from its index alone, so that a list joins the set instead of asking each row.
 */
export function idsOfReviews(
  actor: StaffActor,
  what: 'id' | 'order_id' | 'customer_id',
): RawBuilder<unknown> {
  const id = sql.ref(`x.${what}`)
  if (isInspector(actor))
    return sql`select ${id} from review x where x.state in ('audited', 'passed', 'failed')`
  return sql`
    select ${id} from review x where x.state = 'unclaimed'
    union all select ${id} from review x where x.reviewer_id = ${actor.userId}
    union all select ${id} from review x where x.first_reviewer_id = ${actor.userId}
    union all select ${id} from review x where x.id = any(array(select h.review_id
      from review_handover h where h.state = 'pending' and h.to_user_id = ${actor.userId}))`
}

function isInspector(actor: StaffActor): boolean {
  return (
    actor.rights.permissions.has('review_list:quality') &&
    !actor.rights.permissions.has('review_list:claim')
  )
}
