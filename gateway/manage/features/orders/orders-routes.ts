import type { FastifyInstance } from 'fastify'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import {
  inboundAccept,
  inboundCancel,
  inboundPayout,
  inboundTerms,
} from '#shared/orders/inbound-api.ts'
import type { OrderStatus } from '#shared/orders/order-statuses.ts'
import { orderDetail, orderTimeline } from '#shared/orders/order-detail-api.ts'
import * as api from '#shared/orders/orders-api.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { serveMachine, serveMachineQuery } from '#gateway/manage/kernel/machine.ts'
import { serveCommand, serveQuery } from '#gateway/manage/kernel/serve.ts'
import { acceptTerms, termsOfOrder } from './accept-terms.ts'
import { allowedEvents } from './allowed-events.ts'
import { aprOfOrder } from './apr-of-order.ts'
import { cancelOrder, type WhenCancelled, withdrawOrder } from './cancel-order.ts'
import { findOrderLife, findTimeline } from './order-detail-queries.ts'
import { findOrderOptions, orderLists } from './order-list-queries.ts'
import { orderRow } from './order-row.ts'
import { remarkOrder } from './remark-order.ts'
import { reportPayout } from './report-payout.ts'

export interface OrdersRoutesOptions {
  /** Runs inside the cancellation's transaction, after the status change. */
  whenCancelled: readonly WhenCancelled[]
}

export function ordersRoutes(
  app: FastifyInstance,
  context: AppContext,
  { whenCancelled }: OrdersRoutesOptions,
): void {
  const listOrders = orderLists(context)
  serveQuery(app, context, api.listOrders, ({ actor }, input) => listOrders(actor, input))

  serveQuery(app, context, api.orderOptions, ({ db }) => findOrderOptions(db))

  serveQuery(app, context, orderDetail, async ({ db, actor }, { orderId }) => {
    const found = await findOrderLife(db, actor, orderId)
    if (!found) throw new Problem(NOT_FOUND)
    const { facts, ...life } = found
    return {
      ...life,
      terms: { ...life.terms, apr: aprOfOrder(found) },
      allowed: allowedEvents(life.order.status as OrderStatus, actor.rights, facts),
    }
  })

  serveQuery(app, context, orderTimeline, async ({ db, actor }, { orderId }) => {
    const timeline = await findTimeline(db, actor, orderId)
    if (!timeline) throw new Problem(NOT_FOUND)
    return timeline
  })

  serveCommand(app, context, api.cancelOrder, async (tx, input) => {
    await cancelOrder(tx, input, whenCancelled)
    // the row exists: this transaction holds its lock
    return (await orderRow<DataOf<typeof api.cancelOrder>>(tx.db, input.orderId)) as DataOf<
      typeof api.cancelOrder
    >
  })

  serveCommand(app, context, api.remarkOrder, async (tx, input) => {
    await remarkOrder(tx, input)
    return null
  })

  serveMachine(app, context, inboundCancel, async (tx, input) => {
    const moved = await withdrawOrder(tx, input, whenCancelled)
    return { orderId: input.orderId, status: moved.to }
  })

  serveMachineQuery(app, context, inboundTerms, (db, { orderId }) => termsOfOrder(db, orderId))
  serveMachine(app, context, inboundAccept, acceptTerms)

  serveMachine(app, context, inboundPayout, reportPayout)
}
