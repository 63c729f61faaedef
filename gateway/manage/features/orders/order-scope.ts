import { type RawBuilder, sql } from 'kysely'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { orderIdsOfCases } from '#gateway/manage/features/collection/case-scope.ts'
import { idsOfReviews } from '#gateway/manage/features/review/review-scope.ts'

/**
 * Orders the caller may see, as a predicate over `loan_order o`. Agency, department, group and own
 * scopes see those with a case of theirs that is open or was closed there in the last 90 days.
 */
export function ordersInScope(actor: StaffActor): RawBuilder<boolean> {
  return ofOrdersInScope(actor, 'o.id')
}

/**
 * The same of what belongs to an order. The ids come from the cases or the reviews themselves: by
 * way of `loan_order` a page of twenty proofs would read the whole book.
 * @param column a column of ours with the id of an order
 */
export function ofOrdersInScope(actor: StaffActor, column: string): RawBuilder<boolean> {
  return actor.rights.scope === 'all'
    ? sql<boolean>`true`
    : sql<boolean>`${sql.ref(column)} in (${orderIdsInScope(actor)})`
}

/**
 * For lists: the ids of a unit or a person are found first, and then what belongs to them by its
 * index. As a join the planner may read all there is and drop most of it. A reviewer's orders are
 * too many to be looked for one by one.
 */
export function listedInScope(actor: StaffActor, column: string): RawBuilder<boolean> {
  return actor.rights.scope === 'all' || actor.rights.scope === 'queue'
    ? ofOrdersInScope(actor, column)
    : sql<boolean>`${sql.ref(column)} in (select unnest(array(${orderIdsOfCases(actor)})))`
}

function orderIdsInScope(actor: StaffActor): RawBuilder<unknown> {
  return actor.rights.scope === 'queue' ? idsOfReviews(actor, 'order_id') : orderIdsOfCases(actor)
}
