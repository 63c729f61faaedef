import { type RawBuilder, sql } from 'kysely'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { orderIdsOfCases } from '#gateway/manage/features/collection/case-scope.ts'
import { reviewIdsInScope } from '#gateway/manage/features/review/review-scope.ts'

/**
 * Orders the caller may see, as a predicate over `loan_order o`. Agency, department, group and own
 * scopes see those with a case of theirs that is open or was closed there in the last 90 days.
 */
export function ordersInScope(actor: StaffActor): RawBuilder<boolean> {
  switch (actor.rights.scope) {
    case 'all':
      return sql<boolean>`true`
    case 'queue':
      // a set of ids, each part with its index: an `exists` per order would read the whole book
      return sql<boolean>`
        o.id in (select r.order_id from review r where r.id in (${reviewIdsInScope(actor)}))`
    default:
      return sql<boolean>`o.id in (${orderIdsOfCases(actor)})`
  }
}
