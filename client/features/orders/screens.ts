import type { DetailRoute, LoadScreen } from '#client/base/feature.ts'
import { ORDER_VIEWERS } from '#shared/orders/order-viewers.ts'

export const screens: Record<string, LoadScreen> = {
  'order_management/loan_list': () => import('./disbursement/LoanListScreen.tsx'),
  'order_management/wait_relent': () => import('./disbursement/WaitListScreen.tsx'),
  'order_management/order_list': () => import('./list/OrderListScreen.tsx'),
}

export const details: Record<string, DetailRoute> = {
  '/detail': {
    load: () => import('./detail/OrderDetailScreen.tsx'),
    idParam: 'orderId',
    title: 'orders:detail.title',
    menus: ORDER_VIEWERS,
  },
}
