/** Rows of a list of orders, kept current by live events. */
import { useText } from '#client/base/use-text.ts'
import { type LiveList, useLiveList } from '#client/screen/list/use-live-list.ts'
import type { GridView } from '#client/ui/grid/grid-url.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import type { listLoans, listWaiting } from '#shared/orders/disbursement-api.ts'
import type { listOrders } from '#shared/orders/orders-api.ts'
import { statusWord } from '../order-words.ts'
import { applyOrderEvents, type LeaveWords, onPage, ORDER_LIST_EVENTS } from './order-apply.ts'
import type { OrderFilters } from './order-filters.ts'

/** Lists whose rows are orders with additional fields. */
type OrderListCall = typeof listOrders | typeof listLoans | typeof listWaiting
type RowOf<E extends OrderListCall> = DataOf<E>['rows'][number]

export interface OrderListWanted<E extends OrderListCall> {
  endpoint: E
  /** Null when the filters are invalid: the list is then empty. */
  input: InputOf<E> | null
  filters: OrderFilters
  view: GridView
  key: string
  seesAll: boolean
  /**
   * Filters unknown to `filters` are set, so only the server can tell whether a new order belongs
   * to the list.
   */
  narrowed?: boolean
  /** Additional events after which the page is refetched. */
  also?: readonly string[]
}

export function useOrderList<E extends OrderListCall>({
  filters,
  seesAll,
  narrowed = false,
  also,
  ...list
}: OrderListWanted<E>): LiveList<RowOf<E>, DataOf<E>> {
  const t = useText('orders')
  const leaveWords: LeaveWords = (why, { status, name }) =>
    t(`leave.${why}`, {
      status: status === undefined ? '' : statusWord(status, t),
      name: name ?? '',
    })
  return useLiveList<E, RowOf<E>>({
    ...list,
    rowId: 'orderId',
    events: ORDER_LIST_EVENTS,
    apply(rows, events) {
      const { changes, read, ask } = applyOrderEvents(
        { rows, filters, seesAll },
        events,
        leaveWords,
      )
      const known = narrowed ? changes.filter((change) => change.kind !== 'new') : changes
      return { changes: known, read, needsRefetch: ask || known.length < changes.length }
    },
    leaves: (row) => (onPage(row, filters) ? null : leaveWords('status', { status: row.status })),
    ...(also && { refreshOn: also }),
  })
}
