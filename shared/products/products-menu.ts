import { pagesIn } from '#shared/kernel/menu-page.ts'
import type { MenuItem } from '#shared/kernel/permission.ts'

const screen = pagesIn('system', 'products')

const emiScreen = pagesIn('emi_manage', 'products', 'system/emi_manage')

/** Menu of loan products, of the apps that offer them, and of EMI loans. */
export const PRODUCTS_MENU: MenuItem[] = [
  {
    ...screen('product_config', 80),
    icon: 'duplicate',
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
  {
    ...screen('app_management', 90),
    icon: 'applications',
    roles: ['manager'],
    actions: { add: [], edit: [], group: [], refresh: [] },
  },
  {
    ...screen('emi_manage', 95),
    component: 'Layout',
    icon: 'layers',
    roles: ['manager'],
    actions: {},
  },
  {
    ...emiScreen('app_config', 10),
    icon: 'mobile-video',
    roles: ['manager'],
    actions: { edit: [] },
  },
  {
    ...emiScreen('params_config', 30),
    icon: 'percentage',
    roles: ['manager'],
    actions: { edit: [] },
  },
]
