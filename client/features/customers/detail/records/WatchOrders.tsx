import type { ReactNode } from 'react'
import { useSilentWatch } from '#client/live/watch.ts'

/**
 * Watches the customer's orders that can still change. Their events and those of their reviews go
 * only to users who may see the order, not to all who may see the customer. If the server refuses
 * the watch, the section stays as it was read.
 */
export function WatchOrders({ orderIds }: { orderIds: readonly string[] }): ReactNode {
  return [...new Set(orderIds)].map((orderId) => <Ear key={orderId} orderId={orderId} />)
}

function Ear({ orderId }: { orderId: string }): ReactNode {
  useSilentWatch('order', orderId)
  return null
}
