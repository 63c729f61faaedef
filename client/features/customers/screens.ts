import type { DetailRoute, LoadScreen } from '#client/base/feature.ts'

export const screens: Record<string, LoadScreen> = {
  'customer_management/customer_list': () => import('./list/CustomerListScreen.tsx'),
  'customer_management/info': () => import('./detail/CustomerScreen.tsx'),
}

export const details: Record<string, DetailRoute> = {
  '/customerInfo': {
    load: () => import('./detail/CustomerWindowScreen.tsx'),
    idParam: 'userId',
    title: 'customers:detail.title',
    menus: ['info', 'customer_list'],
    bare: true,
  },
}
