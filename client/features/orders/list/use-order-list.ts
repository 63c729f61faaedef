/** Rows of the order list, kept true by live events: patched where they say enough, read where they do not. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useLive } from '#client/live/use-live.ts'
import { useThrottled } from '#client/live/use-throttled.ts'
import { call } from '#client/session/call.ts'
import { queryKeyOf } from '#client/session/query.ts'
import type { GridView } from '#client/ui/grid-url.ts'
import { type GridQuery, type LiveRows, useLiveRows } from '#client/ui/useLiveRows.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { listOrders } from '#shared/orders/orders-api.ts'
import type { OrderRow } from '../order-types.ts'
import { type Say, statusWord } from '../order-words.ts'
import { applyOrderEvents, type LeaveWords, onPage, ORDER_LIST_EVENTS } from './order-apply.ts'
import type { OrderFilters } from './order-filters.ts'

/** More rows than this are read with the page. */
const READ_SINGLY = 3
const NO_ROWS: readonly OrderRow[] = []

export interface OrderListWanted {
  input: InputOf<typeof listOrders>
  /** The filters cannot be asked: nothing is shown. */
  impossible: boolean
  filters: OrderFilters
  view: GridView
  key: string
  seesAll: boolean
}

export interface OrderListNow {
  query: GridQuery<OrderRow>
  live: LiveRows<OrderRow>
  /** Puts a row right from an answer that carries it. */
  takeRow: (row: OrderRow) => void
}

export function useOrderList({ input, impossible, filters, view, key, seesAll }: OrderListWanted): OrderListNow {
  const { t } = useTranslation('orders')
  const answer = useQuery({
    queryKey: queryKeyOf(listOrders, input),
    queryFn: ({ signal }) => call(listOrders, input, { quiet: true, signal }),
    placeholderData: keepPreviousData,
    enabled: !impossible,
  })
  const { data, refetch } = answer
  const query = useMemo<GridQuery<OrderRow>>(
    () =>
      impossible
        ? { rows: NO_ROWS, total: 0, isFetching: false, error: null, refetch: () => undefined }
        : { rows: data?.rows, total: data?.total ?? 0, totalCapped: data?.totalCapped, asOf: data?.asOf, isFetching: answer.isFetching, isPlaceholder: answer.isPlaceholderData, error: answer.error, refetch: () => refetch(), source: { endpoint: listOrders, input } },
    [impossible, data, answer.isFetching, answer.isPlaceholderData, answer.error, refetch, input],
  )
  const sortFields = useMemo(() => view.sort.map((part) => part.field), [view.sort])
  const live = useLiveRows<OrderRow>({ query, getRowId, getVersion, viewKey: key, sortFields })
  const reread = useThrottled(useCallback(() => void refetch(), [refetch]))

  const leaveWords: LeaveWords = (why, { status, name }) => t(`leave.${why}`, { status: status === undefined ? '' : statusWord(status, t as unknown as Say), name: name ?? '' })
  const takeRow = (row: OrderRow) => {
    live.push([{ kind: 'patch', id: row.orderId, version: row.version, changes: row }])
    if (!onPage(row, filters)) live.push([{ kind: 'leave', id: row.orderId, version: row.version, reason: leaveWords('status', { status: row.status }) }])
  }
  const readRow = async (orderId: string, reason: string) => {
    const found = await call(listOrders, { orderId }, { quiet: true }).catch(() => null)
    if (!found) return
    const [row] = found.rows
    if (row) takeRow(row)
    else live.push([{ kind: 'leave', id: orderId, reason }])
  }

  useLive(ORDER_LIST_EVENTS, (events) => {
    const rows = new Map(live.store.rows().map((row) => [row.orderId, row]))
    const { changes, read, ask } = applyOrderEvents({ rows, filters, seesAll }, events, leaveWords)
    if (changes.length) live.push(changes)
    // Further pages only count what is new: their rows would all move down.
    const isMoving = ask || changes.some((change) => change.kind !== 'patch')
    if (read.size > READ_SINGLY || (isMoving && view.page === 1)) reread()
    if (read.size <= READ_SINGLY) for (const [orderId, reason] of read) void readRow(orderId, reason)
  })

  return { query, live, takeRow }
}

const getRowId = (row: OrderRow) => row.orderId
const getVersion = (row: OrderRow) => row.version
