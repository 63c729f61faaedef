/** The open order: fetched once, patched at once by live events, and refetched after them. */
import { useText } from '#client/base/use-text.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffectEvent } from 'react'
import { useLive } from '#client/live/use-live.ts'
import { CLIENT_ID } from '#client/session/ids.ts'
import { queryKeyOf, recordQueryOf } from '#client/session/query.ts'
import { announce } from '#client/ui/feedback/announce.ts'
import { APPROVAL_CHANGED } from '#shared/approvals/approvals-live.ts'
import { orderDetail, orderTimeline } from '#shared/orders/order-detail-api.ts'
import { ORDER_STATUS_CHANGED } from '#shared/orders/orders-live.ts'
import type { OrderDetail, OrderRow, OrderTimeline } from '../order-types.ts'
import { statusWord } from '../order-words.ts'
import {
  applyToDetail,
  applyToTimeline,
  concernsOrder,
  ORDER_DETAIL_EVENTS,
  withOrder,
} from './detail-apply.ts'

export interface OrderDetailNow {
  detail: OrderDetail | undefined
  timeline: OrderTimeline | undefined
  error: unknown
  isFetching: boolean
  reread: () => void
  /** Takes the fresh order row out of a response. */
  takeRow: (row: OrderRow) => void
}

const APPROVALS = [APPROVAL_CHANGED.type]

export function useOrderDetail(orderId: string): OrderDetailNow {
  const t = useText('orders')
  const queries = useQueryClient()
  const life = useQuery(recordQueryOf(orderDetail, { orderId }))
  const changes = useQuery(recordQueryOf(orderTimeline, { orderId }))
  const reread = useCallback(() => {
    for (const endpoint of [orderDetail, orderTimeline])
      void queries.invalidateQueries({ queryKey: queryKeyOf(endpoint, { orderId }) })
  }, [queries, orderId])
  const takeRow = useCallback(
    (row: OrderRow) => {
      queries.setQueryData<OrderDetail>(
        queryKeyOf(orderDetail, { orderId }),
        (detail) => detail && withOrder(detail, row),
      )
      reread()
    },
    [queries, orderId, reread],
  )
  const announceChange = useEffectEvent((status: number, by: string) =>
    announce(t('detail.changed', { status: statusWord(status, t), by })),
  )

  useLive(ORDER_DETAIL_EVENTS, (events) => {
    const own = events.filter((event) => concernsOrder(event, orderId, life.data?.caseId ?? null))
    if (own.length === 0) return
    queries.setQueryData<OrderDetail>(
      queryKeyOf(orderDetail, { orderId }),
      (detail) => detail && own.reduce(applyToDetail, detail),
    )
    queries.setQueryData<OrderTimeline>(
      queryKeyOf(orderTimeline, { orderId }),
      (timeline) => timeline && own.reduce(applyToTimeline, timeline),
    )
    reread()
    const foreign = own.findLast(
      (event) => event.type === ORDER_STATUS_CHANGED.type && event.clientId !== CLIENT_ID,
    )
    if (foreign) announceChange(Number(foreign.data.to), foreign.actor?.userName ?? '')
  })

  // these events are sent to the order's own room
  useLive(APPROVALS, reread)

  return {
    detail: life.data,
    timeline: changes.data,
    error: life.error ?? changes.error,
    isFetching: life.isFetching || changes.isFetching,
    reread,
    takeRow,
  }
}
