/** How the lists of orders follow their live events. */
import type { LiveRules } from '#client/screen/list/use-live-list.ts'
import type { ListContext } from '#client/screen/list/list-types.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import type { listLoans, listWaiting } from '#shared/orders/disbursement-api.ts'
import type { listOrders } from '#shared/orders/orders-api.ts'
import { statusWord } from '../order-words.ts'
import { applyOrderEvents, type LeaveWords, onPage, ORDER_LIST_EVENTS } from './order-apply.ts'
import type { OrderFilters } from './order-filters.ts'

/** Lists whose rows are orders with additional fields. */
type OrderListCall = typeof listOrders | typeof listLoans | typeof listWaiting

interface OrderListFilters {
  filters: OrderFilters
  /**
   * Filters unknown to `filters` are set, so only the server can tell whether a new order belongs
   * to the list.
   */
  narrowed?: boolean
  /** Additional events after which the page is refetched. */
  also?: readonly string[]
}

export function orderRules<E extends OrderListCall>(
  { t, seesAll }: ListContext,
  { filters, narrowed = false, also }: OrderListFilters,
): LiveRules<E, DataOf<E>['rows'][number]> {
  const leaveWords: LeaveWords = (why, { status, name }) =>
    t(`leave.${why}`, {
      status: status === undefined ? '' : statusWord(status, t),
      name: name ?? '',
    })
  return {
    events: ORDER_LIST_EVENTS,
    apply(rows, events) {
      const { changes, read, needsRefetch } = applyOrderEvents(
        { rows, filters, seesAll },
        events,
        leaveWords,
      )
      const known = narrowed ? changes.filter((change) => change.kind !== 'new') : changes
      return { changes: known, read, needsRefetch: needsRefetch || known.length < changes.length }
    },
    leaves: (row) => (onPage(row, filters) ? null : leaveWords('status', { status: row.status })),
    ...(also && { refreshOn: also }),
  }
}
