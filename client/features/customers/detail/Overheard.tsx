import type { ReactNode } from 'react'
import { useOverhear } from '#client/live/watch.ts'

/**
 * Hears the orders of a customer that still move: their steps, and those of their reviews, go to who may see the order (api.md 26),
 * not to everybody who may see the customer. Whom the server refuses one reads the section as it was.
 */
export function Overheard({ orderIds }: { orderIds: readonly string[] }): ReactNode {
  return [...new Set(orderIds)].map((orderId) => <Ear key={orderId} orderId={orderId} />)
}

function Ear({ orderId }: { orderId: string }): ReactNode {
  useOverhear('order', orderId)
  return null
}
