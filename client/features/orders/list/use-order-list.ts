/** Rows of the order list, kept true by live events: patched where they say enough, read where they do not. */
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useLive } from '#client/live/use-live.ts'
import { useThrottled } from '#client/live/use-throttled.ts'
import { call } from '#client/session/call.ts'
import { useListQuery } from '#client/shell/use-list-query.ts'
import type { GridView } from '#client/ui/grid-url.ts'
import { type GridQuery, type LiveRows, useLiveRows } from '#client/ui/useLiveRows.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import type { Page } from '#shared/kernel/page.ts'
import type { listLoans, listWaiting } from '#shared/orders/disbursement-api.ts'
import type { listOrders } from '#shared/orders/orders-api.ts'
import type { OrderRow } from '../order-types.ts'
import { type Say, statusWord } from '../order-words.ts'
import { applyOrderEvents, type LeaveWords, onPage, ORDER_LIST_EVENTS } from './order-apply.ts'
import type { OrderFilters } from './order-filters.ts'

/** More rows than this are read with the page. */
const READ_SINGLY = 3

/** Lists whose rows are orders, with more beside them. */
type OrderListCall = typeof listOrders | typeof listLoans | typeof listWaiting
type RowOf<E extends OrderListCall> = DataOf<E>['rows'][number]

export interface OrderListWanted<E extends OrderListCall> {
  endpoint: E
  /** Null when the filters cannot be asked: nothing is shown. */
  input: InputOf<E> | null
  filters: OrderFilters
  view: GridView
  key: string
  seesAll: boolean
  /** Filters that `filters` does not know are set: whether an order arrives is asked, never told. */
  narrowed?: boolean
  /** Further events after which the page is read again. */
  also?: readonly string[]
}

export interface OrderListNow<Row> {
  query: GridQuery<Row>
  live: LiveRows<Row>
  /** Puts a row right from an answer that carries it. */
  takeRow: (row: OrderRow) => void
  reread: () => void
}

const NOTHING_MORE: readonly string[] = []

export function useOrderList<E extends OrderListCall>({
  endpoint,
  input,
  filters,
  view,
  key,
  seesAll,
  narrowed = false,
  also = NOTHING_MORE,
}: OrderListWanted<E>): OrderListNow<RowOf<E>> {
  const { t } = useTranslation('orders')
  const { query, refetch } = useListQuery<E, RowOf<E>>(endpoint, input)
  const sortFields = useMemo(() => view.sort.map((part) => part.field), [view.sort])
  const live = useLiveRows<RowOf<E>>({ query, getRowId, getVersion, viewKey: key, sortFields })
  const reread = useThrottled(refetch)

  const leaveWords: LeaveWords = (why, { status, name }) =>
    t(`leave.${why}`, {
      status: status === undefined ? '' : statusWord(status, t as unknown as Say),
      name: name ?? '',
    })
  const takeRow = (row: OrderRow) => {
    live.push([{ kind: 'row', id: row.orderId, version: row.version, row }])
    if (!onPage(row, filters))
      live.push([
        {
          kind: 'leave',
          id: row.orderId,
          version: row.version,
          reason: leaveWords('status', { status: row.status }),
        },
      ])
  }
  const readRow = async (orderId: string, reason: string) => {
    const found = (await call(endpoint, { orderId } as InputOf<E>, { quiet: true }).catch(
      () => null,
    )) as Page<RowOf<E>> | null
    if (!found) return
    const [row] = found.rows
    if (row) takeRow(row)
    else live.push([{ kind: 'leave', id: orderId, reason }])
  }

  useLive(ORDER_LIST_EVENTS, (events) => {
    const rows = new Map(live.store.rows().map((row) => [row.orderId, row]))
    const applied = applyOrderEvents({ rows, filters, seesAll }, events, leaveWords)
    const { read } = applied
    const changes = narrowed
      ? applied.changes.filter((change) => change.kind !== 'new')
      : applied.changes
    const ask = applied.ask || changes.length < applied.changes.length
    if (changes.length) live.push(changes)
    // Further pages only count what is new: their rows would all move down.
    const isMoving = ask || changes.some((change) => change.kind !== 'patch')
    if (read.size > READ_SINGLY || (isMoving && view.page === 1)) reread()
    if (read.size <= READ_SINGLY)
      for (const [orderId, reason] of read) void readRow(orderId, reason)
  })

  useLive(also, reread)

  return { query, live, takeRow, reread }
}

const getRowId = (row: OrderRow) => row.orderId
const getVersion = (row: OrderRow) => row.version
