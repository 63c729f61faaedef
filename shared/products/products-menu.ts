import type { MenuItem } from '#shared/kernel/permission.ts'

/** Menu of loan products. */
export const PRODUCTS_MENU: MenuItem[] = [
  {
    name: 'product_config',
    path: '/system/product_config',
    component: 'system/product_config',
    parent: 'system',
    title: 'products:menu.product_config',
    visible: 0,
    sort: 80,
    roles: ['director', 'manager'],
    actions: {
      add: ['manager'],
      edit: ['manager'],
      status: ['manager'],
      quota: ['manager'],
      penalty: ['manager'],
      extend: ['manager'],
      merchant: ['manager'],
      template: ['manager'],
      refresh: [],
    },
  },
]
