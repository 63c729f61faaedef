/** What other features may use of orders. */
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { usePage } from '#client/session/page.tsx'
import { useSession } from '#client/session/session-store.ts'
import { StatusTag } from '#client/ui/StatusTag.tsx'
import { opensOrders } from './order-links.ts'
import { orderPath, type Say, statusTone, statusWord } from './order-words.ts'

export { opensOrders, useRowLinks } from './order-links.ts'
export { orderPath, orderStatusKey, penaltyLines, statusTone, statusWord } from './order-words.ts'

/** To the page of an order, for those who may open orders: from their list of orders, or from where they are. */
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

/** Status of an order in colour and words, in the language of the user. */
export function OrderStatusTag({ status }: { status: number }): ReactNode {
  const { t } = useTranslation('orders')
  const text = statusWord(status, t as unknown as Say)
  return (
    <StatusTag tone={statusTone(status)} title={text}>
      {text}
    </StatusTag>
  )
}
