/** The customer's orders. */
import type { ReactNode } from 'react'
import { OrderStatusTag } from '#client/features/orders/public.tsx'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { Money } from '#client/ui/value/Money.tsx'
import { ORDER_VIEWERS } from '#shared/orders/order-viewers.ts'
import { useCustomerText } from '#client/features/customers/use-customer-text.ts'
import { WatchOrders } from './WatchOrders.tsx'
import { Away, type OfCustomer, Rows, Section, useMenu } from './record-parts.tsx'
import { orderPath } from '#shared/orders/order-path.ts'
import { reviewPath } from '#shared/review/review-path.ts'

/** Columns as in the order list, without those about the customer. */
export function OrdersTab({ userId }: OfCustomer): ReactNode {
  const t = useCustomerText()
  const menu = useMenu(ORDER_VIEWERS)
  return (
    <Section userId={userId} sections={['orders']}>
      {({ orders = [] }) => (
        <>
          <WatchOrders
            orderIds={orders
              .filter((order) => order.mayOpen && order.closeTime === null)
              .map((order) => order.orderId)}
          />
          <Rows
            label={t('tab.orders')}
            none={t('empty.orders')}
            rows={orders}
            idOf={(order) => order.orderId}
            columns={[
              {
                head: t('orders:col.orderId'),
                cell: (order) =>
                  order.mayOpen && menu !== null ? (
                    <Away to={orderPath(order.orderId, menu)}>{order.orderId}</Away>
                  ) : (
                    order.orderId
                  ),
              },
              {
                head: t('orders:col.status'),
                cell: (order) => <OrderStatusTag status={order.status} />,
              },
              {
                head: t('orders:col.tags'),
                cell: (order) =>
                  order.tags.map((tag) => t(`orders:tag.${tag}`, { defaultValue: tag })).join(', '),
              },
              { head: t('orders:col.productName'), cell: (order) => order.productName },
              { head: t('orders:col.appName'), cell: (order) => order.appName },
              { head: t('orders:col.channelName'), cell: (order) => order.channelName },
              {
                head: t('orders:col.amount'),
                isRight: true,
                cell: (order) => <Money paise={order.amount} />,
              },
              {
                head: t('orders:col.arrivalAmount'),
                isRight: true,
                cell: (order) => <Money paise={order.arrivalAmount} />,
              },
              {
                head: t('orders:col.serviceCharge'),
                isRight: true,
                cell: (order) => <Money paise={order.serviceCharge} />,
              },
              {
                head: t('orders:col.interest'),
                isRight: true,
                cell: (order) => <Money paise={order.interest} />,
              },
              {
                head: t('orders:col.contractAmount'),
                isRight: true,
                cell: (order) => <Money paise={order.contractAmount} />,
              },
              {
                head: t('orders:col.tenureDays'),
                isRight: true,
                cell: (order) => order.tenureDays,
              },
              { head: t('orders:col.term'), isRight: true, cell: (order) => order.term },
              {
                head: t('orders:col.outstanding'),
                isRight: true,
                cell: (order) => <Money paise={order.outstanding} />,
              },
              {
                head: t('orders:col.overdueDays'),
                isRight: true,
                cell: (order) => order.overdueDays || '—',
              },
              {
                head: t('orders:col.dueTime'),
                cell: (order) => <IstTime value={order.dueTime} style="day" />,
              },
              { head: t('orders:col.failReason'), cell: (order) => order.failReason ?? '—' },
              {
                head: t('orders:col.reviewId'),
                cell: (order) =>
                  order.reviewId === null ? (
                    '—'
                  ) : (
                    <Away to={reviewPath(order.reviewId)}>{order.reviewId}</Away>
                  ),
              },
              {
                head: t('orders:col.createTime'),
                cell: (order) => <IstTime value={order.createTime} />,
              },
              {
                head: t('orders:col.closeTime'),
                cell: (order) => <IstTime value={order.closeTime} />,
              },
              {
                head: t('orders:col.closeType'),
                cell: (order) =>
                  order.closeTime !== null && order.closeType === 'notClosed'
                    ? '—'
                    : t(`orders:closeType.${order.closeType}`, { defaultValue: order.closeType }),
              },
            ]}
          />
        </>
      )}
    </Section>
  )
}
