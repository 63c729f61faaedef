import type { FastifyInstance } from 'fastify'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { inboundCancel, inboundPayout } from '#shared/orders/inbound-api.ts'
import type { OrderStatus } from '#shared/orders/order-statuses.ts'
import * as api from '#shared/orders/orders-api.ts'
import type { House } from '#gateway/manage/kernel/house.ts'
import { serveMachine } from '#gateway/manage/kernel/machine.ts'
import { serveCommand, serveQuery } from '#gateway/manage/kernel/serve.ts'
import { allowedEvents } from './allowed-events.ts'
import { aprOfOrder } from './apr-of-order.ts'
import { cancelOrder, type WhenCancelled, withdrawOrder } from './cancel-order.ts'
import { findOrderLife, findTimeline } from './order-detail-queries.ts'
import { findOrderOptions, orderLists } from './order-list-queries.ts'
import { orderRow } from './order-row.ts'
import { receivePayout } from './receive-payout.ts'
import { remarkOrder } from './remark-order.ts'

export interface OrdersRoutesOptions {
  /** Runs inside the cancellation's transaction, after the order moved. */
  whenCancelled: readonly WhenCancelled[]
}

export function ordersRoutes(
  app: FastifyInstance,
  house: House,
  { whenCancelled }: OrdersRoutesOptions,
): void {
  const listOrders = orderLists(house)
  serveQuery(app, house, api.listOrders, ({ actor }, input) => listOrders(actor, input))

  serveQuery(app, house, api.orderOptions, ({ db }) => findOrderOptions(db))

  serveQuery(app, house, api.orderDetail, async ({ db, actor }, { orderId }) => {
    const found = await findOrderLife(db, actor, orderId)
    if (!found) throw new Problem(NOT_FOUND)
    const { facts, ...life } = found
    return {
      ...life,
      terms: { ...life.terms, apr: aprOfOrder(found) },
      allowed: allowedEvents(life.order.status as OrderStatus, actor.rights, facts),
    }
  })

  serveQuery(app, house, api.orderTimeline, async ({ db, actor }, { orderId }) => {
    const timeline = await findTimeline(db, actor, orderId)
    if (!timeline) throw new Problem(NOT_FOUND)
    return timeline
  })

  serveCommand(app, house, api.cancelOrder, async (cx, input) => {
    await cancelOrder(cx, input, whenCancelled)
    // it was there a moment ago, under this transaction's lock
    return (await orderRow<DataOf<typeof api.cancelOrder>>(cx.db, input.orderId)) as DataOf<
      typeof api.cancelOrder
    >
  })

  serveCommand(app, house, api.remarkOrder, async (cx, input) => {
    await remarkOrder(cx, input)
    return null
  })

  serveMachine(app, house, inboundCancel, async (cx, input) => {
    const moved = await withdrawOrder(cx, input, whenCancelled)
    return { orderId: input.orderId, status: moved.to }
  })

  serveMachine(app, house, inboundPayout, (cx, input) => receivePayout(cx, input))
}
