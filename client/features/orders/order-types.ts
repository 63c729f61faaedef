import type { Static } from 'typebox'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import type {
  listOrders,
  orderOptions,
  OrderRow as OrderRowSchema,
} from '#shared/orders/orders-api.ts'
import type { orderDetail, orderTimeline } from '#shared/orders/order-detail-api.ts'

export type OrderRow = Static<typeof OrderRowSchema>
export type OrderPage = DataOf<typeof listOrders>
export type OrderOptions = DataOf<typeof orderOptions>
export type OrderDetail = DataOf<typeof orderDetail>
export type OrderTimeline = DataOf<typeof orderTimeline>
export type LedgerLine = OrderDetail['ledger'][number]
