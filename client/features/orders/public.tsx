/** What other features may use of orders. */
import { useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { usePage } from '#client/session/page.tsx'
import { useSession } from '#client/session/session-store.ts'
import { StatusTag } from '#client/ui/value/StatusTag.tsx'
import { opensOrders } from './order-links.ts'
import { statusTone, statusWord } from './order-words.ts'
import { orderPath } from '#shared/orders/order-path.ts'

export { opensOrders, useRowLinks } from './order-links.ts'
export { orderStatusKey, penaltyLines, statusTone, statusWord } from './order-words.ts'

/**
 * Link to the page of an order, for users who may open orders. The way back leads to their order
 * list or to the current page.
 */
export function OrderLink({
  orderId,
  className = 'order-link',
}: {
  orderId: string
  className?: string
}): ReactNode {
  const { menu } = usePage()
  const { index } = useSession()
  if (!opensOrders(index)) return <span className="tabular">{orderId}</span>
  return (
    <Link
      className={`${className} tabular`}
      href={orderPath(orderId, index.byName.has('order_list') ? 'order_list' : (menu ?? ''))}
    >
      {orderId}
    </Link>
  )
}

/** Status of an order with its colour and label. */
export function OrderStatusTag({ status }: { status: number }): ReactNode {
  const label = statusWord(status, useText('orders'))
  return (
    <StatusTag tone={statusTone(status)} title={label}>
      {label}
    </StatusTag>
  )
}
