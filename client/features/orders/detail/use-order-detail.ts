/** The open order: read once, patched by live events at once, and read again behind them. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useLive } from '#client/live/use-live.ts'
import { CLIENT_ID } from '#client/session/ids.ts'
import { queryKeyOf, queryOf } from '#client/session/query.ts'
import { announce } from '#client/shell/announce.ts'
import { APPROVAL_CHANGED } from '#shared/approvals/approvals-live.ts'
import { orderDetail, orderTimeline } from '#shared/orders/orders-api.ts'
import { ORDER_STATUS_CHANGED } from '#shared/orders/orders-live.ts'
import type { OrderDetail, OrderRow, OrderTimeline } from '../order-types.ts'
import { type Say, statusWord } from '../order-words.ts'
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
  /** A fresh row of the order out of an answer. */
  takeRow: (row: OrderRow) => void
}

const APPROVALS = [APPROVAL_CHANGED.type]

export function useOrderDetail(orderId: string): OrderDetailNow {
  const { t } = useTranslation('orders')
  const queries = useQueryClient()
  const life = useQuery(queryOf(orderDetail, { orderId }, { quiet: true }))
  const changes = useQuery(queryOf(orderTimeline, { orderId }, { quiet: true }))
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
  const say = useEffectEvent((status: number, by: string) =>
    announce(t('detail.changed', { status: statusWord(status, t as unknown as Say), by })),
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
    const told = own.findLast(
      (event) => event.type === ORDER_STATUS_CHANGED.type && event.clientId !== CLIENT_ID,
    )
    if (told) say(Number(told.data.to), told.actor?.userName ?? '')
  })

  // told in the order's own room
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
